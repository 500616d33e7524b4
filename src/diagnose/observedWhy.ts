import type { CallerGot } from '../packets/types.js'
import type { StepWhy } from '../results/stepWhy.js'
import type { TraceState } from '../snapshot/model/state.js'
import { isAnswered } from '../trace/model/isAnswered.js'
import type { Prediction } from '../trace/model/steps.js'
import type { TraceComparison } from '../trace/observed/compare.js'
import { observedHeadline } from './headline.js'
import type { Question } from './question.js'
import { stepWhyOf } from './why/stepWhy.js'
import { whyPredicted } from './why/whyRequest.js'

/** A request that was sent beside its prediction from the state that the kernel had. */
interface SentRequest {
  readonly state: TraceState
  readonly prediction: Prediction
  readonly comparison: TraceComparison
}

/** Why a request that was sent has failed: the cause on the path that it took, or what the caller reports if none is predicted. */
export function observedWhy(
  asked: Question,
  { state, prediction, comparison }: SentRequest,
  got: CallerGot,
): StepWhy | undefined {
  if (got.passed) return undefined
  const { sentence } = observedHeadline(asked, prediction, comparison, got)
  const taken = prediction.paths[comparison.path]
  if (taken === undefined || comparison.differences.length > 0 || isAnswered(taken.end))
    return { sentence, cause: got.error }
  const now: Question = { ...asked, snapshot: { ...asked.snapshot, basis: 'kernel', state } }
  return stepWhyOf(whyPredicted(now, prediction, taken), sentence) ?? { sentence, cause: got.error }
}
