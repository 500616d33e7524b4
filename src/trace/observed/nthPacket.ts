import type { PacketHeader } from '../../netfilter/trace/header.js'
import type { SeenExchange } from './connection.js'
import type { SeenHop } from './model.js'

/** One packet of a connection on every host that it passes, in this order. */
export type SeenPacket = readonly SeenHop[]

/**
 * The packet with this number, from 1, that the caller sends, and the one with the same number that it gets; empty if there is
 * none. Retransmissions count as one.
 */
export function nthPacket(
  all: ReadonlyMap<string, readonly SeenHop[]>,
  from: string,
  { holds }: Pick<SeenExchange, 'holds'>,
  number: number,
): { readonly request: SeenPacket; readonly answer: SeenPacket } {
  const own = (all.get(from) ?? []).filter(({ before }) => holds(before))
  const caller = own.find(({ in: incoming }) => incoming === undefined)?.before.source
  const isSent = ({ before }: SeenHop) =>
    before.source.address === caller?.address && before.source.port === caller?.port
  const nth = (hops: readonly SeenHop[]) =>
    [...new Map(hops.map((hop) => [identityOf(hop.before), hop])).keys()][number - 1]
  const sent = nth(own.filter((hop) => hop.in === undefined && isSent(hop)))
  const got = nth(
    own.filter(({ end, after }) => end === 'delivered' && after.destination.port === caller?.port),
  )
  const everywhere = (identity: string | undefined) =>
    [...all.values()]
      .flat()
      .filter(({ before }) => holds(before) && identityOf(before) === identity)
      .sort((a, b) => b.before.ttl - a.before.ttl || rank(a) - rank(b))
  return { request: everywhere(sent), answer: everywhere(got) }
}

/** Every router subtracts one from the time to live; a bridge does not. */
function rank({ in: incoming, end }: SeenHop): number {
  if (incoming === undefined) return 0
  return end === 'delivered' ? 2 : 1
}

/** What differs between the packets of one connection, and no host changes. */
function identityOf({ tcp, icmp, identification }: PacketHeader): string {
  if (tcp !== undefined) return `${tcp.sequence} ${tcp.syn} ${tcp.ack} ${tcp.rst} ${identification ?? ''}`
  return `${icmp?.type ?? ''} ${identification ?? ''}`
}
