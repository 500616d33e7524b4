import { InputError, type Problem } from '../../errors.js'
import { whileRunning } from '../../host/sandbox/sandbox.js'
import type { StepResult } from '../../results/events.js'
import { changeText } from '../changes/changeText.js'
import { runChange, runWait } from '../changes/runChange.js'
import { createLoads } from '../loads/loads.js'
import { endLoad, runLoad, runStop } from '../loads/runLoad.js'
import { resolveAction } from '../names/resolveStep.js'
import { runRequest } from './runRequest.js'
import type { RunningLab } from '../up/runningLab.js'
import { skippedStep, stepResult, unresolved } from './stepResult.js'
import { contextNow, type BegunStep, type StepRun } from './stepRun.js'
import { isRequest } from '../file/toStep.js'

/** Callbacks while steps run. */
export interface StepListener {
  /** Results of requests that fail have the answer of `why`. */
  readonly explains?: boolean
  /** Awaited before a step acts. */
  before?(step: string, index: number): Promise<void>
  /** Awaited after a step, before the next one. */
  after?(result: StepResult, index: number): Promise<void> | void
  /** Awaited after a request, which can be repeated and evaluated again; not called for commands and changes. */
  again?(result: StepResult, repeat: () => Promise<StepResult>): Promise<void>
}

/**
 * Runs the steps of a running lab in order and evaluates each; one that fails does not stop the next. Loads that no step
 * has stopped are evaluated at the end, each as its own step. Rejects as soon as the lab's sandbox has ended or a tool of vethlab
 * hangs, whatever a step waits for; no listener is called after that.
 */
export async function runSteps(
  running: RunningLab,
  listener: StepListener = {},
): Promise<readonly StepResult[]> {
  const over = new AbortController()
  try {
    return await whileRunning(running.sandbox, runEach(running, listener, over.signal))
  } finally {
    over.abort()
  }
}

async function runEach(
  running: RunningLab,
  listener: StepListener,
  over: AbortSignal,
): Promise<readonly StepResult[]> {
  const { steps } = running.prepared.lab
  const loads = createLoads(running)
  const results: StepResult[] = []
  const report = async (result: StepResult) => {
    over.throwIfAborted()
    results.push(result)
    await listener.after?.(result, results.length - 1)
  }
  for (const [index, written] of steps.entries()) {
    if (written.leftOut !== undefined) {
      await report(skippedStep(written.name, written.leftOut))
      continue
    }
    await listener.before?.(written.name, index)
    loads.enter(written.name)
    running.beginStep(written.name)
    const run: StepRun = {
      ...{ running, loads, written, explains: listener.explains === true },
      next: steps.slice(index + 1).find(({ leftOut }) => leftOut === undefined),
      keepCaptures: listener.again !== undefined,
    }
    const result = await runStep(run)
    await report(result)
    if (isRepeatable(run)) {
      await listener.again?.(result, () => {
        running.disturbed()
        return runStep(run)
      })
    }
  }
  for (const load of loads.running()) await report(await endLoad(running, load))
  return results
}

/** False while a load runs: its requests during the repetition would be evaluated when it ends. */
function isRepeatable({ written: { action }, loads }: StepRun): boolean {
  return isRequest(action) && action.kind !== 'command' && loads.running().length === 0
}

async function runStep(run: StepRun): Promise<StepResult> {
  const startedAt = performance.now()
  const { value: step, problems } = resolveAction(run.written, contextNow(run.running))
  const { action } = step
  const missing = (found: readonly Problem[]) => {
    const described = { action: isRequest(action) ? action.kind : changeText(action), startedAt }
    return stepResult(step, described, unresolved(found))
  }
  if (problems.length > 0) return missing(problems)
  try {
    return await runAction({ ...run, step, startedAt })
  } catch (error) {
    // a pod that is starting or was just removed has a name but no network
    if (error instanceof InputError) return missing(error.problems)
    throw error
  }
}

async function runAction(begun: BegunStep): Promise<StepResult> {
  const { action } = begun.step
  switch (action.kind) {
    case 'change':
      return runChange(begun, action)
    case 'wait':
      return runWait(begun, action)
    case 'load':
      return runLoad(begun, action)
    case 'stop':
      return runStop(begun, action)
    default:
      return runRequest(begun, action)
  }
}
