import type { Draft } from './drafts.js'
import { tupleOf, type Sighting } from './sightings.js'

/** How accepted connections ended; a RST after a FIN is not reported. */
export interface ConnectionEnds {
  /** The first FIN or RST that the originator received or sent was a RST from the other side. */
  readonly reset: ReadonlySet<Draft>
  /** The first FIN or RST that the server received was a RST. */
  readonly aborted: ReadonlySet<Draft>
}

/** The flows among `drafts` that were accepted and then reset, by the server or by the client. */
export function connectionEnds(ends: readonly Sighting[], drafts: readonly Draft[]): ConnectionEnds {
  const byPlace = new Map<string, Sighting[]>()
  for (const end of ends) {
    const key = `${end.netns} ${tupleOf(end.packet)}`
    const list = byPlace.get(key)
    if (list) list.push(end)
    else byPlace.set(key, [end])
  }
  for (const list of byPlace.values())
    list.sort((a, b) => a.packet.time - b.packet.time || a.position - b.position)
  return {
    reset: new Set(drafts.filter((draft) => wasReset(draft, byPlace))),
    aborted: new Set(drafts.filter((draft) => wasAborted(draft, byPlace))),
  }
}

function wasAborted(
  { protocol, passes, reply }: Draft,
  byPlace: ReadonlyMap<string, readonly Sighting[]>,
): boolean {
  if (protocol !== 'tcp' || reply?.outcome !== 'answered') return false
  const server = reply.trace[0]?.netns
  const arrived = passes
    .map((pass) => pass.at(-1))
    .find((last) => last !== undefined && last.netns === server)
  if (arrived === undefined) return false
  const key = `${arrived.netns} ${tupleOf(arrived.packet)}`
  const end = byPlace.get(key)?.find(({ packet }) => packet.time >= arrived.packet.time)
  return end?.packet.tcp?.rst === true
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
