import type { Connection } from '../../packets/flows.js'
import type { Flow, NatFact, Packet } from '../../packets/types.js'
import type { SocketAddress } from '../../net/socketAddress.js'
import { socketText } from '../../net/socketText.js'

/** The connections that are known, numbered in the order in which they were added. */
export interface ConnectionBook {
  /** Adds connections, or replaces what is known of them; `step` is the one in which a connection was opened. */
  know(connections: readonly Connection[], options?: KnowOptions): void
  /** The comment of a packet; undefined if it belongs to no known connection. */
  readonly commentOf: (packet: Packet) => string | undefined
}

export interface KnowOptions {
  /** The step that was running at a time, in seconds since the epoch. */
  readonly stepAt?: (seconds: number) => string | undefined
  /** Connections that started at this time or earlier are not added, only updated. */
  readonly newAfter?: number
  /** Whether a connection without a reply can still get one: it is not called unanswered. */
  readonly goesOn?: boolean
}

interface Entry {
  readonly number: number
  readonly start: number
  comment: string
}

/** Packets of one moment may have times that differ by rounding, in seconds. */
const tolerance = 1e-6

/** Pairs of addresses that are remembered; the oldest are forgotten. */
const mostPairs = 100_000

/**
 * Writes comments with the number of the packet's connection, its step and the NAT found: `connection 3: step "…", DNAT on node-a A
 * -> B`. All packets of a connection have the same number, before and after NAT and in both directions.
 */
export function connectionBook(): ConnectionBook {
  const byPair = new Map<string, Entry[]>()
  let count = 0
  const remember = (pair: string, entry: Entry) => {
    const known = byPair.get(pair)
    if (known?.includes(entry) === true) return
    if (known !== undefined) known.push(entry)
    else byPair.set(pair, [entry])
    const [oldest] = byPair.keys()
    if (byPair.size > mostPairs && oldest !== undefined) byPair.delete(oldest)
  }
  const find = (pairs: ReadonlySet<string>, start: number) => {
    for (const pair of pairs)
      for (const entry of byPair.get(pair) ?? []) if (Math.abs(entry.start - start) <= tolerance) return entry
    return undefined
  }
  return {
    know(connections, { stepAt, newAfter = -Infinity, goesOn = false } = {}) {
      for (const { flow, start } of connections) {
        const pairs = pairsOf(flow)
        const known = find(pairs, start)
        if (known === undefined && start <= newAfter) continue
        const entry = known ?? { number: ++count, start, comment: '' }
        entry.comment = commentOf(flow, entry.number, stepAt?.(start), goesOn)
        for (const pair of pairs) remember(pair, entry)
      }
    },
    commentOf(packet) {
      const { protocol, source, destination } = packet.icmp?.quoted ?? packet
      const same = byPair.get(pairKey(protocol, source, destination))
      // a port can be used again: the last connection that had started
      return same?.findLast(({ start }) => start <= packet.time + tolerance)?.comment
    },
  }
}

function commentOf(flow: Flow, number: number, step: string | undefined, goesOn: boolean): string {
  const parts = [
    ...(step === undefined ? [] : [`step "${step}"`]),
    ...[...flow.nat, ...flow.replyNat.filter((fact) => !isReversed(fact, flow))].map(natText),
    ...(goesOn && flow.outcome === 'unanswered' ? [] : [flow.outcome]),
  ]
  return [`connection ${number}:`, parts.join(', ')].join(' ').trimEnd()
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
function pairsOf(flow: Flow): Set<string> {
  const { protocol } = flow
  const pairs = [flow, ...flow.hops, ...flow.replyHops]
  return new Set(pairs.map(({ source, destination }) => pairKey(protocol, source, destination)))
}

function pairKey(protocol: string, source: SocketAddress, destination: SocketAddress): string {
  return [protocol, ...[socketText(source), socketText(destination)].sort()].join(' ')
}
