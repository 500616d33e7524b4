import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { systemClock, type Clock } from '../../clock.js'
import type { PickEndpoint, PortalSocket } from './tcpPortal.js'
import { splitHostPort } from './splitHostPort.js'

/** Default time that a client's session lasts without a datagram in either direction, in milliseconds. */
const defaultIdleMs = 250

/** The datagrams between one client and its endpoint. */
interface Session {
  readonly backend: Socket
  readonly ready: Promise<void>
  /** Stops its idle timer. */
  endIdle: () => void
}

export interface UdpPortalOptions {
  readonly idleMs?: number
  readonly clock?: Pick<Clock, 'after'>
}

/**
 * Receives datagrams; each client (address and port) has a session with one endpoint until it is idle for a while; then
 * the next datagram goes to the next endpoint. Mirrors udpProxySocket. Closing it ends the sessions as well.
 */
export async function openUdpPortal(
  bindAddress: string,
  port: number,
  pick: PickEndpoint,
  { idleMs = defaultIdleMs, clock = systemClock }: UdpPortalOptions = {},
): Promise<PortalSocket> {
  const type = bindAddress.includes(':') ? 'udp6' : 'udp4'
  const socket = createSocket({ type, ipv6Only: type === 'udp6' })
  const sessions = new Map<string, Session>()

  const end = (client: string) => {
    const session = sessions.get(client)
    if (session === undefined) return
    sessions.delete(client)
    session.endIdle()
    session.backend.close()
  }
  const restart = (client: string, session: Session) => {
    session.endIdle()
    session.endIdle = clock.after(idleMs, () => end(client))
  }
  const open = (client: string, from: RemoteInfo): Session | undefined => {
    const endpoint = pick(from.address, false)
    if (endpoint === undefined) return undefined
    const { host, port: target } = splitHostPort(endpoint)
    const backend = createSocket(type)
    const ready = new Promise<void>((resolve) => backend.connect(target, host, () => resolve()))
    const session: Session = { backend, ready, endIdle: clock.after(idleMs, () => end(client)) }
    backend.on('message', (answer) => {
      restart(client, session)
      socket.send(answer, from.port, from.address)
    })
    // the endpoint is unreachable (ICMP): the datagram is lost, the next one goes to another endpoint
    backend.on('error', () => end(client))
    sessions.set(client, session)
    return session
  }
  socket.on('message', (datagram, from) => {
    const client = `${from.address} ${from.port}`
    const session = sessions.get(client) ?? open(client, from)
    if (session === undefined) return
    restart(client, session)
    void session.ready.then(() => {
      if (sessions.get(client) === session) session.backend.send(datagram)
    })
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ address: bindAddress, port, exclusive: true }, () => {
      socket.off('error', reject)
      socket.on('error', () => undefined)
      resolve()
    })
  })
  return {
    port: socket.address().port,
    close() {
      socket.close()
      for (const client of [...sessions.keys()]) end(client)
    },
  }
}
