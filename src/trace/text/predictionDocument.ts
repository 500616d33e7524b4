import type { TracedPacket } from '../model/packet.js'
import type { Prediction } from '../model/steps.js'

/** The version of the document: it changes if a field changes its meaning or is removed. */
const version = 1

/** What `vethlab trace --json` prints; docs/trace.md describes it. */
export function predictionDocument(
  lab: string,
  from: string,
  { family, protocol, source, destination }: TracedPacket,
  { paths, complete }: Prediction,
) {
  return { version, lab, from, request: { family, protocol, source, destination }, complete, paths }
}
