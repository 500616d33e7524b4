import type { TracedPacket } from '../../snapshot/model/packet.js'
import type { Why } from './types.js'

/** The version of the document: it changes if a field changes its meaning or is removed. */
const version = 1

/** What `vethlab why --json` prints; docs/trace.md describes it. */
export function whyDocument(
  lab: string,
  from: string,
  { family, protocol, source, destination }: TracedPacket,
  notices: readonly string[],
  { findings, answered, ...why }: Why,
) {
  return {
    ...{ version, lab, from, request: { family, protocol, source, destination }, notices },
    ...why,
    answered: answered.map(({ probability, receiver }) => ({ probability, receiver })),
    findings: findings.map(({ causes, changes, tried, ...finding }) => ({
      ...finding,
      causes: causes.map(({ code, says, object, at }) => ({ code, says, object, at })),
      changes: changes.map(({ proposal: { kind, says, command, ...rest }, share }) => ({
        ...{ kind, says, command, share },
        ...('object' in rest ? { object: rest.object } : {}),
        ...('place' in rest ? { place: rest.place } : {}),
        ...('to' in rest ? { to: rest.to, host: rest.host, protocol: rest.protocol } : {}),
      })),
      tried: tried.map(({ kind, says }) => ({ kind, says })),
    })),
  }
}
