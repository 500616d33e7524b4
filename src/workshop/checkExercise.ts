import { InputError } from '../errors.js'
import { note, type Attempt } from '../lab/workshop/progress.js'
import { withUpLab } from '../up/upLab.js'
import { askOfExercise } from './askOfExercise.js'
import { labOf } from './labOf.js'
import { begunExercise, type Begun, type Workshop } from './workshop.js'

/** What a check found. */
export interface CheckedExercise extends Begun {
  /** The number of checks of the exercise. */
  readonly all: number
  /** Names of the checks that failed; none if the exercise is solved. */
  readonly failed: readonly string[]
}

/** Evaluates the checks of a running exercise, and records the result. Throws InputError if its lab does not run. */
export async function checkExercise(workshop: Workshop, name: string | undefined): Promise<CheckedExercise> {
  const { owner, say } = workshop
  const { exercise } = begunExercise(workshop, name)
  const up = await labOf(exercise, owner)
  if (up === undefined)
    throw new InputError([{ message: say.notUp(exercise.name), hint: say.startAgain(exercise.name) }])
  const outcomes = await withUpLab(up.lab, (lab) => askOfExercise(lab, 'checks'), owner)
  const failed = outcomes.filter(({ ok }) => !ok).map((outcome) => outcome.name)
  const now = new Date().toISOString()
  const lastCheck = { at: now, failed, all: outcomes.length }
  const attempt = record(workshop, exercise.name, ({ checks, passedAt }) => ({
    checks: {
      passed: (checks?.passed ?? 0) + (failed.length === 0 ? 1 : 0),
      failed: (checks?.failed ?? 0) + (failed.length === 0 ? 0 : 1),
    },
    lastCheck,
    ...(failed.length === 0 ? { passedAt: passedAt ?? now } : {}),
  }))
  return { exercise, attempt, failed, all: outcomes.length }
}

/** Records that the next hint is shown. */
export function showHint(workshop: Workshop, name: string | undefined): Begun & { readonly isNew: boolean } {
  const { exercise, attempt } = begunExercise(workshop, name)
  if (attempt.hints >= exercise.texts.en.hints.length) return { exercise, attempt, isNew: false }
  const now = record(workshop, exercise.name, ({ hints }) => ({ hints: hints + 1 }))
  return { exercise, attempt: now, isNew: true }
}

/** Records that the solution is shown. */
export function showSolution(workshop: Workshop, name: string | undefined): Begun {
  const { exercise, attempt } = begunExercise(workshop, name)
  if (attempt.passedAt !== undefined) return { exercise, attempt }
  return { exercise, attempt: record(workshop, exercise.name, () => ({ sawSolution: true })) }
}

/** Changes what is recorded of a started exercise; the file may have changed since it was read. */
export function record(
  { progress, save }: Workshop,
  name: string,
  news: (attempt: Attempt) => Partial<Attempt>,
): Attempt {
  const before = progress()
  const attempt = before.exercises[name]
  if (attempt === undefined) throw new Error(`the exercise ${name} was not started`)
  const changed = news(attempt)
  save(note(before, name, changed))
  return { ...attempt, ...changed }
}
