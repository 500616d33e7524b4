import type { StuckReason } from '../../workshop/class/stuck.js'
import type { CheckResult, ExerciseState, ExerciseSummary, Message } from './api.js'

/* The part of the API of a class that only the trainer's page uses; api.ts has the routes and the rest. */

/** Events of the trainer's page, by name. */
export interface TrainerEvents {
  /** First, and after changes of it; several changes within a quarter of a second are one event. */
  readonly class: ClassState
  readonly end: { readonly reason: string }
}

/** The class as the trainer sees it. */
export interface ClassState {
  readonly vethlab: string
  readonly title: string
  readonly startedAt: number
  /** In the order of the roster. */
  readonly participants: readonly ParticipantState[]
  /** `title`, `open` and so on; `solved` is how many participants have solved it, `running` how many run its lab. */
  readonly exercises: readonly ClassExercise[]
  /** Oldest first. */
  readonly messages: readonly Message[]
  readonly ended: boolean
}

export interface ClassExercise extends Omit<ExerciseSummary, 'state'> {
  readonly solved: number
  readonly running: number
  /** Names of its faults, for `FaultOrder`. */
  readonly faults: readonly string[]
}

export interface ParticipantState {
  readonly name: string
  /** Browsers that follow the events now. */
  readonly devices: number
  /** The exercise started last. */
  readonly exercise?: string | undefined
  /** When its lab was started last. */
  readonly exerciseStartedAt?: number | undefined
  /** Whether a lab runs. */
  readonly running: boolean
  /** Of all exercises: names with their state; those not started are left out. */
  readonly states: Readonly<Record<string, Exclude<ExerciseState, 'new'>>>
  readonly solved: number
  /** How often a check found the exercise solved, and how often not. */
  readonly checks: { readonly passed: number; readonly failed: number }
  /** The last check of that exercise; absent before the first. */
  readonly lastCheck?: CheckResult | undefined
  /** Hints shown, of all exercises. */
  readonly hints: number
  /** Exercises whose solution was shown before they were solved. */
  readonly solutions: number
  /** The last request of the participant that was not an event stream; absent before the first. */
  readonly lastActivity?: number | undefined
  /** Why the participant may need help; absent otherwise. */
  readonly stuck?: StuckReason | undefined
  readonly assisted: boolean
  /** The last error of this participant's lab: it could not be started, or has reached a limit. */
  readonly problem?: string | undefined
}

export interface NewMessage {
  readonly text: string
  /** A participant; all if absent. */
  readonly to?: string | undefined
}

export interface Lock {
  /** An exercise; all if absent. */
  readonly exercise?: string | undefined
  readonly open: boolean
}

/** Faults of an exercise, for every lab that runs and has the objects and places that they name. */
export interface FaultOrder {
  readonly exercise: string
  /** The name of one fault; all of the exercise if absent. */
  readonly fault?: string | undefined
}

export interface FaultReport {
  /** A line for each participant whose lab runs. */
  readonly participants: readonly {
    readonly name: string
    readonly ok: boolean
    readonly message?: string | undefined
  }[]
}

export interface Assist {
  readonly on: boolean
}

export interface NewParticipants {
  readonly names: readonly string[]
}

export interface NewLinks {
  readonly links: readonly ClassLink[]
  /** What this host is missing for so many participants; absent if nothing. */
  readonly warning?: string | undefined
}

/** A link of a participant. */
export interface ClassLink {
  readonly name: string
  readonly url: string
}
