import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { splitHostPort } from './splitHostPort.js'

/** How long each attempt to reach an endpoint may take, in milliseconds; mirrors EndpointDialTimeouts. */
const dialTimeouts = [250, 500, 1000, 2000]

/** Picks the endpoint (`address:port`) for a client's address; `failed`: the one before did not answer. */
export type PickEndpoint = (client: string, failed: boolean) => string | undefined

/** The socket of one service port. */
export interface PortalSocket {
  /** The port of the node that it listens on. */
  readonly port: number
  /** Stops accepting clients; existing TCP connections continue. */
  close(): void
}

/**
 * Accepts connections, connects each to an endpoint, and copies bytes; mirrors tcpProxySocket. Clients are taken one
 * after the other: an endpoint that is slow to answer holds up those that come later. Without an endpoint a connection
 * is accepted and closed. When either side ends, both do.
 */
export async function openTcpPortal(
  bindAddress: string,
  port: number,
  pick: PickEndpoint,
): Promise<PortalSocket> {
  let turn: Promise<void> = Promise.resolve()
  const server = createServer({ pauseOnConnect: true }, (client) => {
    // a client may go away while it waits
    client.on('error', () => client.destroy())
    turn = turn.then(() => serve(client, pick))
  })
  await listening(server, bindAddress, port)
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() }
}

async function serve(client: Socket, pick: PickEndpoint): Promise<void> {
  const from = client.remoteAddress ?? ''
  for (const [attempt, timeout] of dialTimeouts.entries()) {
    const endpoint = pick(from, attempt > 0)
    if (endpoint === undefined) break
    const backend = await dial(endpoint, timeout)
    if (backend === undefined) continue
    join(client, backend)
    return
  }
  client.destroy()
}

function dial(endpoint: string, timeout: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(splitHostPort(endpoint))
    const give = (result: Socket | undefined) => {
      clearTimeout(timer)
      socket.off('error', failed)
      resolve(result)
    }
    const failed = () => {
      socket.destroy()
      give(undefined)
    }
    const timer = setTimeout(failed, timeout)
    socket.once('connect', () => give(socket))
    socket.on('error', failed)
  })
}

function join(client: Socket, backend: Socket): void {
  const end = () => {
    client.destroy()
    backend.destroy()
  }
  for (const [from, to] of [
    [client, backend],
    [backend, client],
  ] as const) {
    from.on('error', end)
    // data that was read is delivered before both are closed
    from.once('end', () => to.end(end))
    from.once('close', () => to.end(end))
    from.pipe(to, { end: false })
  }
  client.resume()
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, ipv6Only: host === '::' }, () => resolve())
  })
}
