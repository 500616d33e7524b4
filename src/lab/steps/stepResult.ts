import type { Problem } from '../../errors.js'
import { distinctFlows } from '../../packets/pick.js'
import type { Flow } from '../../packets/types.js'
import type { CheckResult, StepResult } from '../../results/events.js'
import { evaluate } from './evaluate.js'
import type { LabState } from '../../snapshot/model/labState.js'
import type { ResolvedStep } from '../names/resolveStep.js'
import { modeOnNodes } from '../../snapshot/model/kubeProxy.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import type { Observation } from '../observation.js'

/** Number of flows that a step's result keeps, at least one for each path of packets. */
const keptFlows = 8

/** What a step's result contains besides its checks. */
export interface StepReport {
  readonly action: string
  readonly from?: string | undefined
  readonly startedAt: number
  readonly summary?: readonly string[] | undefined
}

/** The result of a step with these checks. */
export function stepResult(
  { name }: Pick<ResolvedStep, 'name'>,
  { action, from, startedAt, summary }: StepReport,
  checks: readonly CheckResult[],
  seenFlows: readonly Flow[] = [],
): StepResult {
  const kept = keepFlows(checks, seenFlows)
  return {
    name,
    action,
    ...(from === undefined ? {} : { from }),
    ok: checks.every(({ ok }) => ok),
    durationMs: performance.now() - startedAt,
    ...(summary === undefined ? {} : { summary }),
    ...kept,
    flowCount: seenFlows.length,
  }
}

/** The result of a step that was not run, with the reason. */
export function skippedStep(name: string, skipped: string): StepResult {
  return { name, action: '', ok: false, skipped, durationMs: 0, checks: [], flows: [], flowCount: 0 }
}

/** Evaluates a step's expectations in the current state of the lab. */
export function evaluateIn(
  { kubeProxy }: Pick<PreparedLab, 'kubeProxy'>,
  { view, names }: Pick<LabState, 'view' | 'names'>,
  step: ResolvedStep,
  seen: Observation,
): CheckResult[] {
  return evaluate(step, seen, {
    topology: view,
    step,
    mode: modeOnNodes(kubeProxy),
    addressesOf: (name) => {
      const looked = names.lookup(name)
      return 'found' in looked ? looked.found[0].addresses : undefined
    },
    nameOf: (address) => names.at(address)?.label,
  })
}

/** Failed checks for names that do not exist when a step needs them: the object is removed. */
export function unresolved(problems: readonly Problem[]): CheckResult[] {
  return problems.map(({ message, hint }) => ({
    name: 'the names of the step exist',
    ok: false,
    expected: 'names of objects and places that are in the lab now',
    observed: hint === undefined ? message : `${message}; ${hint}`,
  }))
}

/** The observation of a step that makes no requests. */
export const nothingSeen: Observation = {
  from: '',
  requests: [],
  flows: [],
  ruleCounts: new Map(),
  conntrack: new Map(),
}

/** Keeps the flows of failed checks and one for each other path; the checks then refer to the kept flows. */
function keepFlows(
  checks: readonly CheckResult[],
  all: readonly Flow[],
): { checks: readonly CheckResult[]; flows: readonly Flow[] } {
  const blamed = checks.flatMap(({ ok, flow }) => (ok || flow === undefined ? [] : (all[flow] ?? [])))
  const distinct = distinctFlows(all, keptFlows)
  const kept = new Set([...distinct, ...blamed.slice(0, keptFlows)])
  const flows = all.filter((flow) => kept.has(flow))
  return {
    flows,
    checks: checks.map(({ flow, ...check }) => {
      const one = flow === undefined ? undefined : all[flow]
      return one === undefined || !kept.has(one) ? check : { ...check, flow: flows.indexOf(one) }
    }),
  }
}
