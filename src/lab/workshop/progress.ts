import * as z from 'zod'

const answer = z.strictObject({
  /** Index of the option. */
  answer: z.int().min(0),
  right: z.boolean(),
})

const attempt = z.strictObject({
  /** Folder of the exercise: its name alone does not identify it. */
  directory: z.string(),
  /** When it was started first. */
  startedAt: z.string(),
  /** When its lab was started last; absent in files of earlier versions. */
  labStartedAt: z.string().optional(),
  /** How many hints were shown since it was first started. */
  hints: z.int().min(0),
  /** True if its solution was shown before it was solved. */
  sawSolution: z.boolean(),
  passedAt: z.string().optional(),
  /** How often a check found it solved, and how often not. */
  checks: z.strictObject({ passed: z.int().min(0), failed: z.int().min(0) }).optional(),
  /** Its failed checks, and how many it has. */
  lastCheck: z.strictObject({ at: z.string(), failed: z.array(z.string()), all: z.int() }).optional(),
  /** When its checkpoint was saved. */
  checkpointAt: z.string().optional(),
  /** The last answer to each question that was answered. */
  quizzes: z.record(z.string(), answer).optional(),
})

/** The saved progress of a user: ISO dates, exercises by name. */
export const progressSchema = z.strictObject({
  current: z.string().optional(),
  exercises: z.record(z.string(), attempt),
})

export type Progress = z.infer<typeof progressSchema>
export type Attempt = z.infer<typeof attempt>

/** No exercise started yet. */
export const noProgress: Progress = { exercises: {} }

/** Starts an exercise, or starts it again: earlier hints, and the dates of its first start and of its solution, are kept. */
export function begin(progress: Progress, name: string, directory: string, now: string): Progress {
  const before = progress.exercises[name]
  const attempt = { hints: 0, sawSolution: false, startedAt: now, ...before, directory, labStartedAt: now }
  return { current: name, exercises: { ...progress.exercises, [name]: attempt } }
}

/** Records news of a started exercise. */
export function note(progress: Progress, name: string, news: Partial<Attempt>): Progress {
  const before = progress.exercises[name]
  if (before === undefined) return progress
  return { ...progress, exercises: { ...progress.exercises, [name]: { ...before, ...news } } }
}
