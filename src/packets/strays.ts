import type { Sighting } from './sightings.js'
import { direct, stepCost } from './steps.js'

/*
 * A bridge that has not learned yet where an address is sends a frame out of all its ports. The namespaces that it was
 * not meant for see it too, as for another host, and drop it.
 */

/** True when `sighting` is such a copy of a packet that went on elsewhere. */
export function isStray(trace: readonly Sighting[], sighting: Sighting): boolean {
  if (sighting.packet.type !== 'otherhost') return false
  if (trace.some(({ netns }) => netns === sighting.netns)) return false
  return trace.some((earlier) => stepCost(earlier, sighting) === direct && earlier.netns !== sighting.netns)
}

/**
 * When the end of a trace is such a copy and `sighting` is the real thing, how many sightings came before the copy;
 * undefined otherwise.
 */
export function afterStray(trace: readonly Sighting[], sighting: Sighting): number | undefined {
  const last = trace.at(-1)
  if (last === undefined || last.netns === sighting.netns || sighting.direction !== 'in') return undefined
  const before = trace.findLastIndex(({ netns }) => netns !== last.netns)
  const copy = trace.slice(before + 1)
  if (!copy.every(({ packet, direction }) => packet.type === 'otherhost' && direction === 'in'))
    return undefined
  const origin = trace[before]
  return origin !== undefined && stepCost(origin, sighting) === direct ? before + 1 : undefined
}
