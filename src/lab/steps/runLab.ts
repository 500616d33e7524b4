import { actionTool } from '../../host/actions/index.js'
import { requireTools } from '../../host/environment.js'
import { isKnownError } from '../../errors.js'
import type { LabEvent, LabResult, MachineView, StepResult } from '../../results/events.js'
import { stepFailed } from '../../results/verdict.js'
import { prepareLab, type PreparedLab, type PrepareOptions } from '../plan/prepareLab.js'
import { runSteps } from './runSteps.js'
import { isRequest } from '../file/toStep.js'
import { weaknessNotice } from '../../host/sandbox/weakness.js'
import type { StartOptions } from '../up/startOptions.js'
import type { StartedLab } from '../up/startedLab.js'
import { labSandbox, startLab, toolsOf } from '../up/startLab.js'
import type { StepAction } from '../types.js'

export interface RunOptions extends StartOptions, PrepareOptions {
  readonly onEvent?: ((event: LabEvent) => void) | undefined
  /** Awaited before each step: `--step` waits for Enter there. */
  readonly beforeStep?: ((step: string) => Promise<void>) | undefined
  /** What to do with the lab when its steps are done; closing it by default. */
  readonly afterSteps?: ((started: StartedLab) => Promise<void>) | undefined
}

/**
 * Builds a lab, carries out its steps, judges them and removes everything. A step that fails does not stop the ones
 * after it. Throws InputError for wrong input and CannotRunError where the machine cannot; nothing is left behind.
 */
export async function runLab(nameOrPath: string, options: RunOptions = {}): Promise<LabResult> {
  return runPrepared(prepareLab(nameOrPath, options), options)
}

/** The same for a lab that is prepared already. */
export async function runPrepared(prepared: PreparedLab, options: RunOptions = {}): Promise<LabResult> {
  const { kubeProxy, lab, view } = prepared
  const emit = options.onEvent ?? (() => undefined)
  const start = performance.now()
  requireTools([
    ...toolsOf(prepared, options),
    ...prepared.steps.flatMap(({ action }) => toolOf(action) ?? []),
  ])
  // where no sandbox can be made there is no lab to tell of
  const sandbox = labSandbox(prepared, options)
  const notices = [...prepared.notices, ...weaknessNotice(await sandbox)]
  emit({
    type: 'lab-start',
    lab: lab.name,
    title: lab.title,
    summary: lab.summary,
    steps: lab.steps.length,
  })
  for (const message of notices) emit({ type: 'notice', lab: lab.name, message })

  const steps: StepResult[] = []
  let machine: MachineView | undefined
  let error: string | undefined
  try {
    const started = await startLab(prepared, { ...options, sandbox }).catch(async (thrown: unknown) => {
      await (await sandbox).close()
      throw thrown
    })
    machine = started.machine.view
    try {
      emit({ type: 'lab-up', lab: lab.name, topology: view, durationMs: performance.now() - start })
      await runSteps(started, {
        async before(step, index) {
          await options.beforeStep?.(step)
          emit({ type: 'step-start', lab: lab.name, step, index })
        },
        after(result, index) {
          steps.push(result)
          emit({ type: 'step-end', lab: lab.name, index, result })
        },
      })
      await options.afterSteps?.(started)
    } finally {
      if (options.afterSteps === undefined) await started.close()
    }
  } catch (thrown) {
    options.signal?.throwIfAborted()
    // a tool that died is a failed lab with a report; wrong input and a machine that cannot are the caller's to tell
    if (!isKnownError(thrown) || thrown.exitCode !== 1) throw thrown
    error = thrown.message
  }
  const result: LabResult = {
    lab: lab.name,
    title: lab.title,
    ok: error === undefined && !steps.some(stepFailed),
    durationMs: performance.now() - start,
    ...(kubeProxy.kind === 'none' ? {} : { mode: kubeProxy.mode.name }),
    machine: machine ?? { kernel: '', iptables: '', backend: 'nft', rootless: process.getuid?.() !== 0 },
    topology: view,
    steps,
    notices,
    ...(prepared.claimsLeftOut === 0 ? {} : { claimsLeftOut: prepared.claimsLeftOut }),
    ...(error === undefined ? {} : { error }),
    ...(options.afterSteps === undefined ? {} : { kept: error === undefined }),
  }
  emit({ type: 'lab-end', lab: lab.name, result })
  return result
}

function toolOf(action: StepAction): string | undefined {
  if (action.kind === 'load') return action.request.kind
  return isRequest(action) ? actionTool(action) : undefined
}
