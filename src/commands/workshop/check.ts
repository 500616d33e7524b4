import { exitCode } from '../../errors.js'
import { checkExercise } from '../../workshop/checkExercise.js'
import { nextExercise } from '../../workshop/exercises.js'
import type { Begun } from '../../workshop/workshop.js'
import type { Session } from './session.js'

/** `vethlab workshop check`: prints what is still wrong (exit code 1), or that the exercise is solved. */
export async function check(session: Session, name: string | undefined): Promise<void> {
  const { say, print, colours, words, prose } = session
  const checked = await checkExercise(session, name)
  const { exercise, attempt, failed, all } = checked
  const { checks, hints } = words(exercise)
  if (failed.length === 0) return printSolved(session, checked)
  print(say.holding(exercise.name, all - failed.length, all))
  for (const one of failed) print(`${colours.bad('✗')} ${prose(checks[one] ?? one, 2)}`)
  print(`\n${say.hintsLeft(hints.length - attempt.hints)}`)
  process.exitCode = exitCode.checkFailed
}

function printSolved(session: Session, { exercise }: Begun): void {
  const { say, print, colours, words, prose } = session
  print(`${colours.good('✓')} ${colours.bold(say.solved(exercise.name))}\n`)
  print(`${say.remember}\n${prose(words(exercise).remember)}\n`)
  const next = nextExercise(session.progress(), exercise)
  print(next === undefined ? say.allSolved : say.next(next.name))
}
