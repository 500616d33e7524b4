import { InputError } from '../src/errors.js'
import { isRequest } from '../src/lab/file/toStep.js'
import { placeOf } from '../src/names/placeOf.js'
import { resolveAction } from '../src/lab/names/resolveStep.js'
import { runSteps } from '../src/lab/steps/runSteps.js'
import { contextNow } from '../src/lab/steps/stepRun.js'
import type { Step } from '../src/lab/types.js'
import type { RunningLab } from '../src/lab/up/runningLab.js'
import type { Action, RequestResult } from '../src/results/request.js'
import type { TraceState } from '../src/snapshot/model/state.js'
import { predict } from '../src/trace/predict.js'
import { firstPacket } from '../src/trace/request.js'
import { calledBy } from '../src/diagnose/calledBy.js'
import { readState } from '../src/host/readings.js'
import { startRequestTracer, type RequestTracer } from '../src/lab/trace/observedRequest.js'
import type { ObservedRequest } from '../src/lab/trace/observed.js'
import { tracedRequest } from '../src/diagnose/tracedRequest.js'

/** A request of a lab beside its prediction. */
export interface VerifiedRequest {
  readonly step: string
  /** Counted from 1, of a step that repeats its request. */
  readonly attempt: number
  /** Absent for a request that cannot be predicted. */
  readonly observed?: ObservedRequest | undefined
  /** Why it, or the end of its path, is not predicted. */
  readonly unpredicted?: string | undefined
}

/** At most so many requests of one step: enough that each endpoint is chosen at times. */
const mostRepeats = 4

/**
 * Runs the steps of a lab: its requests are traced and compared with what the current state predicts, its changes are made.
 * Loads are left out. Throws CommandError.
 */
export async function verifyLab(
  running: RunningLab,
  report: (request: VerifiedRequest) => void,
): Promise<void> {
  const { sandbox, prepared, live } = running
  let tracer: RequestTracer | undefined
  let traced = live.state()
  try {
    for (const written of prepared.lab.steps) {
      const { action } = written
      if (written.leftOut !== undefined || action.kind === 'load' || action.kind === 'stop') continue
      if (!isRequest(action) || action.kind === 'command') {
        await runSteps({ ...running, prepared: { ...prepared, lab: { ...prepared.lab, steps: [written] } } })
        continue
      }
      if (tracer === undefined || live.state().topology !== traced.topology) {
        await tracer?.stop()
        traced = live.state()
        tracer = await startRequestTracer(sandbox, traced.topology)
      }
      await verifyStep(running, tracer, written, report)
    }
  } finally {
    await tracer?.stop()
  }
}

async function verifyStep(
  running: RunningLab,
  tracer: RequestTracer,
  written: Step,
  report: (request: VerifiedRequest) => void,
): Promise<void> {
  const { prepared, live, sandbox } = running
  const { value: step, problems } = resolveAction(written, contextNow(running))
  const [problem] = problems
  if (problem !== undefined) return report({ ...nameOf(written), unpredicted: problem.message })
  const now = { ...prepared, ...live.state() }
  const action = step.action as Action
  const from = placeOf(now.names, now.topology.places, step.from ?? '').netns
  const repeat = Math.min(step.repeat, mostRepeats)
  const send = async () => {
    // requests change the lists of session affinity
    const state = await readState(sandbox, now)
    const packetOf = (result: RequestResult) => {
      const request = calledBy(action, result)
      const { sourcePort } = request
      return firstPacket(state, tracedRequest(now, { ...request, from: step.from ?? '', sourcePort }))
    }
    const limit = waits(state, from, packetOf) ? { connectSeconds: 1 } : {}
    const one = 'connectSeconds' in limit ? { ...action, timeoutSeconds: 1 } : action
    return tracer.observe({ state, from, action: one, packetOf, ...limit })
  }
  for (let attempt = 1; attempt <= repeat; attempt++) {
    try {
      let observed = await send()
      // a kube-proxy program writes its rules at any time: what differs for another reason differs again
      if (prepared.kubeProxy.kind === 'binary' && observed.comparison.differences.length > 0)
        observed = await send()
      const { comparison, prediction } = observed
      const end = prediction.paths[comparison.path]?.end
      const unpredicted = end?.kind === 'untraceable' ? end.reason : undefined
      report({ step: written.name, attempt, observed, unpredicted })
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      return report({ step: written.name, attempt, unpredicted: error.problems[0]?.message ?? error.message })
    }
  }
}

function nameOf({ name }: Step): Pick<VerifiedRequest, 'step' | 'attempt'> {
  return { step: name, attempt: 1 }
}

/** Whether every predicted path ends without an answer: the request need not wait long for one. */
function waits(
  state: TraceState,
  from: string,
  packetOf: (result: RequestResult) => ReturnType<typeof firstPacket>,
): boolean {
  const unsent: RequestResult = { outcome: 'failed', exitCode: 0, stdout: '', stderr: '', durationMs: 0 }
  try {
    const { paths } = predict(state, from, packetOf(unsent))
    return paths.every(({ end }) => end.caller === 'timeout')
  } catch (error) {
    if (error instanceof InputError) return false
    throw error
  }
}
