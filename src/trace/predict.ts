import type { TracedPacket } from '../snapshot/model/packet.js'
import type { TraceState } from '../snapshot/model/state.js'
import type { Prediction } from './model/steps.js'
import { everyPath } from './walk/choices.js'
import { prepareState, type PredictDetail } from './walk/prepared.js'
import { walkRequest } from './walk/walkRequest.js'

/** More ends than any lab has; unknown conditions double the number of paths. */
const mostPaths = 4096

/**
 * Predicts every path of a request and its answer from the state alone: a pure function. `from` is the namespace that sends
 * the packet; its source address must be one of that namespace.
 */
export function predict(
  state: TraceState,
  from: string,
  packet: TracedPacket,
  detail: PredictDetail = {},
): Prediction {
  return predictor(state, detail)(from, packet)
}

/** `predict` for many packets in one state. */
export function predictor(
  state: TraceState,
  detail: PredictDetail = {},
): (from: string, packet: TracedPacket) => Prediction {
  const prepared = prepareState(state, detail)
  return (from, packet) => {
    const { results, complete } = everyPath(
      (choices) => walkRequest(prepared, from, packet, choices),
      detail.most ?? mostPaths,
    )
    return { paths: results, complete }
  }
}
