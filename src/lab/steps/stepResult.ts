import type { Problem } from '../../errors.js'
import { distinctFlows } from '../../packets/pick.js'
import type { Flow } from '../../packets/types.js'
import type { CheckResult, StepResult } from '../../results/events.js'
import { judge } from './judge.js'
import type { LabState } from '../live/types.js'
import type { ResolvedStep } from '../names/resolveStep.js'
import { modeOnNodes } from '../plan/kubeProxy.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import type { Observation } from '../types.js'

/** Flows that a step's result keeps, at least one for each way that packets took. */
const keptFlows = 8

/** What a step's result says beside its checks. */
export interface StepReport {
  readonly action: string
  readonly from?: string | undefined
  readonly startedAt: number
  readonly summary?: readonly string[] | undefined
}

/** The result of a step whose checks are known. */
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

/** The result of a step that was not carried out, and why. */
export function skippedStep(name: string, skipped: string): StepResult {
  return { name, action: '', ok: false, skipped, durationMs: 0, checks: [], flows: [], flowCount: 0 }
}

/** Holds what was seen against what a step expects, in the lab as it is then. */
export function judgeIn(
  { kubeProxy }: Pick<PreparedLab, 'kubeProxy'>,
  { view, names }: Pick<LabState, 'view' | 'names'>,
  step: ResolvedStep,
  seen: Observation,
): CheckResult[] {
  return judge(step, seen, {
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

/** Names that mean nothing at the moment when a step needs them: what they stood for has gone. */
export function unresolved(problems: readonly Problem[]): CheckResult[] {
  return problems.map(({ message, hint }) => ({
    name: 'the names of the step mean something',
    ok: false,
    expected: 'names of what is in the lab at this moment',
    observed: hint === undefined ? message : `${message}; ${hint}`,
  }))
}

/** A step of which nothing but the lab itself is to be seen. */
export const nothingSeen: Observation = {
  from: '',
  requests: [],
  flows: [],
  ruleCounts: new Map(),
  conntrack: new Map(),
}

/** The flows that failed checks point at, and others that tell something; the checks then point into what is kept. */
function keepFlows(
  checks: readonly CheckResult[],
  all: readonly Flow[],
): { checks: readonly CheckResult[]; flows: readonly Flow[] } {
  const blamed = checks.flatMap(({ ok, flow }) => (ok || flow === undefined ? [] : (all[flow] ?? [])))
  const telling = distinctFlows(all, keptFlows)
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
