import type { Connection } from '../../packets/flows.js'
import type { Flow, NatFact, Packet } from '../../packets/types.js'
import type { SocketAddress } from '../../net/socketAddress.js'
import { socketText } from '../../net/socketText.js'
import { stepAt, type Journal } from './journal.js'

/** The comment of a packet; undefined if it belongs to no known connection. */
export type CommentOf = (packet: Packet) => string | undefined

/** Packets of one moment may have times that differ by rounding, in seconds. */
const tolerance = 1e-6

/**
 * Comments with the number of the packet's connection, its step and the NAT found: `connection 3: step "…", DNAT on node-a A -> B`.
 * All packets of a connection have the same comment, before and after NAT and in both directions.
 */
export function connectionComments(connections: readonly Connection[], journal: Journal): CommentOf {
  const byTuple = new Map<string, { readonly start: number; readonly comment: string }[]>()
  for (const [index, { flow, start }] of connections.entries()) {
    const entry = { start, comment: commentOf(flow, index + 1, stepAt(journal, start)) }
    for (const key of keysOf(flow)) {
      const known = byTuple.get(key)
      if (known === undefined) byTuple.set(key, [entry])
      else known.push(entry)
    }
  }
  return (packet) => {
    const { protocol, source, destination } = packet.icmp?.quoted ?? packet
    const same = byTuple.get(connectionKey(protocol, source, destination))
    // a port can be used again: the last connection that had started
    return same?.findLast(({ start }) => start <= packet.time + tolerance)?.comment
  }
}

function commentOf(flow: Flow, number: number, step: string | undefined): string {
  const parts = [
    ...(step === undefined ? [] : [`step "${step}"`]),
    ...[...flow.nat, ...flow.replyNat.filter((fact) => !isReversed(fact, flow))].map(natText),
    flow.outcome,
  ]
  return `connection ${number}: ${parts.join(', ')}`
}

function natText({ kind, netns, from, to }: NatFact): string {
  return `${kind} on ${netns} ${socketText(from)} -> ${socketText(to)}`
}

/** Whether a rewrite of the reply only reverses one of the request. */
function isReversed({ netns, from, to }: NatFact, { nat }: Flow): boolean {
  return nat.some((fact) => fact.netns === netns && same(fact.from, to) && same(fact.to, from))
}

function same(a: SocketAddress, b: SocketAddress): boolean {
  return socketText(a) === socketText(b)
}

/** Every pair of addresses that packets of a flow have, in any direction. */
function keysOf(flow: Flow): Set<string> {
  const { protocol } = flow
  const pairs = [flow, ...flow.hops, ...flow.replyHops]
  return new Set(pairs.map(({ source, destination }) => connectionKey(protocol, source, destination)))
}

function connectionKey(protocol: string, source: SocketAddress, destination: SocketAddress): string {
  return [protocol, ...[socketText(source), socketText(destination)].sort()].join(' ')
}
