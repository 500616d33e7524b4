import { socketText } from '../net/socketText.js'
import type { SocketAddress } from '../net/socketAddress.js'
import type { Flow, Hop } from '../packets/types.js'
import { printable } from '../text/printable.js'
import { formatTable } from '../text/table.js'

/** `address:port`, IPv6 in brackets when a port follows (RFC 3986). */
export function formatSocket(socket: SocketAddress): string {
  return printable(socketText(socket))
}

/** The rewrites of a hop: `DNAT`, `SNAT`, and on the return path which of them is reversed. */
export function rewritesOf(hop: Hop, flow: Flow, path: 'request' | 'reply'): string[] {
  const { source, destination } = hop.rewritten ?? {}
  if (path === 'request') return [...(destination ? ['DNAT'] : []), ...(source ? ['SNAT'] : [])]
  // conntrack restores the addresses of the request: its original destination becomes the source of the reply.
  const reverses = (kind: string) => flow.nat.some((fact) => fact.kind === kind)
  return [
    ...(source ? [reverses('DNAT') ? 'DNAT reversed' : 'SNAT'] : []),
    ...(destination ? [reverses('SNAT') ? 'SNAT reversed' : 'DNAT'] : []),
  ]
}

/** The interface of a hop; `eth0/vxlan` where the packet was inside a VXLAN packet. */
export function interfaceOf({ interface: name, tunnel }: Hop): string {
  return printable(tunnel === undefined ? name : `${name}/${tunnel.protocol}`)
}

/** How a flow ended, in words. */
export function outcomeText(flow: Flow): string {
  return flow.outcome === 'unanswered' ? 'no reply' : flow.outcome
}

/** A flow for reports without colour: its addresses and outcome, then one line for each hop. */
export function describeFlow(flow: Flow): string[] {
  const rows = [
    ...flow.hops.map((hop) => row(hop, flow, 'request')),
    ...flow.replyHops.map((hop) => row(hop, flow, 'reply')),
  ]
  const ends = `${formatSocket(flow.source)} → ${formatSocket(flow.destination)}`
  return [
    `${flow.protocol} ${ends}: ${outcomeText(flow)}`,
    ...formatTable(rows).split('\n').slice(0, -1),
    ...(flow.passedOn ?? []).flatMap(({ netns, request, requestId, flow: onward }) => [
      `${printable(netns)} sends ${request.method} ${printable(request.target)} (X-Request-ID ${printable(requestId)})`,
      ...(onward === undefined ? [] : describeFlow(onward)),
    ]),
  ]
}

function row(hop: Hop, flow: Flow, path: 'request' | 'reply'): string[] {
  const ends = `${formatSocket(hop.source)} → ${formatSocket(hop.destination)}`
  return [path, hop.netns, interfaceOf(hop), hop.direction, ends, rewritesOf(hop, flow, path).join(', ')]
}
