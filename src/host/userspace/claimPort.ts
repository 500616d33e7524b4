import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import type { PortClaim } from '../../proxy/userspace/orders.js'

/** A port that is kept from others. */
export interface ClaimedPort {
  close(): void
}

/**
 * Holds a port so that no other process of the node can have it; mirrors openPort's listeners, which nobody accepts
 * from. Rejects with the kernel's error where it is taken.
 */
export async function claimPort(protocol: 'tcp' | 'udp', at: PortClaim): Promise<ClaimedPort> {
  return protocol === 'tcp' ? claimTcp(at) : claimUdp(at)
}

function claimTcp({ address, port }: PortClaim): Promise<ClaimedPort> {
  // who gets here past the rules hears nothing
  const server = createServer({ pauseOnConnect: true }, (socket) => socket.on('error', () => undefined))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: address, port, ipv6Only: address === '::' }, () =>
      resolve({ close: () => void server.close() }),
    )
  })
}

function claimUdp({ address, port }: PortClaim): Promise<ClaimedPort> {
  const type = address.includes(':') ? 'udp6' : 'udp4'
  const socket = createSocket({ type, ipv6Only: type === 'udp6' })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ address, port, exclusive: true }, () => resolve({ close: () => void socket.close() }))
  })
}
