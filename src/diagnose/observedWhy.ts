import type { CallerGot } from '../packets/types.js'
import type { TraceState } from '../snapshot/model/state.js'
import { isAnswered } from '../trace/model/isAnswered.js'
import type { Prediction } from '../trace/model/steps.js'
import type { TraceComparison } from '../trace/observed/compare.js'
import type { Question } from './question.js'
import type { Why } from './why/types.js'
import { whyPredicted } from './why/whyRequest.js'

/** A request that was sent beside its prediction from the state that the kernel had. */
interface SentRequest {
  readonly state: TraceState
  readonly prediction: Prediction
  readonly comparison: TraceComparison
}

/** Why a request that was sent has failed: the cause on the path that it took; undefined if none is predicted. */
export function observedWhy(
  asked: Question,
  { state, prediction, comparison }: SentRequest,
  got: CallerGot,
): Why | undefined {
  if (got.passed) return undefined
  const taken = prediction.paths[comparison.path]
  if (taken === undefined || comparison.differences.length > 0 || isAnswered(taken.end)) return undefined
  const now: Question = { ...asked, snapshot: { ...asked.snapshot, basis: 'kernel', state } }
  const why = whyPredicted(now, prediction, taken)
  return why.findings.length === 0 ? undefined : why
}
