import { sameTuple, tracedSocketText, tupleText } from '../../snapshot/model/packet.js'
import type { TraceState } from '../../snapshot/model/state.js'
import { hostProposal, type Failure } from './asked.js'
import type { Cause } from './types.js'

/** An entry of conntrack from before the rules were what they are: the packet continues it, and no rule of nat is evaluated. */
export function connectionCauses(failure: Failure): Cause[] {
  return failure.path.hops.flatMap(({ place, packet, steps }) => {
    if (packet !== 'request') return []
    const [step] = steps.flatMap((one) =>
      one.kind === 'conntrack' && one.entry !== undefined ? [one.entry] : [],
    )
    if (step === undefined) return []
    const { original, reply } = step
    const edit = (state: TraceState): TraceState => ({
      ...state,
      connections: (state.connections ?? []).filter(
        (one) => one.place !== place || !sameTuple(one.original, original),
      ),
    })
    const { address, port } = original.source
    const argv = `conntrack -D -p udp --orig-src ${address} --orig-port-src ${port?.first ?? ''}`
    const cause: Cause = {
      code: 'stale-conntrack-entry',
      says: `conntrack of ${place} has an entry from earlier packets, ${tupleText(original)} with replies from ${tracedSocketText(reply.source)}: the datagram continues it, and no rule of nat is evaluated`,
      proposals: [hostProposal(failure, place, argv, `conntrack of ${place} has no such entry`, edit)],
    }
    return [cause]
  })
}
