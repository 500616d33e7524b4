import type { RequestHead } from './requestHead.js'
import { tupleOf } from './sightings.js'
import type { Capture, Flow, Packet, PassedOn } from './types.js'

/** The header that a proxy forwards: it is the same on the incoming and on the outgoing connection. */
export const requestIdHeader = 'x-request-id'

/** The requests with an ID that these namespaces sent, in order of time, each with its flow. */
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

/** Retransmitted segments are ignored. */
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
