import { note } from '../../lab/workshop/progress.js'
import { begunExercise, type Session } from './session.js'

/** `vethlab workshop hint`: prints the next hint. */
export function hint(session: Session, name: string | undefined): void {
  const { say, print, words, prose, progress } = session
  const { exercise, attempt } = begunExercise(session, name)
  const { hints } = words(exercise)
  if (attempt.hints >= hints.length) {
    print(`${say.lastHint(hints.length)}\n${prose(hints.at(-1) ?? '')}\n\n${say.hintsLeft(0)}`)
    return
  }
  print(`${say.hint(attempt.hints + 1, hints.length)}\n${prose(hints[attempt.hints] ?? '')}`)
  session.save(note(progress, exercise.name, { hints: attempt.hints + 1 }))
}

/** `vethlab workshop solution`: prints the commands that fix the lab, and why. */
export function solution(session: Session, name: string | undefined): void {
  const { say, print, words, prose, progress } = session
  const { exercise, attempt } = begunExercise(session, name)
  print(`${say.solution}\n\n${exercise.solution.map((command) => `  ${command}`).join('\n')}\n`)
  print(prose(words(exercise).why))
  if (attempt.passedAt === undefined) session.save(note(progress, exercise.name, { sawSolution: true }))
}
