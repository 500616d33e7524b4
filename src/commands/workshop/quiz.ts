import { createInterface } from 'node:readline'
import { exitCode } from '../../errors.js'
import { askedQuizzes, type AskedQuiz } from '../../lab/workshop/quizzes.js'
import { answerQuiz } from '../../workshop/answerQuiz.js'
import { begunExercise } from '../../workshop/workshop.js'
import type { Session } from './session.js'

/** `vethlab workshop quiz`: asks the questions of an exercise; exit code 1 if an answer is wrong or missing. */
export async function quiz(session: Session, name: string | undefined): Promise<void> {
  const { say, print, prose } = session
  const { exercise } = begunExercise(session, name)
  const all = askedQuizzes(exercise, session.language)
  if (all.length === 0) return print(prose(say.quiz.none(exercise.name)))
  const answers = readNumbers()
  let right = 0
  for (const [index, one] of all.entries()) {
    printQuestion(session, one, say.quiz.title(index + 1, all.length))
    const answer = await answers.next(one.options.length, () => print(say.quiz.again(one.options.length)))
    if (answer === undefined) break
    if (answerQuiz(session, exercise, one, answer)) right++
    printAnswer(session, one, answer)
  }
  answers.end()
  print(say.quiz.result(right, all.length))
  if (right < all.length) process.exitCode = exitCode.checkFailed
}

function printQuestion({ print, prose, colours }: Session, { ask, options }: AskedQuiz, title: string): void {
  const numbered = options.map((option, index) => `  ${index + 1}  ${option}`)
  print(`${colours.bold(title)}\n${prose(ask)}\n\n${numbered.join('\n')}\n`)
}

function printAnswer({ print, prose, colours, say }: Session, one: AskedQuiz, answer: number): void {
  const wanted = one.options[one.answer] ?? ''
  const verdict =
    answer === one.answer
      ? `${colours.good('✓')} ${say.quiz.right}`
      : `${colours.bad('✗')} ${say.quiz.wrong(one.answer + 1, wanted)}`
  print(`${verdict}\n${prose(one.because)}\n`)
}

/** Reads numbers of options from standard input, one a line. */
function readNumbers() {
  const input = createInterface({ input: process.stdin })
  const lines = input[Symbol.asyncIterator]()
  return {
    /** Index of an option; asks again for what is none; undefined at the end of the input. */
    async next(options: number, onInvalid: () => void): Promise<number | undefined> {
      for (;;) {
        const { done, value } = (await lines.next()) as IteratorResult<string, undefined>
        if (done === true) return undefined
        const number = Number(value.trim())
        if (Number.isInteger(number) && number >= 1 && number <= options) return number - 1
        onInvalid()
      }
    },
    end: () => input.close(),
  }
}
