import { sameSocket, sameTuple, type Sighting } from './sightings.js'
import type { Hop, NatFact } from './types.js'

/** The hops of one packet; `start` is the start time of its flow. */
export function hopsOf(trace: readonly Sighting[], start: number): Hop[] {
  return trace.map((sighting, index) => {
    const { netns, interface: name, direction, packet } = sighting
    const { source, destination, tunnel, icmp } = packet
    const at = packet.time - start
    const hop: Hop = {
      ...{ netns, interface: name, direction, at, source, destination },
      ...(tunnel !== undefined && { tunnel }),
      ...(icmp?.quoted !== undefined && { icmp: { type: icmp.type, code: icmp.code } }),
    }
    const before = trace[index - 1]
    if (before === undefined || sameTuple(before, sighting)) return hop
    const rewritten = {
      ...(sameSocket(before, sighting, 'source') ? {} : { source: before.packet.source }),
      ...(sameSocket(before, sighting, 'destination') ? {} : { destination: before.packet.destination }),
    }
    return { ...hop, rewritten }
  })
}

/**
 * The rewrites between two sightings inside one namespace. In a request the destination is rewritten first (PREROUTING)
 * and the source last (POSTROUTING); in a reply both are reversed in the opposite order.
 */
export function rewritesOf(trace: readonly Sighting[], path: 'request' | 'reply'): NatFact[] {
  return trace.flatMap((sighting, index) => {
    const before = trace[index - 1]
    if (before === undefined || before.netns !== sighting.netns || sameTuple(before, sighting)) return []
    const facts = [fact('DNAT', before, sighting), fact('SNAT', before, sighting)]
    return (path === 'request' ? facts : facts.reverse()).flat()
  })
}

function fact(kind: NatFact['kind'], before: Sighting, after: Sighting): NatFact[] {
  const side = kind === 'DNAT' ? 'destination' : 'source'
  if (sameSocket(before, after, side)) return []
  return [{ kind, netns: after.netns, from: before.packet[side], to: after.packet[side] }]
}
