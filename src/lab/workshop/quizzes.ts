import type { Language } from '../../text/language.js'
import { predictNextChain, type NextChain } from './predictNextChain.js'
import type { Exercise, PredictQuiz, Quiz } from './types.js'

/** A question as it is asked. */
export interface AskedQuiz {
  readonly name: string
  readonly ask: string
  readonly options: readonly string[]
  /** Index of the right option. Pages get it with the answer of the participant only. */
  readonly answer: number
  readonly because: string
}

/**
 * The questions of an exercise in a language, or in English if it is not translated. Throws InputError if the answer of one is
 * not predicted.
 */
export function askedQuizzes(exercise: Exercise, language: Language): readonly AskedQuiz[] {
  return exercise.quizzes.map((quiz) => askedQuiz(exercise, quiz, language))
}

function askedQuiz(exercise: Exercise, quiz: Quiz, language: Language): AskedQuiz {
  const { name } = quiz
  const english = exercise.texts.en.quizzes[name]
  const texts = exercise.texts[language]?.quizzes[name] ?? english
  const because = texts?.because ?? ''
  if (quiz.kind === 'choice') {
    const options = texts?.options ?? english?.options ?? []
    return { name, ask: texts?.ask ?? '', options, answer: quiz.answer, because }
  }
  const next = predictNextChain(exercise, quiz)
  const { options, answer } = next
  return { name, ask: question[language](quiz, next), options, answer: options.indexOf(answer), because }
}

const question: Readonly<Record<Language, (quiz: PredictQuiz, next: NextChain) => string>> = {
  en: ({ request: { from }, at }, { to, after }) =>
    `${from} sends a request to \`${to}\`. Which chain is evaluated after \`${after}\` on ${at}?`,
  ko: ({ request: { from }, at }, { to, after }) =>
    `${from}에서 \`${to}\`로 요청을 보냅니다. ${at}에서 \`${after}\` 다음에 평가되는 체인은 무엇인가요?`,
}
