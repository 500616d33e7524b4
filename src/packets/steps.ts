import { sameSocket, type Sighting } from './sightings.js'

/** Maximum seconds between two sightings: neighbour resolution sends three requests, one second apart. */
const longestStay = 5

/** Added if a namespace that is not captured must be between. */
const unseen = 10

/**
 * How unlikely it is that a packet seen at `from` is next seen at `to`; undefined if this is impossible.
 * A packet leaves a namespace before it enters another, loses TTL when routed, and is rewritten only inside a namespace.
 */
export function stepCost(from: Sighting, to: Sighting): number | undefined {
  const lost = from.packet.ttl - to.packet.ttl
  if (lost < 0 || to.packet.time - from.packet.time > longestStay) return undefined
  return from.netns === to.netns ? costInside(from, to, lost) : costBetween(from, to, lost)
}

/** True when a namespace that is not captured must be between two steps of a packet. */
export function isPastUnseen(from: Sighting, to: Sighting): boolean {
  return (stepCost(from, to) ?? 0) >= unseen
}

function costInside(from: Sighting, to: Sighting, lost: number): number | undefined {
  if (to.position <= from.position && to.capture === from.capture) return undefined
  const rewrites = countRewrites(from, to)
  const sameInterface = from.interface === to.interface
  // A packet is captured on a bridge and on its port, but only once on each interface.
  if (from.direction === to.direction && (sameInterface || lost > 0)) return undefined
  // Between the two a bridged packet passes PREROUTING (in) or POSTROUTING (out).
  if (from.direction === 'out' && to.direction === 'out') {
    return sameSocket(from, to, 'destination') ? rewrites : undefined
  }
  if (from.direction === 'in' && to.direction === 'in') {
    return sameSocket(from, to, 'source') ? rewrites : undefined
  }
  if (from.direction === 'in') return lost > 1 ? undefined : rewrites
  // Out and in again: over loopback, or through a namespace that is not captured.
  return sameInterface && from.interface === 'lo' && lost === 0 && rewrites === 0 ? 0 : unseen + rewrites
}

/** From one end of a link to the other; more than zero, because at the same time a bridge and its port come first. */
export const direct = 0.5

function costBetween(from: Sighting, to: Sighting, lost: number): number | undefined {
  if (from.direction !== 'out' || to.direction !== 'in') return undefined
  const rewrites = countRewrites(from, to)
  if (lost === 0 && rewrites === 0) return direct
  // Only a router that is not captured decrements the TTL and rewrites in between.
  return lost === 0 ? undefined : unseen + rewrites
}

function countRewrites(from: Sighting, to: Sighting): number {
  return (sameSocket(from, to, 'source') ? 0 : 1) + (sameSocket(from, to, 'destination') ? 0 : 1)
}
