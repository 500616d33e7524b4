import type { Language } from '../../text/language.js'
import type { Level } from '../../lab/workshop/types.js'

/*
 * The API between a class (`vethlab workshop serve`) and its pages, version 1. Paths below start with `/api/v1`; bodies are JSON,
 * times are milliseconds since the epoch. An error is an `ApiError` (view/live/api.ts) with a status of 4xx or 5xx.
 *
 * A link `/?token=…` is exchanged for a session cookie and a redirect to `/`, which is the page of the participant or of the
 * trainer. A link is valid until the class ends or the trainer withdraws it, on any number of devices. A session has one role;
 * `classRoutes` names the role that each route needs. A route below `/participants/{name}` is the trainer's; a participant's own
 * routes have no name.
 *
 * The live view of a lab is below `/lab/` for a participant and below `/participants/{name}/lab/` for the trainer: the page of
 * `vethlab view` for a frame, and `api/v1/…` with the same routes, types and events as view/live/api.ts (without `invitations`).
 * Both paths answer 404 while the participant runs no lab. The trainer's view is read-only until the trainer assists.
 *
 * A browser opens at most six connections to one host over HTTP/1.1: a page has one stream of events here, one in the frame,
 * and should keep at most three terminals open.
 */

/** Who a session belongs to. */
export type Role = 'participant' | 'trainer'

/** The role that each route needs; `any` is both roles. */
export const classRoutes = {
  /** Me: who the session belongs to, and what there is to do. */
  'GET /me': 'any',
  /** Server-sent events: `ParticipantEvents` or `TrainerEvents` (trainerApi.ts), by role. */
  'GET /events': 'any',

  /** ExerciseView: the task, the hints shown so far, the last check. 403 while it is locked. */
  'GET /exercises/{exercise}': 'participant',
  /** ExerciseView: starts the broken lab, which replaces the one that runs. */
  'POST /exercises/{exercise}/start': 'participant',
  /** CheckResult. */
  'POST /exercises/{exercise}/check': 'participant',
  /** ExerciseView: starts the broken lab again. */
  'POST /exercises/{exercise}/reset': 'participant',
  /** ExerciseView: saves the state of the lab as the checkpoint of the exercise. */
  'POST /exercises/{exercise}/save': 'participant',
  /** ExerciseView: starts the broken lab again, and restores the checkpoint; 409 if a part of it could not be restored. */
  'POST /exercises/{exercise}/restore': 'participant',
  /** ExerciseView: with the next hint. */
  'POST /exercises/{exercise}/hint': 'participant',
  /** ExerciseView: with the solution. */
  'POST /exercises/{exercise}/solution': 'participant',
  /** QuizAnswer → QuizResult. */
  'POST /exercises/{exercise}/quizzes/{quiz}': 'participant',
  /** ChosenLanguage → Me: the language is the participant's, on all devices. */
  'POST /language': 'participant',

  /** ClassState. */
  'GET /class': 'trainer',
  /** NewMessage → ClassState. */
  'POST /messages': 'trainer',
  /** Lock → ClassState. */
  'POST /locks': 'trainer',
  /** FaultOrder → FaultReport: breaks the labs that run. */
  'POST /faults': 'trainer',
  /** Assist → ClassState: with write access to the lab of a participant, who is shown it. */
  'POST /participants/{name}/assist': 'trainer',
  /** NewParticipants → NewLinks: further participants, with a link for each. */
  'POST /participants': 'trainer',
  /** NewLinks: a further link for a participant who has lost theirs; the earlier ones stay valid. */
  'POST /participants/{name}/link': 'trainer',
  /** {} → ClassState: the participant's links and sessions end, on all devices; the lab continues. */
  'POST /participants/{name}/withdraw': 'trainer',
  /** ClassResults. */
  'GET /results.json': 'trainer',
  /** The same as CSV (RFC 4180), a line for each participant and exercise. */
  'GET /results.csv': 'trainer',
  /** {} → ClassState: ends the class: labs are removed, links are no longer valid, results are written. */
  'POST /end': 'trainer',
} as const satisfies Readonly<Record<string, Role | 'any'>>

