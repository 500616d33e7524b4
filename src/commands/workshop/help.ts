import { showHint, showSolution } from '../../workshop/checkExercise.js'
import type { Session } from './session.js'

/** `vethlab workshop hint`: prints the next hint. */
export function hint(session: Session, name: string | undefined): void {
  const { say, print, words, prose } = session
  const { exercise, attempt, isNew } = showHint(session, name)
  const { hints } = words(exercise)
  const text = prose(hints[attempt.hints - 1] ?? '')
  if (isNew) print(`${say.hint(attempt.hints, hints.length)}\n${text}`)
  else print(`${say.lastHint(hints.length)}\n${text}\n\n${say.hintsLeft(0)}`)
}

/** `vethlab workshop solution`: prints the commands that fix the lab, and why. */
export function solution(session: Session, name: string | undefined): void {
  const { say, print, words, prose } = session
  const { exercise } = showSolution(session, name)
  print(`${say.solution}\n\n${exercise.solution.map((command) => `  ${command}`).join('\n')}\n`)
  print(prose(words(exercise).why))
}
