import { socketText } from '../net/socketText.js'
import type { SocketAddress } from '../net/socketAddress.js'
import type { Flow, Hop } from '../packets/types.js'
import { printable } from '../text/printable.js'
import { formatTable } from '../text/table.js'

/** `address:port`, IPv6 in brackets when a port follows (RFC 3986). */
export function formatSocket(socket: SocketAddress): string {
  return printable(socketText(socket))
}

/** What a hop says of its rewrite: `DNAT`, `SNAT`, and on the way back which of them is undone. */
export function rewritesOf(hop: Hop, flow: Flow, way: 'request' | 'reply'): string[] {
  const { source, destination } = hop.rewritten ?? {}
  if (way === 'request') return [...(destination ? ['DNAT'] : []), ...(source ? ['SNAT'] : [])]
  // conntrack restores what the request lost: its old destination is the answer's new source.
  const undoes = (kind: string) => flow.nat.some((fact) => fact.kind === kind)
  return [
    ...(source ? [undoes('DNAT') ? 'DNAT undone' : 'SNAT'] : []),
    ...(destination ? [undoes('SNAT') ? 'SNAT undone' : 'DNAT'] : []),
  ]
}

/** The interface of a hop; `eth0/vxlan` where the packet was inside a tunnel's. */
export function interfaceOf({ interface: name, tunnel }: Hop): string {
  return printable(tunnel === undefined ? name : `${name}/${tunnel.protocol}`)
}

/** How a flow ended, as a person would say it. */
export function outcomeText(flow: Flow): string {
  return flow.outcome === 'unanswered' ? 'no answer came' : flow.outcome
}

/** A flow told in full for reports without colour: its ends and outcome, then every sighting, a line each. */
export function describeFlow(flow: Flow): string[] {
  const rows = [
    ...flow.hops.map((hop) => row('there', hop, flow, 'request')),
    ...flow.replyHops.map((hop) => row('back', hop, flow, 'reply')),
  ]
  const ends = `${formatSocket(flow.source)} → ${formatSocket(flow.destination)}`
  return [
    `${flow.protocol} ${ends}: ${outcomeText(flow)}`,
    ...formatTable(rows).split('\n').slice(0, -1),
    ...(flow.passedOn ?? []).flatMap(({ netns, request, requestId, flow: way }) => [
      `${printable(netns)} asks ${request.method} ${printable(request.target)} (X-Request-ID ${printable(requestId)})`,
      ...(way === undefined ? [] : describeFlow(way)),
    ]),
  ]
}

function row(way: string, hop: Hop, flow: Flow, direction: 'request' | 'reply'): string[] {
  const ends = `${formatSocket(hop.source)} → ${formatSocket(hop.destination)}`
  return [way, hop.netns, interfaceOf(hop), hop.direction, ends, rewritesOf(hop, flow, direction).join(', ')]
}
