import { sameSocket, type Sighting } from './sightings.js'

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
  // A bridge and its port both see a packet; the same interface sees it once.
  if (from.direction === to.direction && (sameInterface || lost > 0)) return undefined
  // Between the two a bridged packet passes PREROUTING on its way in, POSTROUTING on its way out.
  if (from.direction === 'out' && to.direction === 'out') {
    return sameSocket(from, to, 'destination') ? rewrites : undefined
  }
  if (from.direction === 'in' && to.direction === 'in') {
    return sameSocket(from, to, 'source') ? rewrites : undefined
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
  return (sameSocket(from, to, 'source') ? 0 : 1) + (sameSocket(from, to, 'destination') ? 0 : 1)
}
