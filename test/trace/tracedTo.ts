import { plannedState } from '../../src/snapshot/fromPlan/plannedState.js'
import { tracedRequest } from '../../src/diagnose/tracedRequest.js'
import type { WrittenRequest } from '../../src/diagnose/writtenRequest.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import type { PrepareOptions } from '../../src/lab/plan/prepareOptions.js'
import { tupleText } from '../../src/snapshot/model/packet.js'
import type { TraceState } from '../../src/snapshot/model/state.js'
import type { Hop, Path, Prediction } from '../../src/trace/model/steps.js'
import { predict } from '../../src/trace/predict.js'
import { firstPacket } from '../../src/trace/request.js'

/** A request in a lab. */
export interface Asked extends Partial<WrittenRequest> {
  readonly lab: string
  readonly from: string
  readonly to: string
  readonly options?: PrepareOptions
  /** Changes the state before the prediction. */
  readonly change?: (state: TraceState) => TraceState
}

/** Predicts a request of a lab. */
export function tracedTo({ lab, from, to, options, protocol = 'tcp', change, ...rest }: Asked): Prediction {
  const prepared = prepareLab(lab, options)
  const state = (change ?? ((same) => same))(plannedState(prepared))
  const request = tracedRequest(prepared, { from, to, protocol, ...rest })
  return predict(state, request.from, firstPacket(state, request))
}

/** `node-a: 1.2.3.4:* → 5.6.7.8:80 ⇒ …` for each host. */
export function hopTexts({ hops }: Path): string[] {
  return hops.map(({ place, before, after }) => {
    const [one, other] = [tupleText(before), tupleText(after)]
    return one === other ? `${place}: ${one}` : `${place}: ${one} ⇒ ${other}`
  })
}

/** The chains of a hop whose rules applied, in order, each once. */
export function chainsHit({ steps }: Hop): string[] {
  return [
    ...new Set(steps.flatMap((step) => (step.kind === 'rule' && step.holds === 'yes' ? [step.chain] : []))),
  ]
}