/** A method and a path of `classRoutes`. */
export type ClassRoute = keyof typeof classRoutes

/** A text in every language that has it; English always. */
export type Texts = Readonly<Partial<Record<Language, string>>> & { readonly en: string }

/** What a session may see of the class; for the trainer without exercises. */
export interface Me {
  readonly vethlab: string
  readonly role: Role
  /** The participant's name; `trainer` for the trainer. */
  readonly name: string
  readonly classTitle: string
  /** The chosen language; absent before the first choice. */
  readonly language?: Language | undefined
  /** By level and name, or in the order of the class's path. */
  readonly exercises: readonly ExerciseSummary[]
  /** The exercise started last. */
  readonly current?: string | undefined
  /** The lab that runs; `/lab/` shows it. */
  readonly lab?: { readonly exercise: string; readonly startedAt: number } | undefined
  /** To all and to this participant, oldest first. */
  readonly messages: readonly Message[]
  /** Whether the trainer has write access to this participant's lab now. */
  readonly assisted: boolean
}

/** An exercise as a list shows it. */
export interface ExerciseSummary {
  readonly name: string
  readonly title: Texts
  readonly level: Level
  readonly minutes?: number | undefined
  /** Names of exercises to solve before; a recommendation, not a lock. */
  readonly prerequisites: readonly string[]
  readonly state: ExerciseState
  /** False while the trainer has locked it. */
  readonly open: boolean
}

export type ExerciseState = 'new' | 'started' | 'solved'

/** An exercise as its participant sees it. */
export interface ExerciseView extends ExerciseSummary {
  readonly texts: Readonly<Partial<Record<Language, ExerciseWords>>> & { readonly en: ExerciseWords }
  /** Whether its lab runs. */
  readonly running: boolean
  /** Nodes, clients and pods of its lab while that runs; `netns` is what `POST /lab/api/v1/terminals` takes as `place`. */
  readonly places: readonly ExercisePlace[]
  readonly hints: { readonly shown: number; readonly all: number }
  /** Commands that fix it; only after the solution was requested. */
  readonly solution?: readonly string[] | undefined
  readonly quizzes: readonly QuizView[]
  readonly lastCheck?: CheckResult | undefined
  /** When its checkpoint was saved; absent if there is none. */
  readonly checkpointAt?: number | undefined
}

/** The texts of an exercise in one language, as far as the participant may see them. */
export interface ExerciseWords {
  readonly title: string
  readonly task: string
  /** The hints shown so far. */
  readonly hints: readonly string[]
  /** With the solution only. */
  readonly why?: string | undefined
  /** When it is solved, or with the solution. */
  readonly remember?: string | undefined
}

export interface ExercisePlace {
  readonly kind: 'node' | 'client' | 'pod'
  readonly name: string
  readonly netns: string
}

/** What a check found. */
export interface CheckResult {
  readonly at: number
  readonly passed: number
  readonly all: number
  readonly solved: boolean
  /** What is still wrong. */
  readonly failed: readonly { readonly name: string; readonly says: Texts }[]
}

/** A question of an exercise. */
export interface QuizView {
  readonly name: string
  readonly ask: Texts
  readonly options: readonly Texts[]
  /** The last answer. */
  readonly answered?: QuizResult | undefined
}

export interface QuizAnswer {
  /** The index of an option. */
  readonly answer: number
}

export interface QuizResult {
  readonly answer: number
  readonly right: boolean
  /** Shown after a right answer. */
  readonly because?: Texts | undefined
}

export interface ChosenLanguage {
  readonly language: Language
}

/** A message of the trainer. */
export interface Message {
  readonly id: number
  readonly at: number
  readonly text: string
  /** Absent if it is to all. */
  readonly to?: string | undefined
}

/** Events of a participant's page, by name. */
export interface ParticipantEvents {
  /** First, and after each change of it: progress, the lab, locks, messages, language, assistance. */
  readonly me: Me
  /** A device of the participant, or the trainer, has changed this exercise: read it again. */
  readonly exercise: { readonly name: string }
  /** The class has ended: the last event. */
  readonly end: { readonly reason: string }
}
