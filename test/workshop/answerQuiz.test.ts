import t from 'tap'
import { loadExercise } from '../../src/lab/workshop/loadExercise.js'
import { begin, noProgress, type Progress } from '../../src/lab/workshop/progress.js'
import { askedQuizzes } from '../../src/lab/workshop/quizzes.js'
import { answerQuiz } from '../../src/workshop/answerQuiz.js'
import { messages } from '../../src/workshop/messages.js'
import type { Workshop } from '../../src/workshop/workshop.js'

t.test('answers are recorded with the progress of their exercise', async (t) => {
  const exercise = loadExercise('nobody-home')
  const [quiz] = askedQuizzes(exercise, 'en')
  if (quiz === undefined) throw new Error('nobody-home has no question')
  let saved: Progress = begin(noProgress, exercise.name, exercise.directory, '2026-01-01')
  const workshop: Workshop = {
    ...{ owner: '', language: 'en', say: messages.en },
    progress: () => saved,
    save: (progress) => (saved = progress),
  }
  t.equal(answerQuiz(workshop, exercise, quiz, quiz.answer + 1), false)
  t.match(saved.exercises[exercise.name]?.quizzes, { [quiz.name]: { right: false } })
  t.equal(answerQuiz(workshop, exercise, quiz, quiz.answer), true)
  t.match(saved.exercises[exercise.name]?.quizzes, { [quiz.name]: { answer: quiz.answer, right: true } })
})
