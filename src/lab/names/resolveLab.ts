import { InputError, type Problem } from '../../errors.js'
import type { Names } from '../../names/names.js'
import { stepKey, resolveAction, resolveExpectations, type ResolvedStep } from './resolveStep.js'
import type { Lab } from '../types.js'

export interface ResolveOptions {
  readonly ignoreKinds?: ReadonlySet<string> | undefined
  /**
   * The names after a step that changes the lab; without it, names never change. Throws InputError for a change that the
   * API server will reject.
   */
  readonly foresee?: ((step: ResolvedStep) => Names) | undefined
}

/**
 * Resolves every name in a lab's steps as it will be when the step runs. Throws InputError with all unknown names, each
 * with its position.
 */
export function resolveLab(lab: Lab, names: Names, options: ResolveOptions = {}): ResolvedStep[] {
  const problems: Problem[] = []
  let known = names
  const carriedOut = lab.steps.filter(({ leftOut }) => leftOut === undefined)
  const steps = carriedOut.map((step) => {
    const context = { lab, ignoreKinds: options.ignoreKinds }
    const begun = resolveAction(step, { ...context, names: known })
    problems.push(...begun.problems)
    if (begun.value.action.kind === 'change' && begun.problems.length === 0) {
      const next = namesAfter(begun.value, lab, options.foresee)
      if (Array.isArray(next)) problems.push(...next)
      else known = next ?? known
    }
    const done = resolveExpectations(begun.value, { ...context, names: known })
    problems.push(...done.problems)
    return done.value
  })
  if (problems.length > 0) throw new InputError(problems)
  return steps
}

/** A change that is expected to be rejected changes nothing. */
function namesAfter(
  step: ResolvedStep,
  lab: Lab,
  foresee: ResolveOptions['foresee'],
): Names | Problem[] | undefined {
  if (step.action.kind !== 'change') return undefined
  try {
    return foresee?.(step)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    if (Object.hasOwn(step.expect, 'rejected')) return undefined
    const at = lab.at([...step.path, stepKey(step.action.written)])
    return error.problems.map((problem) => ({ ...problem, at: problem.at ?? at }))
  }
}
