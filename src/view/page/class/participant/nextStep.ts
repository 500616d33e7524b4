import type { ExerciseSummary } from '../../../class/api.js'

/**
 * The one exercise to work on next, of a list in the order of the class: the current one until it is solved, then the first that is
 * open, not solved, and whose prerequisites in this class are solved. Undefined if all that are open are solved.
 */
export function nextStep(
  exercises: readonly ExerciseSummary[],
  current?: string,
): ExerciseSummary | undefined {
  const left = exercises.filter(({ open, state }) => open && state !== 'solved')
  const unsolved = new Set(exercises.filter(({ state }) => state !== 'solved').map(({ name }) => name))
  return (
    left.find(({ name, state }) => name === current && state === 'started') ??
    left.find(({ prerequisites }) => !prerequisites.some((name) => unsolved.has(name))) ??
    left[0]
  )
}

/** Whether levels never decrease; in a class with its own order they may. */
export function isByLevel(exercises: readonly Pick<ExerciseSummary, 'level'>[]): boolean {
  return exercises.every(({ level }, index) => level >= (exercises[index - 1]?.level ?? level))
}
