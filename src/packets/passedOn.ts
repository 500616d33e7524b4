import type { RequestHead } from './requestHead.js'
import { tupleOf } from './sightings.js'
import type { Capture, Flow, Packet, PassedOn } from './types.js'

/** The header that a proxy passes on: equal on the connection that a request came over and on the one it left by. */
export const requestIdHeader = 'x-request-id'

/** The requests that left these namespaces with an id, in order of time, each with the flow that it went over. */
export function passedOnBy(
  captures: readonly Capture[],
  proxies: ReadonlySet<string>,
  flows: readonly Flow[],
): PassedOn[] {
  const byTuple = new Map(flows.map((flow) => [tupleOf(flow), flow]))
  const passed = captures
    .filter(({ netns }) => proxies.has(netns))
    .flatMap(({ netns, packets }) => sentRequests(packets).map((sent) => ({ netns, ...sent })))
  return passed
    .sort((a, b) => a.packet.time - b.packet.time)
    .map(({ netns, packet, request, requestId }) => {
      const flow = byTuple.get(tupleOf(packet))
      const one = { netns, requestId, request, destination: packet.destination }
      return flow === undefined ? one : { ...one, flow }
    })
}

interface SentRequest {
  readonly packet: Packet
  readonly request: RequestHead
  readonly requestId: string
}

/** A segment that is sent again is no other request. */
function sentRequests(packets: readonly Packet[]): SentRequest[] {
  const seen = new Set<string>()
  return packets.flatMap((packet) => {
    const { type, request, tcp } = packet
    const requestId = request?.headers[requestIdHeader]
    if (type !== 'outgoing' || request === undefined || requestId === undefined) return []
    const segment = `${tupleOf(packet)} ${tcp?.sequence}`
    if (seen.has(segment)) return []
    seen.add(segment)
    return [{ packet, request, requestId }]
  })
}
