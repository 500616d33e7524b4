import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { checkOrigin, type Site } from './checkOrigin.js'
import { HttpError } from './httpError.js'
import { answerBelow, splitOnce, type Reply, type Route } from './routes.js'
import type { Sessions } from './sessions.js'
import type { Tries } from './tries.js'

/** What a server answers with. */
export interface Answers {
  /** The page of a session's holder and its content security policy, made for each browser that opens it. */
  readonly page: (who: string) => { readonly html: string; readonly policy: string }
  /** Scripts that the page loads later, by path. */
  readonly files: Readonly<Record<string, { readonly type: string; text(): string }>>
  /** Their paths start with `/`. */
  readonly routes: readonly Route[]
  /** What opens a session. */
  readonly howToOpen: string
}

/** A served page: what it answers with, and who may use it. */
export interface Served extends Answers {
  readonly sessions: Sessions
  readonly tries: Tries
  readonly site: Site
  /** The name of the session’s cookie. */
  readonly cookie: string
  readonly idleSessionMs: number
}

/** Answers one request: the page, an event stream or a route. Throws HttpError, and what the route throws. */
export async function answerTo(
  request: IncomingMessage,
  response: ServerResponse,
  served: Served,
): Promise<void> {
  for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value)
  const { method = '', url = '' } = request
  const [path = '', query = ''] = splitOnce(url, '?')
  checkOrigin(request, path === '/', served.site)
  const parameters = new URLSearchParams(query)
  const token = parameters.get('token')
  if (path === '/' && method === 'GET' && token !== null) return openSession(request, response, token, served)
  const who = served.sessions.holder(cookieOf(request, served.cookie))
  if (who === undefined) throw new HttpError(401, 'this browser has no session', served.howToOpen)
  if (method === 'GET' && path === '/') {
    const { html, policy } = served.page(who)
    response.setHeader('content-security-policy', policy)
    return sendText(request, response, 'text/html; charset=utf-8', html)
  }
  const file = Object.hasOwn(served.files, path) ? served.files[path] : undefined
  if (method === 'GET' && file !== undefined)
    return sendText(request, response, `${file.type}; charset=utf-8`, file.text())
  if (method === 'GET' && path === '/favicon.ico') return void response.writeHead(204).end()
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const answer = await answerBelow(served.routes, {
    ...{ who, method, segments: {}, query: parameters, signal: gone.signal, headers: ownHeaders(request) },
    rest: url,
    body: (most = 0) => readBody(request, most),
  })
  if ('streams' in answer) answer.streams.open(response, answer.first)
  else await send(request, response, answer)
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

/**
 * Exchanges the token for a cookie, and opens the page without the token. The page is opened by a document of this server, not
 * by a redirect: after a link on another site, browsers send a cookie with SameSite=Strict only then.
 */
function openSession(
  { socket: { remoteAddress = '' } }: IncomingMessage,
  response: ServerResponse,
  token: string,
  { sessions, tries, cookie: name, site, howToOpen, idleSessionMs }: Served,
): void {
  if (tries.tooMany(remoteAddress)) throw new HttpError(429, 'too many wrong links', 'wait a minute')
  const secret = sessions.redeem(token)
  if (secret === undefined) {
    tries.failed(remoteAddress)
    throw new HttpError(403, 'this URL was used before, or is not valid any more', howToOpen)
  }
  const cookie = [
    `${name}=${secret}`,
    ...['Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${idleSessionMs / 1000}`],
    ...(site.scheme === 'https' ? ['Secure'] : []),
  ]
  const headers = { 'content-type': 'text/html; charset=utf-8', 'set-cookie': cookie.join('; ') }
  response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  response.writeHead(200, headers).end(opening)
}

const opening = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=/"><title>vethlab</title></head>
<body><a href="/">Open the page</a></body></html>
`

function cookieOf({ headers }: IncomingMessage, name: string): string {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => splitOnce(pair.trim(), '='))
  return pairs.find(([key]) => key === name)?.[1] ?? ''
}

function ownHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    (['accept', 'content-type'] as const).flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status = 200, type, body, fileName, framePolicy }: Reply,
): Promise<void> {
  if (framePolicy !== undefined) {
    response.setHeader('content-security-policy', framePolicy)
    response.setHeader('x-frame-options', 'SAMEORIGIN')
  }
  if (fileName !== undefined)
    response.setHeader(
      'content-disposition',
      `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, '_')}"`,
    )
  if (typeof body === 'string') return sendText(request, response, type, body, status)
  response.writeHead(status, { 'content-type': type })
  if (body instanceof Uint8Array) return void response.end(body)
  // the browser may end it at any time
  await pipeline(Readable.from(body), response).catch(() => response.destroy())
}

/** Shorter texts are sent as they are. */
const leastCompressed = 1024

/** Sends a text, compressed if it is long and the browser reads gzip. */
function sendText(
  { headers }: IncomingMessage,
  response: ServerResponse,
  type: string,
  text: string,
  status = 200,
): void {
  response.setHeader('content-type', type)
  if (text.length < leastCompressed || !/\bgzip\b/.test(String(headers['accept-encoding'] ?? '')))
    return void response.writeHead(status).end(text)
  response.writeHead(status, { 'content-encoding': 'gzip', vary: 'accept-encoding' }).end(gzipSync(text))
}

/** The body of a request as text. Throws HttpError if it is larger than `most` bytes, or of a type that HTML forms can send. */
async function readBody(request: IncomingMessage, most: number): Promise<string> {
  const tooLarge = new HttpError(413, `a body may have at most ${most} bytes`)
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > most) throw tooLarge
    chunks.push(chunk)
  }
  if (
    length > 0 &&
    !/^application\/([\w.-]+\+)?(json|yaml) *(;|$)/i.test(request.headers['content-type'] ?? '')
  )
    throw new HttpError(415, 'the type of the body must be application/json')
  return Buffer.concat(chunks).toString('utf8')
}
