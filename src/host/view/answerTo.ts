import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkOrigin } from './checkOrigin.js'
import type { EventStreams, ServerEvent } from './eventStreams.js'
import { HttpError } from './httpError.js'
import { readBody } from './readBody.js'
import { findRoute, type Reply, type Route } from './routes.js'
import type { Sessions } from './sessions.js'

/** What a server answers with. */
export interface Answers {
  /** The page and its content security policy, made for each browser that opens it. */
  readonly page: () => { readonly html: string; readonly policy: string }
  /** Scripts that the page loads later, by path. */
  readonly files: Readonly<Record<string, { readonly type: string; text(): string }>>
  /** Their paths start with `/`. */
  readonly routes: readonly Route[]
  readonly events: { readonly path: string; first(): readonly ServerEvent[] }
}

/** A served page: what it answers with, and who may use it. */
export interface Served extends Answers {
  readonly sessions: Sessions
  readonly streams: EventStreams
  /** The name of the session’s cookie. */
  readonly cookie: string
  readonly idleSessionMs: number
}

const mostBytes = 65_536

/** Answers one request: the page, an event stream or a route. Throws HttpError, and what the route throws. */
export async function answerTo(
  request: IncomingMessage,
  response: ServerResponse,
  served: Served,
): Promise<void> {
  for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value)
  const { method = '', url = '' } = request
  const [path = '', query = ''] = splitOnce(url, '?')
  checkOrigin(request, path === '/')
  const parameters = new URLSearchParams(query)
  const token = parameters.get('token')
  if (path === '/' && method === 'GET' && token !== null) return openSession(response, token, served)
  if (!served.sessions.holds(cookieOf(request, served.cookie)))
    throw new HttpError(
      401,
      'this browser has no session',
      'open the URL that vethlab view prints, which works once',
    )
  if (method === 'GET' && path === '/') {
    const { html, policy } = served.page()
    response.setHeader('content-security-policy', policy)
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    return
  }
  const file = Object.hasOwn(served.files, path) ? served.files[path] : undefined
  if (method === 'GET' && file !== undefined)
    return void response.writeHead(200, { 'content-type': `${file.type}; charset=utf-8` }).end(file.text())
  if (method === 'GET' && path === '/favicon.ico') return void response.writeHead(204).end()
  if (method === 'GET' && path === served.events.path)
    return served.streams.open(response, served.events.first())
  const { route, segments, rest } = findRoute(served.routes, method, path)
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const reply = await route.answer({
    ...{ method, segments, query: parameters, signal: gone.signal, headers: ownHeaders(request) },
    rest: query === '' ? rest : `${rest}?${query}`,
    body: () => readBody(request, route.mostBytes ?? mostBytes),
  })
  await send(response, reply)
}

/** Nothing is kept, embedded or read by other sites. */
const safeHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Exchanges the token for a cookie, and opens the page without the token. */
function openSession(response: ServerResponse, token: string, served: Served): void {
  const secret = served.sessions.redeem(token)
  if (secret === undefined)
    throw new HttpError(
      403,
      'this URL was used before, or has expired',
      'another page, or vethlab view again, gives a new one',
    )
  const cookie = [
    `${served.cookie}=${secret}`,
    ...['Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${served.idleSessionMs / 1000}`],
  ]
  response.writeHead(303, { location: '/', 'set-cookie': cookie.join('; ') }).end()
}

function cookieOf({ headers }: IncomingMessage, name: string): string {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => splitOnce(pair.trim(), '='))
  return pairs.find(([key]) => key === name)?.[1] ?? ''
}

function splitOnce(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function ownHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    (['accept', 'content-type'] as const).flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

async function send(response: ServerResponse, { status = 200, type, body, fileName }: Reply): Promise<void> {
  if (fileName !== undefined)
    response.setHeader(
      'content-disposition',
      `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, '_')}"`,
    )
  response.writeHead(status, { 'content-type': type })
  if (typeof body === 'string' || body instanceof Uint8Array) return void response.end(body)
  // the browser may end it at any time
  await pipeline(Readable.from(body), response).catch(() => response.destroy())
}
