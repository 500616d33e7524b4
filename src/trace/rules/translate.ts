import { familyOf } from '../../net/ipFamily.js'
import type { Range } from '../../netfilter/rules/formats.js'
import type { Target } from '../../netfilter/rules/model.js'
import type { NatRange } from '../../netfilter/rules/targets/nat.js'
import type { TracedSocket } from '../../snapshot/model/packet.js'
import type { Seen } from './seen.js'

/** A side of a packet, and what NAT makes of it. */
export interface Translation {
  readonly side: 'source' | 'destination'
  readonly to: TracedSocket
}

/** Targets of the table nat. */
export type NatTarget = Extract<Target, { readonly kind: 'DNAT' | 'SNAT' | 'MASQUERADE' | 'REDIRECT' }>

/** What a side of the packet becomes; undefined if an address is not known, or can be several. */
export function translate(
  { packet, host, in: incoming }: Seen,
  masqueradeAddress: () => string | undefined,
  target: NatTarget,
): Translation | undefined {
  const { source, destination } = packet
  switch (target.kind) {
    case 'DNAT':
      return withSide('destination', ranged(target.toDestination, destination))
    case 'SNAT':
      return withSide('source', ranged(target.toSource, source, target.randomFully === true))
    case 'MASQUERADE': {
      const address = masqueradeAddress()
      const isRandom = target.randomFully === true || target.random === true
      const port = target.toPorts ?? (isRandom ? sourcePorts(source.port) : source.port)
      return address === undefined ? undefined : { side: 'source', to: { address, port } }
    }
    case 'REDIRECT': {
      const loopback = packet.family === 'IPv4' ? '127.0.0.1' : '::1'
      const own = host.addresses.find(({ device, family }) => device === incoming && family === packet.family)
      const address = incoming === undefined ? loopback : own?.address
      return address === undefined
        ? undefined
        : { side: 'destination', to: { address, port: target.toPorts ?? destination.port } }
    }
  }
}

function withSide(side: Translation['side'], to: TracedSocket | undefined): Translation | undefined {
  return to && { side, to }
}

function ranged(
  { addresses, ports, basePort }: NatRange,
  socket: TracedSocket,
  isRandom = false,
): TracedSocket | undefined {
  if ((addresses && addresses.first !== addresses.last) || basePort !== undefined) return undefined
  const address = addresses?.first ?? socket.address
  if (familyOf(address) !== familyOf(socket.address)) return undefined
  const kept = isRandom ? sourcePorts(socket.port) : socket.port
  return { address, port: socket.port === undefined ? undefined : (ports ?? kept) }
}

/** The ports from which the kernel chooses a random source port (nf_nat_l4proto_unique_tuple of Linux). */
export function sourcePorts(port: Range | undefined): Range | undefined {
  if (port === undefined) return undefined
  if (port.last < 512) return { first: 1, last: 511 }
  if (port.last < 1024) return { first: 600, last: 1023 }
  return { first: 1024, last: 65535 }
}
