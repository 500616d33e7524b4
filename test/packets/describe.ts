import { socketText } from '../../src/net/socketText.js'
import type { SocketAddress } from '../../src/net/socketAddress.js'
import type { Flow, Hop, NatFact } from '../../src/packets/types.js'

/** One sighting: `node-a eth0 in 172.18.0.100:4711 → 172.18.0.2:30080`, followed by the original addresses. */
export function describeHop(hop: Hop): string {
  const { source, destination } = hop.rewritten ?? {}
  const was = [
    ...(source ? [`source was ${socketText(source)}`] : []),
    ...(destination ? [`destination was ${socketText(destination)}`] : []),
  ]
  const sighting = `${hop.netns} ${hop.interface} ${hop.direction} ${arrow(hop.source, hop.destination)}`
  return was.length === 0 ? sighting : `${sighting} (${was.join(', ')})`
}

/** One rewrite: `DNAT at node-a: 172.18.0.2:30080 → 10.244.0.5:80`. */
export function describeNat(fact: NatFact): string {
  return `${fact.kind} at ${fact.netns}: ${arrow(fact.from, fact.to)}`
}

/** One flow: protocol, addresses, namespaces, outcome and rewrites. */
export function describeFlow(flow: Flow): string {
  const places = flow.hops.map((hop) => hop.netns).filter((netns, index, all) => netns !== all[index - 1])
  const path = places.length === 0 ? '' : ` by ${places.join(', ')}`
  const nat = flow.nat.length === 0 ? '' : `; ${flow.nat.map(describeNat).join('; ')}`
  return `${flow.protocol} ${arrow(flow.source, flow.destination)}${path}: ${flow.outcome}${nat}`
}

function arrow(from: SocketAddress, to: SocketAddress): string {
  return `${socketText(from)} → ${socketText(to)}`
}
