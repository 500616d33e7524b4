import type { CheckResult } from '../../results/events.js'
import { kinds } from '../expectations/index.js'
import type { ResolvedStep } from '../names/resolveStep.js'
import type { CheckContext, Needs } from '../types.js'
import type { Observation } from '../observation.js'

/** What must be recorded during a step, so that its expectations can be evaluated. */
export function needsOf(step: Pick<ResolvedStep, 'expect'>): Needs {
  return Object.assign({}, ...expected(step).map(({ kind }) => kind.needs)) as Needs
}

/** Evaluates a step's expectations: at least one result per expectation. */
export function evaluate(step: ResolvedStep, seen: Observation, context: CheckContext): CheckResult[] {
  const inStep: CheckContext = { ...context, step, lab: step.lab }
  return expected(step).flatMap(({ kind, value }) => kind.evaluate(value, seen, inStep))
}

function expected({ expect }: Pick<ResolvedStep, 'expect'>) {
  return kinds
    .filter((kind) => Object.hasOwn(expect, kind.key))
    .map((kind) => ({ kind, value: expect[kind.key] }))
}
