import * as z from 'zod'

const attempt = z.strictObject({
  /** Folder of the exercise: its name alone does not tell where it is. */
  directory: z.string(),
  startedAt: z.string(),
  /** How many hints were told since it was first started. */
  hints: z.int().min(0),
  /** True when its solution was shown before it was passed. */
  sawSolution: z.boolean(),
  passedAt: z.string().optional(),
})

/** What is kept of a user's work: ISO dates, exercises by name. */
export const progressSchema = z.strictObject({
  current: z.string().optional(),
  exercises: z.record(z.string(), attempt),
})

export type Progress = z.infer<typeof progressSchema>
export type Attempt = z.infer<typeof attempt>

/** Nothing done yet. */
export const noProgress: Progress = { exercises: {} }

/** An exercise begins, or begins again: hints and a pass of before are kept. */
export function begin(progress: Progress, name: string, directory: string, now: string): Progress {
  const before = progress.exercises[name]
  const attempt = { hints: 0, sawSolution: false, ...before, directory, startedAt: now }
  return { current: name, exercises: { ...progress.exercises, [name]: attempt } }
}

/** Notes something of an exercise that was begun. */
export function note(progress: Progress, name: string, news: Partial<Attempt>): Progress {
  const before = progress.exercises[name]
  if (before === undefined) return progress
  return { ...progress, exercises: { ...progress.exercises, [name]: { ...before, ...news } } }
}
