import { once } from 'node:events'
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { connect as connectTls } from 'node:tls'
import { proxiedHtml, proxiedUrl, type ProxiedFrom } from '../../../apiserver/proxy/rewrite.js'
import { notReached, proxyTarget, type ProxyTarget } from '../../../apiserver/proxy/proxyTarget.js'
import type { ResourceRoute } from '../../../apiserver/route.js'
import { badRequest, methodNotAllowed } from '../../../apiserver/status.js'
import { joinHostPort } from '../../../net/socketText.js'
import type { Serving } from '../serving.js'
import type { Dialled } from './dial.js'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** Headers of one connection, which a proxy does not pass on (net/http/httputil of Go). */
const ofConnection = [
  ...['connection', 'proxy-connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
]

/**
 * Passes a request on to a pod, and its answer to the client, as the API server does for `pods/NAME/proxy` and
 * `services/NAME/proxy` (UpgradeAwareHandler of apimachinery). Throws a StatusError before anything was sent.
 */
export async function proxyRequest(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
  route: ResourceRoute,
): Promise<void> {
  const { method = 'GET' } = request
  if (!methods.includes(method)) throw methodNotAllowed()
  const target = proxyTarget(serving.store, route, (below) => Math.floor(Math.random() * below))
  const { prefix, path, search } = splitPath(request.url ?? '/')
  if (path === '' && (method === 'GET' || method === 'HEAD')) {
    response.writeHead(301, { Location: `${prefix}/${search}`, 'Content-Length': 0 }).end()
    return
  }
  if (serving.dial === undefined) throw notReached('this server is not in the network of a lab')
  const dialled = serving.dial(target.address, target.port)
  const stop = () => {
    dialled.stream.destroy()
  }
  serving.watches.add(stop)
  response.on('close', stop)
  try {
    const answer = await sent(dialled, target, {
      ...{ method, path: path === '' ? '/' : path, search, request },
      headers: passedOn(request, `${prefix}${path}`),
    })
    await passBack(answer, response, method, {
      prefix,
      hosts: [joinHostPort(target.address, target.port), request.headers.host ?? ''],
    })
  } finally {
    serving.watches.delete(stop)
  }
}

/** The path up to `proxy`, the one for the pod with its escapes as Go writes them, and the query with its `?`. */
function splitPath(url: string): { prefix: string; path: string; search: string } {
  const [, target = '', search = ''] = /^(?:https?:\/\/[^/?]*)?([^?]*)(.*)$/is.exec(url) ?? []
  const [, prefix = '', path = ''] =
    /^(\/+api\/+v1\/+namespaces\/+[^/]+\/+[^/]+\/+[^/]+\/+proxy)((?:\/.*)?)$/s.exec(target) ?? []
  try {
    return { prefix: decodeURIComponent(prefix), path: escaped(decodeURIComponent(path)), search }
  } catch {
    throw badRequest(`invalid URL escape in ${target.slice(0, 200)}`)
  }
}

function escaped(path: string): string {
  return encodeURI(path).replace(/[!'()*#?]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** The credentials are those for the API, and not passed on. */
function passedOn({ headers, socket }: IncomingMessage, uri: string): IncomingHttpHeaders {
  const dropped = [...ofConnection, ...words(headers.connection), 'authorization']
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.includes(name)))
  const before = headers['x-forwarded-for']
  const client = socket.remoteAddress ?? ''
  return {
    ...kept,
    'x-forwarded-for': before === undefined ? client : `${String(before)}, ${client}`,
    'x-forwarded-uri': uri,
  }
}

interface Sending {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly headers: IncomingHttpHeaders
  readonly request: IncomingMessage
}

/** The head of the answer; rejects with a 503 Status when there is none. */
async function sent(
  { stream, failure }: Dialled,
  { scheme }: ProxyTarget,
  { method, path, search, headers, request }: Sending,
): Promise<IncomingMessage> {
  const options = { method, path: `${path}${search}`, headers, setHost: false }
  const asked =
    scheme === 'https'
      ? // the API server does not verify the certificates of pods
        httpsRequest({
          ...options,
          createConnection: () => connectTls({ socket: stream, rejectUnauthorized: false }),
        })
      : httpRequest({ ...options, createConnection: () => stream })
  // after the first error, which is reported below, another one can follow
  asked.on('error', () => undefined)
  request.pipe(asked)
  try {
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return answer
  } catch (error) {
    const why = await failure()
    throw notReached(
      why ?? (error instanceof Error && error.message !== 'socket hang up' ? error.message : 'EOF'),
    )
  }
}

async function passBack(
  answer: IncomingMessage,
  response: ServerResponse,
  method: string,
  from: ProxiedFrom,
): Promise<void> {
  const { statusCode = 502, headers } = answer
  const dropped = [...ofConnection, ...words(headers.connection)]
  const kept = Object.entries(headers).filter(
    ([name]) => !dropped.includes(name) && !name.startsWith('access-control-'),
  )
  const passed = Object.fromEntries(kept)
  if (headers.location !== undefined)
    response.writeHead(statusCode, { ...passed, location: proxiedUrl(headers.location, from) })
  else if (isHtml(headers) && method !== 'HEAD') {
    const html = Buffer.from(proxiedHtml((await buffer(answer)).toString(), from))
    response.writeHead(statusCode, { ...passed, 'content-length': html.length }).end(html)
    return
  } else response.writeHead(statusCode, passed)
  await pipeline(answer, response)
}

/** Only HTML that is not compressed is rewritten. */
function isHtml({ 'content-type': type = '', 'content-encoding': encoding }: IncomingHttpHeaders): boolean {
  return /^\s*text\/html\s*(;|$)/.test(type) && encoding === undefined
}

function words(header = ''): string[] {
  return header.toLowerCase().split(/\s*,\s*/)
}
