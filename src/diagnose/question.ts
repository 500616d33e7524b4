import type { TracedPacket } from '../snapshot/model/packet.js'
import type { Snapshot } from '../snapshot/model/snapshot.js'
import { firstPacket } from '../trace/request.js'
import { tracedRequest } from './tracedRequest.js'
import type { WrittenRequest } from './writtenRequest.js'

/** A request in a snapshot. */
export interface Question {
  readonly snapshot: Snapshot
  readonly written: WrittenRequest
  /** The namespace that sends it. */
  readonly from: string
  readonly packet: TracedPacket
}

/** The first packet of a request in a snapshot. Throws InputError. */
export function question(snapshot: Snapshot, written: WrittenRequest): Question {
  const request = tracedRequest(snapshot.model, written)
  return { snapshot, written, from: request.from, packet: firstPacket(snapshot.state, request) }
}
