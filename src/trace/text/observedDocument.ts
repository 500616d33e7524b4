import type { TracedPacket } from '../../snapshot/model/packet.js'
import type { Prediction } from '../model/steps.js'
import type { TraceComparison } from '../observed/compare.js'
import type { SeenHop } from '../observed/model.js'

/** The version of the document: it changes if a field changes its meaning or is removed. */
const version = 1

/** What `vethlab trace --json` prints of a real request; docs/trace.md describes it. */
export function observedDocument(
  lab: string,
  from: string,
  { family, protocol, source, destination }: TracedPacket,
  outcome: string,
  { paths, complete }: Prediction,
  { path, hops, differences, unseen, relayed }: TraceComparison,
  packet: { readonly request: readonly SeenHop[]; readonly answer: readonly SeenHop[] } | undefined,
) {
  return {
    ...{ version, lab, from, request: { family, protocol, source, destination }, outcome },
    ...{ complete, paths, path: path + 1, observed: hops.map((hop) => hop ?? null), differences },
    ...(unseen === undefined ? {} : { unseen }),
    ...(relayed === undefined ? {} : { relayed: relayed.hops.map((hop) => hop ?? null) }),
    ...(packet === undefined ? {} : { packet }),
  }
}
