import type { Draft } from './drafts.js'
import { tupleOf, type Sighting } from './sightings.js'

/**
 * The flows among `drafts` that were accepted and then reset: the first end that their originator saw, or made, was a
 * RST from the other side. A RST after a FIN is no more than untidy.
 */
export function connectionEnds(ends: readonly Sighting[], drafts: readonly Draft[]): Set<Draft> {
  const byPlace = new Map<string, Sighting[]>()
  for (const end of ends) {
    const key = `${end.netns} ${tupleOf(end.packet)}`
    const list = byPlace.get(key)
    if (list) list.push(end)
    else byPlace.set(key, [end])
  }
  for (const list of byPlace.values())
    list.sort((a, b) => a.packet.time - b.packet.time || a.position - b.position)
  return new Set(drafts.filter((draft) => wasReset(draft, byPlace)))
}

function wasReset(
  { netns, protocol, passes: [first], reply }: Draft,
  byPlace: Map<string, Sighting[]>,
): boolean {
  const opened = first?.[0]
  const accepted = reply?.trace.at(-1)
  if (protocol !== 'tcp' || opened === undefined || accepted === undefined) return false
  if (!reply?.delivered || reply.outcome !== 'answered') return false
  const firstAfter = ({ packet }: Sighting) =>
    byPlace.get(`${netns} ${tupleOf(packet)}`)?.find((end) => end.packet.time >= accepted.packet.time)
  const theirs = firstAfter(accepted)
  const ours = firstAfter(opened)
  if (theirs?.packet.tcp?.rst !== true) return false
  return ours === undefined || theirs.packet.time < ours.packet.time
}
