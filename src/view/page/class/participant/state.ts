import { computed, signal } from '@preact/signals'
import type { Language } from '../../../../text/language.js'
import type {
  CheckResult,
  ChosenLanguage,
  ExerciseView,
  Me,
  ParticipantEvents,
  QuizAnswer,
} from '../../../class/api.js'
import { ownApi } from '../../live/call.js'
import { follow } from '../follow.js'
import { chooseLanguage } from '../../language.js'
import { nextStep } from './nextStep.js'

const { call } = ownApi

export const me = signal<Me | undefined>(undefined)
/** Name of the exercise that is shown; undefined for the list. */
export const shown = signal<string | undefined>(undefined)
/** The exercise that is shown, once it was read. */
export const exercise = signal<ExerciseView | undefined>(undefined)
/** What the page waits for. */
export const busy = signal<ExerciseAction | undefined>(undefined)
/** Why the last action failed. */
export const problem = signal('')
/** The exercise whose lab runs. */
export const runningExercise = computed(() => {
  const { lab, exercises = [] } = me.value ?? {}
  return exercises.find(({ name }) => name === lab?.exercise)
})
/** The one exercise to work on next. */
export const nextExercise = computed(() => nextStep(me.value?.exercises ?? [], me.value?.current))

export type ExerciseAction = 'start' | 'check' | 'reset' | 'save' | 'restore' | 'hint' | 'solution'

/** Shows an exercise, or the list. */
export function showExercise(name: string | undefined): void {
  shown.value = name
  problem.value = ''
  exercise.value = undefined
  if (name !== undefined) void read(name)
}

/** Carries out an action of the exercise that is shown. */
export async function act(action: ExerciseAction): Promise<void> {
  const name = shown.value
  if (name === undefined || busy.value !== undefined) return
  busy.value = action
  problem.value = ''
  try {
    const answer = await call<ExerciseView | CheckResult>(`${pathOf(name)}/${action}`, {})
    if ('texts' in answer) keep(answer)
    // what was found is a part of the exercise, and may show what to remember
    else await read(name)
  } catch (error) {
    problem.value = (error as Error).message
  } finally {
    busy.value = undefined
  }
}

/** Answers a question of the exercise that is shown. */
export async function answerQuiz(quiz: string, answer: number): Promise<void> {
  const name = shown.value
  if (name === undefined) return
  problem.value = ''
  try {
    await call(`${pathOf(name)}/quizzes/${encodeURIComponent(quiz)}`, { answer } satisfies QuizAnswer)
    await read(name)
  } catch (error) {
    problem.value = (error as Error).message
  }
}

/** The language of the participant, on all their devices. */
export function setLanguage(language: Language): void {
  chooseLanguage(language)
  call('/language', { language } satisfies ChosenLanguage).catch(
    ({ message }: Error) => (problem.value = message),
  )
}

/** Follows the class. */
export function followClass(): void {
  follow<ParticipantEvents>({
    me: keepMe,
    exercise: ({ name }) => {
      if (name === shown.value) void read(name)
    },
  })
}

function keepMe(next: Me): void {
  const before = me.value
  me.value = next
  if (next.language !== undefined && next.language !== before?.language) chooseLanguage(next.language)
  // the page was opened, perhaps again: with the exercise that was started last
  if (before === undefined && next.current !== undefined) showExercise(next.current)
  else if (shown.value !== undefined && labText(before) !== labText(next)) void read(shown.value)
}

function labText(one: Me | undefined): string {
  const open = one?.exercises.map(({ open, state }) => [open, state])
  return JSON.stringify([one?.lab, open])
}

async function read(name: string): Promise<void> {
  try {
    keep(await call<ExerciseView>(pathOf(name)))
  } catch (error) {
    if (shown.value === name) problem.value = (error as Error).message
  }
}

function keep(view: ExerciseView): void {
  if (view.name === shown.value) exercise.value = view
}

function pathOf(name: string): string {
  return `/exercises/${encodeURIComponent(name)}`
}
