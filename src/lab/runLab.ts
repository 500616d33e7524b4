import { actionArguments, actionTool } from '../host/actions/index.js'
import { requireTools } from '../host/environment.js'
import { startSandbox } from '../host/sandbox.js'
import { isKnownError } from '../errors.js'
import { tellingFlows } from '../packets/pick.js'
import type { Flow } from '../packets/types.js'
import type { CheckResult, LabEvent, LabResult, MachineView, StepResult } from '../reporters/events.js'
import type { Place } from '../topology/types.js'
import { judge, needsOf } from './judge.js'
import { placeOf } from './placeOf.js'
import { prepareLab, type PreparedLab, type PrepareOptions } from './prepareLab.js'
import type { ResolvedStep } from './resolveLab.js'
import { shellWords } from './shellWords.js'
import { startLab, type StartedLab, type StartOptions } from './startLab.js'
import type { CheckContext } from './types.js'

/** Flows that a step's result keeps, at least one for each way that packets took. */
const keptFlows = 8

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
  const { lab, view, notices } = prepared
  const emit = options.onEvent ?? (() => undefined)
  const start = performance.now()
  requireTools([...new Set(prepared.steps.flatMap((step) => actionTool(step.action) ?? []))])
  // where no sandbox can be made there is no lab to tell of
  const sandbox = options.sandbox ?? startSandbox(options.label ?? lab.name)
  await sandbox
  emit({
    type: 'lab-start',
    lab: lab.name,
    title: lab.title,
    summary: lab.summary,
    steps: prepared.steps.length,
  })
  for (const message of notices) emit({ type: 'notice', lab: lab.name, message })

  const steps: StepResult[] = []
  let machine: MachineView | undefined
  let error: string | undefined
  try {
    const started = await startLab(prepared, { ...options, sandbox })
    machine = started.machine.view
    try {
      emit({ type: 'lab-up', lab: lab.name, topology: view, durationMs: performance.now() - start })
      for (const [index, step] of prepared.steps.entries()) {
        await options.beforeStep?.(step.name)
        emit({ type: 'step-start', lab: lab.name, step: step.name, index })
        const result = await runStep(started, step, prepared.steps[index + 1])
        steps.push(result)
        emit({ type: 'step-end', lab: lab.name, index, result })
      }
      await options.afterSteps?.(started)
    } finally {
      if (options.afterSteps === undefined) await started.close()
    }
  } catch (thrown) {
    // a tool that died is a failed lab with a report; wrong input and a machine that cannot are the caller's to tell
    if (!isKnownError(thrown) || thrown.exitCode !== 1) throw thrown
    error = thrown.message
  }
  const result: LabResult = {
    lab: lab.name,
    title: lab.title,
    ok: error === undefined && steps.every(({ ok }) => ok),
    durationMs: performance.now() - start,
    machine: machine ?? { kernel: '', iptables: '', backend: 'nft', rootless: process.getuid?.() !== 0 },
    topology: view,
    steps,
    notices,
    ...(error === undefined ? {} : { error }),
    ...(options.afterSteps === undefined ? {} : { kept: error === undefined }),
  }
  emit({ type: 'lab-end', lab: lab.name, result })
  return result
}

async function runStep(
  started: StartedLab,
  step: ResolvedStep,
  next: ResolvedStep | undefined,
): Promise<StepResult> {
  const start = performance.now()
  const { prepared } = started
  const place = stepPlace(prepared, step)
  const ruleCountsNext = next !== undefined && needsOf(next).ruleCounts === true
  const needs = { ...needsOf(step), ruleCountsNext }
  const seen = await started.observe(place, step.action, step.repeat, needs)
  const judged = judge(step, seen, checkContext(prepared, step))
  const { checks, flows } = keepFlows(judged, seen.flows)
  return {
    name: step.name,
    action: shellWords(actionArguments(step.action)) + (step.repeat > 1 ? `  × ${step.repeat}` : ''),
    from: place.name,
    ok: checks.every(({ ok }) => ok),
    durationMs: performance.now() - start,
    checks,
    flows,
    flowCount: seen.flows.length,
  }
}

/** The flows that failed checks point at, and others that tell something; the checks then point into what is kept. */
function keepFlows(
  checks: readonly CheckResult[],
  all: readonly Flow[],
): { checks: readonly CheckResult[]; flows: readonly Flow[] } {
  const blamed = checks.flatMap(({ ok, flow }) => (ok || flow === undefined ? [] : (all[flow] ?? [])))
  const telling = tellingFlows(all, keptFlows)
  const kept = new Set([...telling, ...blamed.slice(0, keptFlows)])
  const flows = all.filter((flow) => kept.has(flow))
  return {
    flows,
    checks: checks.map(({ flow, ...check }) => {
      const one = flow === undefined ? undefined : all[flow]
      return one === undefined || !kept.has(one) ? check : { ...check, flow: flows.indexOf(one) }
    }),
  }
}

function stepPlace(prepared: PreparedLab, step: ResolvedStep): Place {
  return placeOf(prepared.names, prepared.topology.places, step.from)
}

function checkContext({ view, names }: PreparedLab, step: ResolvedStep): CheckContext {
  return {
    topology: view,
    step,
    addressesOf: (name) => {
      const looked = names.lookup(name)
      return 'found' in looked ? looked.found[0].addresses : undefined
    },
    nameOf: (address) => names.at(address)?.label,
  }
}
