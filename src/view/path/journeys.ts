import { groupBy } from '../../groupBy.js'
import { isGroupAddress } from '../../net/groupAddress.js'
import type { LivePacket } from '../live/api.js'
import type { Layout } from './layout.js'
import { drawVisits, type BoxOf, type Point, type Rewritten, type Visit } from './route.js'

/** A captured packet on its way through the drawing. */
export interface Journey {
  /** As in LivePacket. */
  readonly packet: string
  /** The way from host to host; at least one. */
  readonly legs: readonly Leg[]
}

/** The way from one host to the next. */
export interface Leg {
  readonly line: readonly Point[]
  /** What was rewritten of the packet before it. */
  readonly rewritten: Rewritten
}

/** Names the network namespace of the node of a pod; undefined for other places. */
export type NodeOf = (netns: string) => string | undefined

interface Stop extends Visit {
  readonly rewritten: Rewritten
}

/**
 * The ways of packets, in the order in which the first sighting of each was captured. A packet that was seen at one place only
 * has none, nor has one to a group of hosts. Between a pod and another place stands its node, whose bridge is not captured.
 */
export function journeysOf(
  packets: readonly LivePacket[],
  nodeOf: NodeOf,
  layout: Layout,
  boxOf: BoxOf,
): Journey[] {
  const toOne = packets.filter(({ destination }) => !isGroupAddress(destination.address))
  return [...groupBy(toOne, ({ packet }) => packet)].flatMap(([packet, seen]) => {
    const stops = stopsOf(seen, nodeOf)
    const legs = drawVisits(stops, layout, boxOf).flatMap(({ line }, index): Leg[] =>
      line.length === 0 ? [] : [{ line, rewritten: stops[index]?.rewritten ?? 'none' }],
    )
    return legs.length === 0 ? [] : [{ packet, legs }]
  })
}

function stopsOf(seen: readonly LivePacket[], nodeOf: NodeOf): Stop[] {
  const stops: Stop[] = []
  for (const one of seen) {
    const { netns } = one
    const before = stops.at(-1)?.place
    if (before === netns) continue
    const stop = { direction: laneOf(one), rewritten: rewrittenOf(one) }
    if (before !== undefined)
      for (const node of new Set([nodeOf(before), nodeOf(netns)]))
        if (node !== undefined && node !== before && node !== netns) stops.push({ ...stop, place: node })
    stops.push({ ...stop, place: netns })
  }
  return stops
}

/** Both directions of a connection have a line of their own: servers have the lower port. */
function laneOf({ source, destination }: LivePacket): Visit['direction'] {
  return (source.port ?? 0) < (destination.port ?? 0) ? 'answer' : 'request'
}

function rewrittenOf({ rewritten }: LivePacket): Rewritten {
  const [first, second] = rewritten
  return second === undefined ? (first ?? 'none') : 'both'
}
