import type { FlowOutcome } from '../../packets/types.js'
import type { Path } from '../../trace/model/steps.js'
import type { PredictedFlow } from '../report/document.js'

/** How a request ends, in one sentence. */
export type ShownEnd = Pick<Path['end'], 'kind' | 'reason'>

/**
 * How a request ends: as predicted, or, where the prediction knows no more, as its packets were captured. A proxy that was not predicted
 * has answered if the caller got an answer.
 */
export function endOf(
  { path: { end, hops }, basis }: PredictedFlow,
  outcome: FlowOutcome | undefined,
): ShownEnd {
  const isCaptured = basis === undefined && outcome === 'answered'
  if (end.kind !== 'untraceable' || !isCaptured) return end
  const caller = hops[0]?.place ?? 'the caller'
  return { kind: 'answered', reason: `${caller} got the answer; not predicted: ${end.reason}` }
}
