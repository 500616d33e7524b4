import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CannotRunError, InputError, isKnownError } from '../../errors.js'
import { joinHostPort } from '../../net/socketText.js'
import { answerTo, type Answers } from './answerTo.js'
import { createEventStreams, type ServerEvent } from './eventStreams.js'
import { HttpError } from './httpError.js'
import { createSessions, idleSessionMs } from './sessions.js'

/** A page, its routes and events, for browsers that have a token. */
export interface PageOptions extends Answers {
  /** An address of this host. */
  readonly address: string
  /** 0 for a free port. */
  readonly port: number
}

/** A page that is served. */
export interface PageServer {
  /** A URL that opens one session; with a time, only until it has passed. */
  invite(validMs?: number): string
  /** Sends an event to all browsers. */
  emit(event: ServerEvent): void
  /** How many browsers follow the events. */
  readonly followers: number
  /** Ends all connections after what was sent. */
  close(): Promise<void>
}

/** Limits of connections, in milliseconds. */
const limits = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 10_000 }
const mostConnections = 256

/** How long the last events may take to be sent. */
const endMs = 2000

/** Serves a page until `close`. Throws CannotRunError for a port that is in use, and InputError for an address of another host. */
export async function servePage(options: PageOptions): Promise<PageServer> {
  const sessions = createSessions(Date.now)
  const streams = createEventStreams()
  const server = createServer({ ...limits, maxHeaderSize: 16_384 }, (request, response) => {
    // the browser may have disconnected
    response.on('error', () => response.destroy())
    const { port } = server.address() as AddressInfo
    // browsers send the cookies of one port to all ports
    const cookie = `vethlab-view-${port}`
    void answerTo(request, response, { ...options, sessions, streams, cookie, idleSessionMs }).catch(
      (error: unknown) => answerError(request, response, error),
    )
  })
  server.maxConnections = mostConnections
  server.on('clientError', (_, socket) => socket.destroy())
  server.listen(options.port, options.address)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw notListening(options, error)
  })
  const { port } = server.address() as AddressInfo
  return {
    invite: (validMs) => `http://${joinHostPort(options.address, port)}/?token=${sessions.invite(validMs)}`,
    emit: (event) => streams.send(event),
    get followers() {
      return streams.count
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      streams.end()
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
  const isPage = !(request.url ?? '').startsWith('/api/')
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
