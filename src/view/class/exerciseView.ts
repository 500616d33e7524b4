import type { Attempt, Progress } from '../../lab/workshop/progress.js'
import { askedQuizzes, type AskedQuiz } from '../../lab/workshop/quizzes.js'
import type { Exercise } from '../../lab/workshop/types.js'
import { languages, type Language } from '../../text/language.js'
import type { UpLab } from '../../up/upLab.js'
import type {
  CheckResult,
  ExerciseState,
  ExerciseSummary,
  ExerciseView,
  ExerciseWords,
  QuizResult,
  QuizView,
  Texts,
} from './api.js'

/** A text of an exercise in every language that it has. */
export function textsOf(exercise: Exercise, pick: (words: Exercise['texts']['en']) => string): Texts {
  const found = languages.flatMap((language) => {
    const words = exercise.texts[language]
    return words === undefined ? [] : [[language, pick(words)] as const]
  })
  return { ...Object.fromEntries(found), en: pick(exercise.texts.en) }
}

/** The state of an exercise of which there is an attempt, or none. */
export function stateOf(attempt: Attempt | undefined): ExerciseState {
  if (attempt === undefined) return 'new'
  return attempt.passedAt === undefined ? 'started' : 'solved'
}

/** An exercise as a list shows it. */
export function exerciseSummary(exercise: Exercise, progress: Progress, open: boolean): ExerciseSummary {
  const { name, level, minutes, prerequisites } = exercise
  return {
    ...{ name, level, minutes, prerequisites, open, title: textsOf(exercise, ({ title }) => title) },
    state: stateOf(progress.exercises[name]),
  }
}

/** What is shown of an exercise besides its summary. */
export function exerciseDetails(
  exercise: Exercise,
  attempt: Attempt | undefined,
  up: UpLab | undefined,
): Omit<ExerciseView, keyof ExerciseSummary> {
  const shown = attempt?.hints ?? 0
  const isSolutionShown = attempt?.sawSolution === true
  const isSolved = attempt?.passedAt !== undefined
  const words = (language: Language): ExerciseWords | undefined => {
    const texts = exercise.texts[language]
    if (texts === undefined) return undefined
    const { title, task, hints, why, remember } = texts
    return {
      ...{ title, task, hints: hints.slice(0, shown) },
      ...(isSolutionShown ? { why } : {}),
      ...(isSolutionShown || isSolved ? { remember } : {}),
    }
  }
  const { en, ...others } = Object.fromEntries(languages.map((language) => [language, words(language)]))
  return {
    texts: { ...others, en: en ?? { title: exercise.name, task: '', hints: [] } },
    running: up !== undefined,
    places: (up?.places ?? []).map(({ kind, name, netns }) => ({ kind, name, netns })),
    hints: { shown, all: exercise.texts.en.hints.length },
    ...(isSolutionShown ? { solution: exercise.solution } : {}),
    quizzes: quizViews(exercise, attempt),
    ...(attempt?.checkpointAt === undefined ? {} : { checkpointAt: Date.parse(attempt.checkpointAt) }),
    lastCheck: attempt?.lastCheck && checkResult(exercise, attempt.lastCheck),
  }
}

/** The last check, with the texts of what is still wrong. */
export function checkResult(
  exercise: Exercise,
  { at, failed, all }: NonNullable<Attempt['lastCheck']>,
): CheckResult {
  return {
    ...{ at: Date.parse(at), all, passed: all - failed.length, solved: failed.length === 0 },
    failed: failed.map((name) => ({ name, says: textsOf(exercise, ({ checks }) => checks[name] ?? name) })),
  }
}

function quizViews(exercise: Exercise, attempt: Attempt | undefined): QuizView[] {
  return quizzesIn(exercise, 'en').map((quiz, index) => {
    const inLanguages = (pick: (one: AskedQuiz) => string): Texts => {
      const translated = languages.map((language) => {
        const one = quizzesIn(exercise, language)[index]
        return [language, pick(one ?? quiz)] as const
      })
      return { ...Object.fromEntries(translated), en: pick(quiz) }
    }
    const given = attempt?.quizzes?.[quiz.name]
    return {
      name: quiz.name,
      ask: inLanguages(({ ask }) => ask),
      options: quiz.options.map((option, number) => inLanguages(({ options }) => options[number] ?? option)),
      ...(given === undefined ? {} : { answered: quizResult(exercise, quiz.name, given) }),
    }
  })
}

/** An answer, with the reason if it is right. */
export function quizResult(
  exercise: Exercise,
  name: string,
  { answer, right }: { readonly answer: number; readonly right: boolean },
): QuizResult {
  if (!right) return { answer, right }
  return { answer, right, because: textsOf(exercise, ({ quizzes }) => quizzes[name]?.because ?? '') }
}

const asked = new WeakMap<Exercise, Map<Language, readonly AskedQuiz[]>>()

/** The questions of an exercise; they are predicted once. */
export function quizzesIn(exercise: Exercise, language: Language): readonly AskedQuiz[] {
  const known = asked.get(exercise) ?? new Map<Language, readonly AskedQuiz[]>()
  asked.set(exercise, known)
  const found = known.get(language) ?? askedQuizzes(exercise, language)
  known.set(language, found)
  return found
}
