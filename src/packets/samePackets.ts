import { isGroupAddress } from '../net/groupAddress.js'
import { socketKey } from '../net/socketKey.js'
import type { Packet } from './types.js'

/** One packet among those of all places, and what was rewritten since it was first seen. */
export interface SeenAgain {
  /** The same for each sighting of the packet. */
  readonly packet: string
  readonly rewritten: readonly ('source' | 'destination')[]
}

/** A packet may be seen again for this long, in seconds. */
const longestPath = 5
/** More packets are not remembered. */
const mostKnown = 8192

/** Recognizes packets that are seen at several places, whatever NAT rewrites. Call it in order of time. */
export function recognizePackets(): (packet: Packet) => SeenAgain {
  const known = new Map<string, { readonly id: string; readonly first: Packet }>()
  let last = 0
  return (packet) => {
    const key = keyOf(packet)
    const before = known.get(key)
    if (before !== undefined && packet.time - before.first.time <= longestPath)
      return { packet: before.id, rewritten: sides.filter((side) => differs(before.first, packet, side)) }
    const id = String(++last)
    known.delete(key)
    known.set(key, { id, first: packet })
    const [oldest] = known.keys()
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
    return { packet: id, rewritten: [] }
  }
}

const sides = ['source', 'destination'] as const

function differs(a: Packet, b: Packet, side: (typeof sides)[number]): boolean {
  return socketKey(a[side]) !== socketKey(b[side])
}

/** What routing and NAT do not change: TCP sequence numbers, the start of the payload, the IP identification. */
function keyOf({ protocol, identification, tcp, icmp, payload, source, destination }: Packet): string {
  const flags = tcp && [tcp.syn, tcp.ack, tcp.fin, tcp.rst, tcp.psh].map(Number).join('')
  const segment = tcp === undefined ? '' : `${tcp.sequence} ${tcp.acknowledgement} ${flags}`
  const message = icmp === undefined ? '' : `${icmp.type} ${icmp.code} ${icmp.sequence ?? ''}`
  // hosts send equal packets to groups, and nothing rewrites their addresses
  const sender = isGroupAddress(destination.address) ? source.address : ''
  return `${protocol} ${identification} ${segment} ${message} ${sender} ${payload}`
}
