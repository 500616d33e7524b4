import type { Language } from '../../text/language.js'
import type { Code } from '../../diagnose/codes/codes.js'
import type { WrittenRequest } from '../../diagnose/writtenRequest.js'
import type { Lab, Step } from '../types.js'

/** The level of an exercise: API objects, nodes, or the path of a packet. */
export type Level = 1 | 2 | 3

/** A guided exercise: a lab with a fault, and the checks that pass when it is fixed. */
export interface Exercise {
  /** Name of the exercise's folder, and of its lab. */
  readonly name: string
  /** Absolute path of the folder that holds exercise.yaml and lab.yaml. */
  readonly directory: string
  readonly level: Level
  /** How long a participant who knows the lessons usually needs; undefined if the file has no estimate. */
  readonly minutes: number | undefined
  /** Names of the exercises to solve before. */
  readonly prerequisites: readonly string[]
  /** Steps that break the running lab. */
  readonly faults: readonly Step[]
  readonly checks: readonly ExerciseCheck[]
  /** Questions, in the order in which they are asked. */
  readonly quizzes: readonly Quiz[]
  /** Commands that fix it, as a participant types them. */
  readonly solution: readonly string[]
  /** Codes of the cause: each is right. Empty if the exercise has none. */
  readonly causes: readonly Code[]
  /** English always; other languages if there is a translation. */
  readonly texts: Readonly<Partial<Record<Language, ExerciseTexts>>> & { readonly en: ExerciseTexts }
  /** Position of a path in exercise.yaml, for messages. */
  readonly at: Lab['at']
}

/** A condition of a solved exercise; participants see only its text. */
export interface ExerciseCheck {
  /** A word or two, used by translations and tests. */
  readonly name: string
  /** True if it passes from the start and must not fail. */
  readonly guard: boolean
  readonly step: Step
}

/** A question; its words are in the texts of the exercise. */
export type Quiz = ChoiceQuiz | PredictQuiz

/** A question with a written answer. */
export interface ChoiceQuiz {
  readonly kind: 'choice'
  readonly name: string
  /** Index of the right option. */
  readonly answer: number
}

/** Asks for the chain that a request to the broken lab meets after another one; the prediction of the lab has the answer. */
export interface PredictQuiz {
  readonly kind: 'predict'
  readonly name: string
  /** Position in exercise.yaml, from 0. */
  readonly index: number
  readonly request: WrittenRequest
  /** The node on which the rules are evaluated. */
  readonly at: string
  /** The name of the chain before, or its beginning if it ends with `-`. */
  readonly after: string
}

/** The texts of an exercise in one language. */
export interface ExerciseTexts {
  readonly title: string
  readonly task: string
  /** What is still wrong when a check fails, by the name of the check. */
  readonly checks: Readonly<Record<string, string>>
  readonly hints: readonly string[]
  /** The cause, and how to find it. */
  readonly why: string
  /** What to remember. */
  readonly remember: string
  /** The words of its questions, by name. */
  readonly quizzes: Readonly<Record<string, QuizTexts>>
}

/** The words of a question. */
export interface QuizTexts {
  /** Undefined if the question is generated. */
  readonly ask?: string | undefined
  readonly options?: readonly string[] | undefined
  readonly because: string
}
