import { systemClock } from '../../clock.js'
import { actionTool } from '../../host/actions/index.js'
import { requireTools } from '../../host/environment.js'
import { isKnownError } from '../../errors.js'
import type { LabEvent, LabResult, MachineView, StepResult } from '../../results/events.js'
import { stepFailed } from '../../results/verdict.js'
import { modeOnNodes } from '../../snapshot/model/kubeProxy.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import { needsOf } from './evaluate.js'
import type { RunOptions } from './runOptions.js'
import { runSteps } from './runSteps.js'
import { isRequest } from '../file/toStep.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { limitNotices, sandboxNotices } from '../../host/sandbox/sandboxNotices.js'
import type { RunningLab } from '../up/runningLab.js'
import { toolsOf } from '../up/startLab.js'
import { withRunningLab } from '../up/withRunningLab.js'
import type { StepAction } from '../types.js'

/** How a prepared lab runs. */
export interface RunPreparedOptions extends RunOptions {
  /** Awaited after each step, before its result is reported and the next step begins. */
  readonly afterStep?: ((running: RunningLab, result: StepResult) => Promise<void>) | undefined
  /** Called when the steps are done; the lab is removed when it resolves. */
  readonly afterSteps?: ((running: RunningLab, result: LabResult) => Promise<void>) | undefined
}

/** `runLab` of a prepared lab; `early` is a sandbox that the caller is starting, for `withRunningLab`. */
export async function runPrepared(
  prepared: PreparedLab,
  options: RunPreparedOptions = {},
  early?: Promise<Sandbox>,
): Promise<LabResult> {
  const { kubeProxy, lab, view } = prepared
  const emit = (event: LabEvent) => {
    if (options.signal?.aborted !== true) options.onEvent?.(event)
  }
  const start = performance.now()
  const startedAt = systemClock.now().toISOString()
  requireTools([
    ...toolsOf(prepared, options),
    ...prepared.steps.flatMap(({ action }) => toolOf(action) ?? []),
    ...(isTraced(prepared) ? ['socat'] : []),
  ])
  const steps: StepResult[] = []
  let notices: readonly string[] | undefined
  let started: Sandbox | undefined
  let machine: MachineView | undefined
  let kept: LabResult | undefined
  const end = (error?: string): LabResult => {
    const reached = limitNotices(started?.group?.reached() ?? {})
    for (const message of reached) emit({ type: 'notice', lab: lab.name, message })
    const result: LabResult = {
      lab: lab.name,
      title: lab.title,
      ok: error === undefined && !steps.some(stepFailed),
      file: lab.file,
      startedAt,
      durationMs: performance.now() - start,
      ...(kubeProxy.kind === 'none' ? {} : { mode: kubeProxy.mode.name }),
      machine: machine ?? { kernel: '', iptables: '', backend: 'nft', rootless: process.getuid?.() !== 0 },
      topology: view,
      steps,
      notices: [...(notices ?? []), ...reached],
      ...(prepared.checksSkipped === 0 ? {} : { checksSkipped: prepared.checksSkipped }),
      ...(error === undefined ? {} : { error }),
      ...(options.afterSteps === undefined ? {} : { kept: error === undefined }),
    }
    emit({ type: 'lab-end', lab: lab.name, result })
    return result
  }
  const onSandbox = (sandbox: Sandbox) => {
    started = sandbox
    notices = [...prepared.notices, ...sandboxNotices(sandbox, prepared.lab.directory)]
    const { name, title, summary, file } = lab
    emit({ type: 'lab-start', lab: name, title, summary, file, startedAt, steps: lab.steps.length })
    for (const message of notices) emit({ type: 'notice', lab: name, message })
  }
  /** What fails after a tool hung says nothing about the lab, also where kube-proxy or kubelet try again. */
  const throwIfBroken = () => {
    const broken = started?.cannotRun()
    if (broken !== undefined) throw broken
  }
  try {
    await withRunningLab(prepared, { ...options, early, onSandbox }, async (running) => {
      machine = running.machine.view
      const failed = running.live.failedContainers()
      for (const message of failed) emit({ type: 'notice', lab: lab.name, message })
      notices = [...(notices ?? []), ...failed]
      emit({ type: 'lab-up', lab: lab.name, topology: view, durationMs: performance.now() - start })
      await runSteps(running, {
        explains: true,
        async before(step, index) {
          await options.beforeStep?.(step)
          emit({ type: 'step-start', lab: lab.name, step, index })
        },
        async after(result, index) {
          // what a step observes while its lab is removed is not its result
          options.signal?.throwIfAborted()
          if (stepFailed(result)) throwIfBroken()
          await options.afterStep?.(running, result)
          steps.push(result)
          emit({ type: 'step-end', lab: lab.name, index, result })
        },
      })
      const failing = prepared.steps.length > 0 ? [] : running.live.failedContainers()
      if (options.afterSteps === undefined && failing.length > 0) kept = end(failing.join('\n'))
      if (options.afterSteps === undefined) return
      kept = end()
      await options.afterSteps(running, kept)
    })
  } catch (thrown) {
    options.signal?.throwIfAborted()
    // without a sandbox there is no lab to report; invalid input and a host that cannot run it are the caller's to report
    if (notices === undefined || !isKnownError(thrown) || thrown.exitCode !== 1) throw thrown
    throwIfBroken()
    return kept ?? end(thrown.message)
  }
  return kept ?? end()
}

/** Whether a step needs the counters of rules that have none. */
function isTraced({ kubeProxy, steps }: PreparedLab): boolean {
  return !modeOnNodes(kubeProxy).countsPackets && steps.some((step) => needsOf(step).ruleCounts === true)
}

function toolOf(action: StepAction): string | undefined {
  if (action.kind === 'load') return action.request.kind
  return isRequest(action) ? actionTool(action) : undefined
}
