import type { Exercise } from '../lab/workshop/types.js'
import type { AskedQuiz } from '../lab/workshop/quizzes.js'
import { record } from './checkExercise.js'
import type { Workshop } from './workshop.js'

/** Records the answer to a question of a started exercise, the index of an option; returns whether it is right. */
export function answerQuiz(
  workshop: Workshop,
  { name }: Pick<Exercise, 'name'>,
  quiz: AskedQuiz,
  answer: number,
): boolean {
  const right = answer === quiz.answer
  record(workshop, name, ({ quizzes }) => ({ quizzes: { ...quizzes, [quiz.name]: { answer, right } } }))
  return right
}
