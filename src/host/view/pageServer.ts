import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { CannotRunError, InputError, isKnownError } from '../../errors.js'
import type { Certificate } from '../../ingress/model.js'
import { joinHostPort } from '../../net/socketText.js'
import { answerTo, type Answers } from './answerTo.js'
import type { Site } from './checkOrigin.js'
import type { EventStreams } from './eventStreams.js'
import { HttpError } from './httpError.js'
import { limitHalfOpen } from './halfOpen.js'
import { createSessions, idleSessionMs, type LinkHolder, type SessionKeeper } from './sessions.js'
import { createTries } from './tries.js'

/** A page, its routes and events, for browsers that have a token. */
export interface PageOptions extends Answers {
  /** An address of this host. */
  readonly address: string
  /** 0 for a free port. */
  readonly port: number
  /** Serves HTTPS: a certificate and its key in PEM. */
  readonly tls?: Certificate | undefined
  /** Names that browsers may use besides addresses and `localhost`; the first one is that of links. */
  readonly names?: readonly string[] | undefined
  /** Who has a link whose token has this hash. */
  readonly links?: LinkHolder | undefined
  /** Where sessions are kept, so that they survive a restart. */
  readonly keeper?: SessionKeeper | undefined
  /** How many browsers may have a session; 64 by default. */
  readonly mostSessions?: number | undefined
  readonly mostConnections?: number | undefined
}

/** A page that is served. */
export interface PageServer {
  /** Without a path. */
  readonly url: string
  /** A URL that opens one session; with a time, only until it has passed. */
  invite(who?: string, validMs?: number): string
  /** Ends the sessions of somebody; what they have open stays open. */
  endSessions(who: string): void
  /** Ends all connections after what was sent; `streams` are the event streams that it ends first. */
  close(streams?: readonly EventStreams[]): Promise<void>
}

/** Limits of connections, in milliseconds. A client that sends a request while an idle connection is closed gets an error. */
const limits = {
  ...{ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 75_000 },
  connectionsCheckingInterval: 2000,
}
const usualConnections = 256

/** How long the last events may take to be sent. */
const endMs = 2000

/** Serves a page until `close`. Throws CannotRunError for a port that is in use, and InputError for an address of another host. */
export async function servePage(options: PageOptions): Promise<PageServer> {
  const { tls, names = [], links, keeper, mostSessions: most } = options
  const sessions = createSessions(Date.now, {
    ...{ ...(links && { links }), ...(most && { most }), ...(keeper && { keeper }) },
  })
  const tries = createTries(Date.now)
  const site: Site = { scheme: tls === undefined ? 'http' : 'https', names }
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    // the browser may have disconnected
    response.on('error', () => response.destroy())
    const { port } = server.address() as AddressInfo
    // browsers send the cookies of one port to all ports
    const cookie = `vethlab-view-${port}`
    const served = { ...options, sessions, tries, site, cookie, idleSessionMs }
    void answerTo(request, response, served).catch((error: unknown) => answerError(request, response, error))
  }
  const more = { ...limits, maxHeaderSize: 16_384 }
  const server =
    tls === undefined
      ? createServer(more, answer)
      : createSecureServer({ ...more, cert: tls.certificate, key: tls.key }, answer)
  server.maxConnections = options.mostConnections ?? usualConnections
  limitHalfOpen(server)
  server.on('clientError', (_, socket) => socket.destroy())
  server.listen(options.port, options.address)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw notListening(options, error)
  })
  const { port } = server.address() as AddressInfo
  const host = names[0] === undefined ? joinHostPort(options.address, port) : `${names[0]}:${port}`
  const url = `${site.scheme}://${host}`
  return {
    url,
    invite: (who = '', validMs) => `${url}/?token=${sessions.invite(who, validMs)}`,
    endSessions: (who) => sessions.end(who),
    async close(streams = []) {
      const closed = once(server, 'close')
      server.close()
      streams.forEach((one) => one.end())
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), endMs)
      await closed
      clearTimeout(timer)
    },
  }
}

function notListening({ address, port }: PageOptions, { code, message }: NodeJS.ErrnoException): Error {
  const where = `port ${port} of ${address}`
  if (code === 'EADDRINUSE') return new CannotRunError(`${where} is in use by another process`, '--port 0')
  if (code === 'EADDRNOTAVAIL')
    return new InputError([{ message: `this host has no address ${address}`, hint: 'see `ip address`' }])
  return new CannotRunError(`cannot listen on ${where}: ${message}`)
}

/** Answers with an error: as JSON, or as text where a person opened the page. */
function answerError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const { status, message, hint } = httpErrorOf(error)
  if (response.headersSent) return void response.destroy()
  // what is left of a large body is not read
  if (!request.complete) response.setHeader('connection', 'close')
  const isPage = !(request.url ?? '').includes('/api/')
  const type = isPage ? 'text/plain; charset=utf-8' : 'application/json'
  const text = hint === undefined ? message : `${message}; ${hint}`
  const body = isPage ? `${text}\n` : JSON.stringify({ error: message, hint })
  response.writeHead(status, { 'content-type': type }).end(body)
}

function httpErrorOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  if (error instanceof InputError) {
    const [first, ...others] = error.problems
    if (first !== undefined && others.length === 0 && first.at === undefined)
      return new HttpError(400, first.message, first.hint)
    return new HttpError(400, error.message)
  }
  if (isKnownError(error)) return new HttpError(503, error.message)
  return new HttpError(500, error instanceof Error ? error.message : String(error))
}

/** Addresses of this host that other hosts may reach, IPv4 first. */
export function hostAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
  const reachable = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80'))
  return reachable.toSorted((a, b) => a.family.localeCompare(b.family)).map(({ address }) => address)
}
