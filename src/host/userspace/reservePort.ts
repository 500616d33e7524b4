import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import type { PortAddress } from '../../agents/kubeProxy/userspace/orders.js'

/** A port that is bound so that no other process can use it. */
export interface ReservedPort {
  close(): void
}

/**
 * Binds a port so that no other process of the node can use it; mirrors openPort's listeners, which accept no
 * connections. Rejects with the kernel's error if it is taken.
 */
export async function reservePort(protocol: 'tcp' | 'udp', at: PortAddress): Promise<ReservedPort> {
  return protocol === 'tcp' ? reserveTcp(at) : reserveUdp(at)
}

function reserveTcp({ address, port }: PortAddress): Promise<ReservedPort> {
  // connections that bypass the rules get no answer
  const server = createServer({ pauseOnConnect: true }, (socket) => socket.on('error', () => undefined))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: address, port, ipv6Only: address === '::' }, () =>
      resolve({ close: () => void server.close() }),
    )
  })
}

function reserveUdp({ address, port }: PortAddress): Promise<ReservedPort> {
  const type = address.includes(':') ? 'udp6' : 'udp4'
  const socket = createSocket({ type, ipv6Only: type === 'udp6' })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ address, port, exclusive: true }, () => resolve({ close: () => void socket.close() }))
  })
}
