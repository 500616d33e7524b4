import { InputError } from '../../errors.js'
import { calledBy } from '../../diagnose/calledBy.js'
import { headline } from '../../diagnose/headline.js'
import { question } from '../../diagnose/question.js'
import { whyRequest } from '../../diagnose/why/whyRequest.js'
import { stepWhyOf } from '../../diagnose/why/stepWhy.js'
import { readSnapshot } from '../../host/readings.js'
import type { Action, RequestResult } from '../../results/request.js'
import type { StepWhy } from '../../results/stepWhy.js'
import type { RunningLab } from '../up/runningLab.js'

/** A request of a step, and the place that sent it, as the step names it. */
export interface FailedRequest {
  readonly from: string
  readonly action: Action
  readonly request: RequestResult
}

/**
 * Why a request fails, predicted from what the kernel has now. Undefined for a request whose address is not known, such as that of
 * a command. Throws CommandError and CannotRunError.
 */
export async function whyFailed(
  { model, sandbox }: Pick<RunningLab, 'model' | 'sandbox'>,
  { from, action, request }: FailedRequest,
): Promise<StepWhy | undefined> {
  try {
    const written = { from, ...calledBy(action, request) }
    const snapshot = await readSnapshot(sandbox, model())
    const why = whyRequest(snapshot, written)
    const { sentence } = headline(question(snapshot, written), why)
    const isAnswered = request.outcome === 'answered'
    const [finding] = why.findings
    if (finding === undefined)
      return { sentence: isAnswered ? sentence : `predicted to pass if it is sent now: ${sentence}` }
    // the reason is in what was answered, not in what would fail now
    if (isAnswered && why.outcome === 'fails' && finding.end.http === undefined) return undefined
    return stepWhyOf(why, sentence)
  } catch (error) {
    if (error instanceof InputError) return undefined
    throw error
  }
}
