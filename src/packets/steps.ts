import type { Sighting } from './sightings.js'

/** Longest that a packet may stay between two sightings, in seconds: a neighbour is asked for three times, a second each. */
const longestStay = 5

/**
 * How unlikely it is that a packet seen at `from` is next seen at `to`; undefined when it cannot be.
 * A packet leaves a namespace before it enters another, loses TTL when routed, and is rewritten inside a namespace only.
 */
export function stepCost(from: Sighting, to: Sighting): number | undefined {
  const lost = from.packet.ttl - to.packet.ttl
  if (lost < 0 || to.packet.time - from.packet.time > longestStay) return undefined
  return from.netns === to.netns ? costInside(from, to, lost) : costBetween(from, to, lost)
}

function costInside(from: Sighting, to: Sighting, lost: number): number | undefined {
  if (to.position <= from.position && to.capture === from.capture) return undefined
  const rewrites = countRewrites(from, to)
  const sameInterface = from.interface === to.interface
  if (from.direction === to.direction) {
    // A bridge and its port both see a packet; the same interface sees it once.
    return sameInterface || lost > 0 ? undefined : rewrites
  }
  if (from.direction === 'in') return lost > 1 ? undefined : rewrites
  // Out and in again: over loopback, or by way of a namespace that is not captured.
  return sameInterface && from.interface === 'lo' && lost === 0 && rewrites === 0 ? 0 : unseen + rewrites
}

/** From one end of a link to the other; more than zero, for a bridge and its port come first in the same moment. */
export const direct = 0.5

/** Added where a namespace that is not captured must lie between. */
const unseen = 10

function costBetween(from: Sighting, to: Sighting, lost: number): number | undefined {
  if (from.direction !== 'out' || to.direction !== 'in') return undefined
  const rewrites = countRewrites(from, to)
  if (lost === 0 && rewrites === 0) return direct
  // Only a router that is not captured takes TTL and rewrites on the way.
  return lost === 0 ? undefined : unseen + rewrites
}

function countRewrites(from: Sighting, to: Sighting): number {
  if (from.tuple === to.tuple) return 0
  return (sameSocket(from, to, 'source') ? 0 : 1) + (sameSocket(from, to, 'destination') ? 0 : 1)
}

/** True when both sightings have the same source, or the same destination. */
export function sameSocket(a: Sighting, b: Sighting, side: 'source' | 'destination'): boolean {
  const one = a.packet[side]
  const other = b.packet[side]
  return one.address === other.address && one.port === other.port
}
