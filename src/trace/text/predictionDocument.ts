import type { TracedPacket } from '../../snapshot/model/packet.js'
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

/** What `vethlab trace --compare --json` prints: the paths in each mode of kube-proxy. */
export function comparisonDocument(
  lab: string,
  from: string,
  { family, protocol, source, destination }: TracedPacket,
  modes: readonly { readonly mode: string; readonly prediction: Prediction }[],
) {
  return {
    ...{ version, lab, from, request: { family, protocol, source, destination } },
    modes: modes.map(({ mode, prediction: { complete, paths } }) => ({ mode, complete, paths })),
  }
}
