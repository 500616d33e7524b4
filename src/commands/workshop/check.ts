import { exitCode, InputError } from '../../errors.js'
import { note } from '../../lab/workshop/progress.js'
import { askOfExercise } from '../ask.js'
import { withUpLab } from '../../up/upLab.js'
import { nextExercise } from './exercises.js'
import { labOf } from './labOf.js'
import { begunExercise, type Begun, type Session } from './session.js'

/** `vethlab workshop check`: prints what is still wrong (exit code 1), or that the exercise is solved. */
export async function check(session: Session, name: string | undefined): Promise<void> {
  const { say, print, colours, words, prose } = session
  const begun = begunExercise(session, name)
  const { exercise, attempt } = begun
  const up = await labOf(exercise)
  if (up === undefined)
    throw new InputError([{ message: say.notUp(exercise.name), hint: say.startAgain(exercise.name) }])
  const outcomes = await withUpLab(up.lab, (lab) => askOfExercise(lab, 'checks'))
  const { checks, hints } = words(exercise)
  const failed = outcomes.filter(({ ok }) => !ok)
  if (failed.length === 0) return printSolved(session, begun)
  print(say.holding(exercise.name, outcomes.length - failed.length, outcomes.length))
  for (const one of failed) print(`${colours.bad('✗')} ${prose(checks[one.name] ?? one.name, 2)}`)
  print(`\n${say.hintsLeft(hints.length - attempt.hints)}`)
  process.exitCode = exitCode.checkFailed
}

function printSolved(session: Session, { exercise, attempt }: Begun): void {
  const { say, print, colours, words, prose } = session
  const progress = note(session.progress, exercise.name, {
    passedAt: attempt.passedAt ?? new Date().toISOString(),
  })
  session.save(progress)
  print(`${colours.good('✓')} ${colours.bold(say.solved(exercise.name))}\n`)
  print(`${say.remember}\n${prose(words(exercise).remember)}\n`)
  const next = nextExercise(progress, exercise)
  print(next === undefined ? say.allSolved : say.next(next.name))
}
