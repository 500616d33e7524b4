import { addressBetween, movedTo, parseNetwork } from '../../net/address.js'
import { familyOf } from '../../net/ipFamily.js'
import type { Range } from '../../netfilter/rules/formats.js'
import type { Target } from '../../netfilter/rules/model.js'
import type { NatRange } from '../../netfilter/rules/targets/nat.js'
import type { TracedSocket } from '../../snapshot/model/packet.js'
import { overlap } from './matchTransport.js'
import { natAddress } from './natAddress.js'
import type { Seen } from './seen.js'

/** A side of a packet, and what NAT makes of it; a port that can be several is a range. */
export interface Translation {
  readonly side: 'source' | 'destination'
  readonly to: TracedSocket
}

/** Targets of the table nat. */
export type NatTarget = Extract<
  Target,
  { readonly kind: 'DNAT' | 'SNAT' | 'MASQUERADE' | 'REDIRECT' | 'NETMAP' }
>

/** How NAT chooses from a range. */
interface Choosing {
  /** `--random` and `--random-fully`: also a port that fits is replaced. */
  readonly random?: true | undefined
  readonly randomFully?: true | undefined
  readonly persistent?: true | undefined
}

/** What a side of the packet becomes (get_unique_tuple of Linux); undefined if an address is not known. */
export function translate(
  seen: Seen,
  masqueradeAddress: () => string | undefined,
  target: NatTarget,
): Translation | undefined {
  const { packet, host, in: incoming, hook } = seen
  switch (target.kind) {
    case 'DNAT':
      return ranged(seen, 'destination', target.toDestination, target)
    case 'SNAT':
      return ranged(seen, 'source', target.toSource, target)
    case 'MASQUERADE':
      return toOwn(seen, 'source', masqueradeAddress(), target)
    case 'REDIRECT': {
      const loopback = packet.family === 'IPv4' ? '127.0.0.1' : '::1'
      const own = host.addresses.find(({ device, family }) => device === incoming && family === packet.family)
      return toOwn(seen, 'destination', incoming === undefined ? loopback : own?.address, target)
    }
    case 'NETMAP': {
      const side = hook === 'prerouting' || hook === 'output' ? 'destination' : 'source'
      const network = parseNetwork(target.to)
      if (network?.family !== packet.family) return undefined
      return { side, to: { ...packet[side], address: movedTo(network, packet[side].address) } }
    }
  }
}

function toOwn(
  seen: Seen,
  side: Translation['side'],
  address: string | undefined,
  { toPorts, ...choosing }: Choosing & { readonly toPorts?: Range | undefined },
): Translation | undefined {
  if (address === undefined) return undefined
  return ranged(
    seen,
    side,
    { addresses: { first: address, last: address }, ...(toPorts && { ports: toPorts }) },
    choosing,
  )
}

function ranged(
  seen: Seen,
  side: Translation['side'],
  range: NatRange,
  choosing: Choosing,
): Translation | undefined {
  const own = seen.packet[side]
  const address = addressIn(seen, side, range, choosing)
  if (address === undefined || familyOf(address) !== familyOf(own.address)) return undefined
  return { side, to: { address, port: own.port && portIn(own.port, side, range, choosing) } }
}

/** Undefined if it depends on a source port that is not known. */
function addressIn(
  { packet, tracked }: Seen,
  side: Translation['side'],
  { addresses, ports }: NatRange,
  choosing: Choosing,
): string | undefined {
  const own = packet[side]
  if (addresses === undefined) return own.address
  const { first, last } = addresses
  if (first === last) return first
  const chosen = natAddress(addresses, {
    ...{ side, source: packet.source.address, destination: packet.destination.address },
    persistent: choosing.persistent === true,
    zone: typeof tracked === 'object' ? (tracked.connection.zone?.id ?? 0) : 0,
  })
  // a source that fits is kept
  if (side === 'destination' || isRandom(choosing) || !addressBetween(own.address, first, last)) return chosen
  const fits = ports === undefined || own.port === undefined ? 'yes' : overlap(ports, own.port)
  if (fits === 'yes') return own.address
  return fits === 'no' || chosen === own.address ? chosen : undefined
}

/** The ports of which one is chosen; a port that fits is kept. */
function portIn(
  own: Range,
  side: Translation['side'],
  { ports, basePort }: NatRange,
  choosing: Choosing,
): Range {
  if (ports === undefined) return side === 'source' && isRandom(choosing) ? sourcePorts(own) : own
  const { first, last } = ports
  if (basePort !== undefined && own.first === own.last) {
    const port = first + (((own.first - basePort) & 0xffff) % (last - first + 1))
    return { first: port, last: port }
  }
  const isKept = basePort === undefined && !isRandom(choosing) && overlap(ports, own) === 'yes'
  return isKept ? own : ports
}

/** NF_NAT_RANGE_PROTO_RANDOM_ALL of Linux. */
function isRandom({ random, randomFully }: Choosing): boolean {
  return random === true || randomFully === true
}

/** The ports from which the kernel chooses a source port (nf_nat_l4proto_unique_tuple of Linux). */
export function sourcePorts(port: Range): Range {
  if (port.last < 512) return { first: 1, last: 511 }
  if (port.last < 1024) return { first: 600, last: 1023 }
  return { first: 1024, last: 65535 }
}
