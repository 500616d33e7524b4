import { joinConnections } from '../../packets/flows.js'
import type { Packet } from '../../packets/types.js'
import { connectionBook } from './connectionBook.js'
import type { LinkedPlace } from './links.js'

/** Comments of packets that are captured now. */
export interface LiveComments {
  add(netns: string, packet: Packet): void
  /** Joins what was added; connections that started up to this time (seconds since the epoch) are known afterwards. */
  join(until: number): void
  /** The comment of a packet; undefined if it belongs to no known connection. */
  commentOf(packet: Packet): string | undefined
}

/** A reply that comes later is a new UDP exchange (nf_conntrack_udp_timeout). */
const keptSeconds = 30
const mostKept = 4_000

/**
 * Comments as in a file of `--pcap`, from the packets so far: their connection and the NAT found. Only the packets that open a
 * connection, answer it or end it are kept, and only for 30 s.
 */
export function liveComments(places: readonly LinkedPlace[]): LiveComments {
  const kept = new Map<string, Packet[]>(places.map(({ netns }) => [netns, []]))
  const book = connectionBook()
  let joinedUntil = -Infinity
  let isNew = false
  return {
    add(netns, packet) {
      const { tcp } = packet
      if (tcp !== undefined && !tcp.syn && !tcp.rst) return
      kept.get(netns)?.push(packet)
      isNew = true
    },
    join(until) {
      if (isNew) {
        const captures = places.map(({ netns, interfaces }) => ({
          netns,
          interfaces,
          packets: kept.get(netns) ?? [],
        }))
        const joined = joinConnections(captures)
        const started = joined.filter(({ start }) => start <= until)
        book.know(started, { newAfter: joinedUntil, goesOn: true })
        isNew = started.length < joined.length
      }
      joinedUntil = until
      forget(kept, until)
    },
    commentOf: book.commentOf,
  }
}

/** Forgets packets that are too old, and the oldest if there are too many. */
function forget(kept: Map<string, Packet[]>, until: number): void {
  const times = [...kept.values()].flatMap((packets) => packets.map(({ time }) => time)).sort((a, b) => a - b)
  const oldest = Math.max(until - keptSeconds, times.at(-mostKept) ?? -Infinity)
  for (const [netns, packets] of kept)
    if (packets.some(({ time }) => time < oldest))
      kept.set(
        netns,
        packets.filter(({ time }) => time >= oldest),
      )
}
