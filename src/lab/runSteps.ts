import { actionArguments } from '../host/actions/index.js'
import { tellingFlows } from '../packets/pick.js'
import type { Flow } from '../packets/types.js'
import type { CheckResult, StepResult } from '../reporters/events.js'
import { judge, needsOf } from './judge.js'
import { placeOf } from './placeOf.js'
import type { PreparedLab } from './prepareLab.js'
import type { ResolvedStep } from './resolveLab.js'
import { shellWords } from './shellWords.js'
import type { StartedLab } from './startLab.js'
import type { CheckContext } from './types.js'

/** Flows that a step's result keeps, at least one for each way that packets took. */
const keptFlows = 8

/** What is told of steps while they are carried out. */
export interface StepListener {
  /** Awaited before a step acts. */
  before?(step: string, index: number): Promise<void>
  after?(result: StepResult, index: number): void
}

/** Carries out the steps of a lab that is up, in order, and judges each; one that fails does not stop the next. */
export async function runSteps(
  started: StartedLab,
  listener: StepListener = {},
): Promise<readonly StepResult[]> {
  const { steps } = started.prepared
  const results: StepResult[] = []
  for (const [index, step] of steps.entries()) {
    await listener.before?.(step.name, index)
    const result = await runStep(started, step, steps[index + 1])
    results.push(result)
    listener.after?.(result, index)
  }
  return results
}

async function runStep(
  started: StartedLab,
  step: ResolvedStep,
  next: ResolvedStep | undefined,
): Promise<StepResult> {
  const start = performance.now()
  const { prepared } = started
  const place = placeOf(prepared.names, prepared.topology.places, step.from)
  const ruleCountsNext = next !== undefined && needsOf(next).ruleCounts === true
  const seen = await started.observe(place, step.action, step.repeat, {
    ...needsOf(step),
    ruleCountsNext,
    last: next === undefined,
    patient: 'fails' in step.expect,
  })
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
