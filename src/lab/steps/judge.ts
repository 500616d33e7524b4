import type { CheckResult } from '../../results/events.js'
import { kinds } from '../expectations/index.js'
import type { ResolvedStep } from '../names/resolveStep.js'
import type { CheckContext, Needs, Observation } from '../types.js'

/** What must be recorded while a step acts, so that its expectations can be judged. */
export function needsOf(step: Pick<ResolvedStep, 'expect'>): Needs {
  return Object.assign({}, ...expected(step).map(({ kind }) => kind.needs)) as Needs
}

/** Holds what was seen against what a step expects: one result per expectation at least. */
export function judge(step: ResolvedStep, seen: Observation, context: CheckContext): CheckResult[] {
  const inStep: CheckContext = { ...context, step, lab: step.lab }
  return expected(step).flatMap(({ kind, value }) => kind.evaluate(value, seen, inStep))
}

function expected({ expect }: Pick<ResolvedStep, 'expect'>) {
  return kinds
    .filter((kind) => Object.hasOwn(expect, kind.key))
    .map((kind) => ({ kind, value: expect[kind.key] }))
}
