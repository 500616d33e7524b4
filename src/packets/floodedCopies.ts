import type { Sighting } from './sightings.js'
import { direct, stepCost } from './steps.js'

/*
 * A bridge that has not learned the port of an address yet floods a frame to all its ports. Other namespaces receive a
 * copy too, with packet type "otherhost", and drop it.
 */

/** True when `sighting` is a flooded copy of a packet that continued elsewhere. */
export function isFloodedCopy(trace: readonly Sighting[], sighting: Sighting): boolean {
  if (sighting.packet.type !== 'otherhost') return false
  if (trace.some(({ netns }) => netns === sighting.netns)) return false
  return trace.some((earlier) => stepCost(earlier, sighting) === direct && earlier.netns !== sighting.netns)
}

/**
 * If the trace ends with a flooded copy and `sighting` is the actual packet, the number of sightings before the copy;
 * otherwise undefined.
 */
export function afterFloodedCopy(trace: readonly Sighting[], sighting: Sighting): number | undefined {
  const last = trace.at(-1)
  if (last === undefined || last.netns === sighting.netns || sighting.direction !== 'in') return undefined
  const before = trace.findLastIndex(({ netns }) => netns !== last.netns)
  const copy = trace.slice(before + 1)
  if (!copy.every(({ packet, direction }) => packet.type === 'otherhost' && direction === 'in'))
    return undefined
  const origin = trace[before]
  return origin !== undefined && stepCost(origin, sighting) === direct ? before + 1 : undefined
}
