import type { Lab, Step } from '../types.js'

/** Languages that an exercise and the workshop's own messages may be in. */
export const languages = ['en', 'ko'] as const

export type Language = (typeof languages)[number]

/** How hard an exercise is. */
export type Level = 1 | 2 | 3

/** A guided exercise: a lab in which something is wrong, and how it is seen that it is mended. */
export interface Exercise {
  /** Name of the exercise's folder, and of its lab. */
  readonly name: string
  /** Absolute path of the folder that holds exercise.yaml and lab.yaml. */
  readonly directory: string
  readonly level: Level
  /** What is done to the lab once it is up. */
  readonly faults: readonly Step[]
  readonly checks: readonly ExerciseCheck[]
  /** Commands that mend it, as a participant types them. */
  readonly solution: readonly string[]
  /** English; other languages may lack some. */
  readonly texts: Readonly<Partial<Record<Language, ExerciseTexts>>> & { readonly en: ExerciseTexts }
  /** Where a path of exercise.yaml stands, for messages. */
  readonly at: Lab['at']
}

/** What must be so before an exercise is passed; hidden from participants but for what its text says. */
export interface ExerciseCheck {
  /** A word or two, by which texts and tests call it. */
  readonly name: string
  /** True for what holds from the start on, and must not be broken. */
  readonly guard: boolean
  readonly step: Step
}

/** The words of an exercise in one language. */
export interface ExerciseTexts {
  readonly title: string
  readonly task: string
  /** What is still wrong while a check fails, by the check's name. */
  readonly checks: Readonly<Record<string, string>>
  readonly hints: readonly string[]
  /** Why the solution is one. */
  readonly why: string
  /** What is worth to be kept in mind. */
  readonly remember: string
}
