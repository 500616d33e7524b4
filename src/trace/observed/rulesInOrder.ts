import type { PacketHeader } from '../../netfilter/trace/header.js'
import type { SeenExchange } from './connection.js'
import type { SeenHop } from './model.js'

/** A rule, or the policy of a base chain, that applied to a packet on a host. */
export interface AppliedRule {
  readonly place: string
  readonly table: string
  readonly chain: string
  readonly spec?: string | undefined
}

/** The rules that applied to a request and to its answer, from host to host, beginning at its sender. */
export function rulesInOrder({ hops }: SeenExchange, from: string): AppliedRule[] {
  return inOrder(hops, from).flatMap(({ place, rules, policies }) => [
    ...rules.map(({ table, chain, spec }) => ({ place, table, chain, spec })),
    ...policies
      .filter(({ policy }) => policy === 'drop')
      .map(({ table, chain }) => ({ place, table, chain, spec: `-P ${chain} DROP` })),
  ])
}

/** Each packet after the one that it continues: messages of different namespaces have no common order. */
function inOrder(hops: SeenExchange['hops'], from: string): SeenHop[] {
  const left = new Map([...hops].map(([place, own]) => [place, [...own]]))
  const ordered: SeenHop[] = []
  let last: SeenHop | undefined
  for (;;) {
    const next = nextHop(left, last, from)
    if (next === undefined) return ordered
    const own = left.get(next.place) ?? []
    own.splice(own.indexOf(next), 1)
    ordered.push(next)
    last = next
  }
}

/** Of what is left: the same packet on the next host, else what the same host does next, else the earliest of any. */
function nextHop(
  left: ReadonlyMap<string, readonly SeenHop[]>,
  last: SeenHop | undefined,
  from: string,
): SeenHop | undefined {
  const all = [...left.values()].flat()
  if (last === undefined) return left.get(from)?.[0] ?? all[0]
  const arrived = all
    .filter(({ in: incoming, before }) => incoming !== undefined && isSame(before, last.after))
    // where addresses do not change, the time to live has the order
    .sort((a, b) => b.before.ttl - a.before.ttl)
  const arrives = last.end === 'left' ? arrived[0] : undefined
  return arrives ?? left.get(last.place)?.[0] ?? all[0]
}

function isSame(a: PacketHeader, b: PacketHeader): boolean {
  const end = ({ address, port }: PacketHeader['source']) => `${address} ${port ?? ''}`
  return end(a.source) === end(b.source) && end(a.destination) === end(b.destination)
}
