import { question } from '../diagnose/question.js'
import { planSnapshot, type PredictOptions } from '../lab/plan/planSnapshot.js'
import type { WrittenRequest } from '../diagnose/writtenRequest.js'
import type { Why } from '../diagnose/why/types.js'
import { whyRequest } from '../diagnose/why/whyRequest.js'
import type { TracedPacket } from '../snapshot/model/packet.js'
import type { TraceState } from '../snapshot/model/state.js'
import { predict } from '../trace/predict.js'
import type { Prediction } from '../trace/model/steps.js'

/** A request as a user writes it; the protocol is TCP by default. */
export type RequestToPredict = Omit<WrittenRequest, 'protocol'> & Partial<Pick<WrittenRequest, 'protocol'>>

/** What `predict` needs for a request of a lab. */
export interface Predictable {
  /** Can be changed before the prediction: it is a plain value. */
  readonly state: TraceState
  /** The network namespace that sends the packet. */
  readonly from: string
  readonly packet: TracedPacket
}

/**
 * The state of a lab or exercise when it has started, and the first packet of a request, from its files alone. Throws
 * InputError.
 */
export function toPredict(lab: string, request: RequestToPredict, options: PredictOptions = {}): Predictable {
  const { snapshot, from, packet } = question(planSnapshot(lab, options), { protocol: 'tcp', ...request })
  return { state: snapshot.state, from, packet }
}

/** Every path of a request of a lab, without root and without a packet. Throws InputError. */
export function predictRequest(
  lab: string,
  request: RequestToPredict,
  options: PredictOptions = {},
): Prediction {
  const { state, from, packet } = toPredict(lab, request, options)
  return predict(state, from, packet)
}

/** Why a request of a lab fails or passes, with changes that were checked by prediction. Throws InputError. */
export function why(lab: string, request: RequestToPredict, options: PredictOptions = {}): Why {
  return whyRequest(planSnapshot(lab, options), { protocol: 'tcp', ...request })
}
