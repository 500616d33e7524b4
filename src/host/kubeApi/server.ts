import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { sendAnswer, statusAnswer } from './answer.js'
import { systemClock, type Clock } from '../../clock.js'
import type { PodAccess } from './pods/access.js'
import type { LogTimes } from './pods/logTimes.js'
import { acceptUpgrade } from './pods/upgrades.js'
import { answerRequest } from './request.js'
import type { Serving } from './serving.js'
import type { Anonymous } from '../../apiserver/authorize.js'
import { badRequest, internalError } from '../../apiserver/status.js'
import type { Certificate } from '../../ingress/model.js'
import { createWatchLines } from './watchLines.js'
import type { Store } from '../../apiserver/store.js'
import type { Writer } from '../../apiserver/write/writer.js'

/** Options of the API server; all but the first two have a default. */
export interface ApiServerOptions {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /** The version that `/version` reports. */
  readonly gitVersion?: string
  /** Seconds between the bookmarks of a watch that allows them. */
  readonly bookmarkSeconds?: number
  /** Bytes that a watch may fall behind before it is closed. */
  readonly maxUnreadBytes?: number
  readonly clock?: Clock
  /** Serves writes, and requires its token; without it the server is read-only and open. */
  readonly writer?: Writer | undefined
  /** What a server with a writer allows without its token. */
  readonly anonymous?: Anonymous
  /** The running containers, for their logs and for commands in them. */
  readonly pods?: PodAccess | undefined
  /** Connects to pods, for requests that the API server passes on. */
  readonly dial?: Serving['dial'] | undefined
  /** When the lines of their logs were written. */
  readonly logTimes?: LogTimes | undefined
  /** Serves HTTPS with this certificate: clients of Kubernetes send a token only over TLS. */
  readonly tls?: Certificate | undefined
}

/** A running API server. */
export interface ApiServer {
  readonly address: string
  readonly port: number
  /** Ends every watch and connection at once, and stops listening. */
  close(): Promise<void>
}

/**
 * Serves the store as the Kubernetes API over HTTP/1.1 or HTTPS: the part that kube-proxy and kubectl use.
 * Rejects when it cannot listen on the port.
 */
export async function startApiServer(store: Store, options: ApiServerOptions): Promise<ApiServer> {
  const {
    gitVersion = 'v1.36.2',
    bookmarkSeconds = 60,
    maxUnreadBytes = 16 * 2 ** 20,
    clock = systemClock,
    writer,
    anonymous = 'public',
    pods,
    dial,
    logTimes,
    tls,
  } = options
  const watches = new Set<() => void>()
  const serving: Serving = {
    store,
    gitVersion,
    bookmarkSeconds,
    maxUnreadBytes,
    line: createWatchLines(),
    clock,
    watches,
    writer,
    anonymous,
    pods,
    dial,
    logTimes,
  }
  // Go's client drops idle connections after 90 s. If the server closed them first, a request could fail.
  const connections = { keepAliveTimeout: 120_000, noDelay: true }
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    // A connection that breaks during a response is not an error of the server.
    response.on('error', () => {})
    handle(serving, request, response).catch(() => response.destroy())
  }
  const server =
    tls === undefined
      ? createServer(connections, answer)
      : createTlsServer({ ...connections, cert: tls.certificate, key: tls.key }, answer)
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    try {
      acceptUpgrade(serving, { request, socket, head })
    } catch (error) {
      const { status } = internalError(error)
      endConnection(socket, `${status.code} ${STATUS_CODES[status.code] ?? 'Error'}`, status)
    }
  })
  server.on('clientError', rejectConnection)
  await listen(server, options)
  const { address, port } = server.address() as AddressInfo
  return { address, port, close: () => close(server, serving) }
}

async function handle(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const answer = await answerRequest(serving, request, response)
    if (answer !== undefined) await sendAnswer(request, response, answer)
  } catch (error) {
    // After a watch has started, no error can be sent.
    if (response.headersSent) response.destroy()
    else await sendAnswer(request, response, statusAnswer(internalError(error).status))
  } finally {
    // An unread body would be parsed as the next request of the connection.
    request.resume()
  }
}

/** Answers input that is not HTTP, or whose head is too long. */
function rejectConnection(
  error: NodeJS.ErrnoException,
  socket: { writable: boolean } & Pick<Socket, 'end' | 'destroy'>,
): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const status = {
    ...badRequest(tooLong ? 'request line and headers are too long' : 'not an HTTP/1.1 request').status,
  }
  const head = tooLong ? '431 Request Header Fields Too Large' : '400 Bad Request'
  endConnection(socket, head, { ...status, code: tooLong ? 431 : 400 })
}

/** Sends a response on a connection without a ServerResponse, and ends it. */
function endConnection(socket: { end(text: string): unknown }, head: string, status: unknown): void {
  const body = JSON.stringify(status)
  socket.end(
    `HTTP/1.1 ${head}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  )
}

function listen(server: Server, { host, port }: ApiServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
}

async function close(server: Server, serving: Serving): Promise<void> {
  const closed = new Promise<void>((resolve) =>
    server.close(() => {
      resolve()
    }),
  )
  for (const stop of [...serving.watches]) stop()
  // The last chunk of each watch is written by the end of this turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
  server.closeAllConnections()
  await closed
}
