import { InvalidArgumentError } from 'commander'
import { exitCode } from '../../errors.js'
import { restoreCheckpoint, saveCheckpoint } from '../../workshop/checkpoint/checkpoint.js'
import { solveSteps } from '../../workshop/solveSteps.js'
import type { Session } from './session.js'
import { unlessInterrupted } from './start.js'

/** `vethlab workshop save`: keeps the state of the lab, and prints what a checkpoint does not hold. */
export async function save(session: Session, name: string | undefined): Promise<void> {
  const { say, print, prose } = session
  const { exercise, objects, places } = await saveCheckpoint(session, name)
  print(prose(say.checkpoint.saved(exercise.name, objects, places.join(', '))))
  print(prose(say.checkpoint.notHeld))
}

/** `vethlab workshop restore`: starts the broken lab and makes it as it was saved; exit code 1 if a part could not be restored. */
export async function restore(session: Session, name: string | undefined): Promise<void> {
  const { say, print, prose } = session
  const done = await unlessInterrupted((signal) => restoreCheckpoint(session, name, signal))
  if (done === undefined) return
  const { exercise, savedAt, restored, problems } = done
  print(prose(say.checkpoint.restored(exercise.name, savedAt)))
  print(restored.length === 0 ? say.checkpoint.same : restored.map((line) => `  ${line}`).join('\n'))
  if (problems.length === 0) return
  print(`${say.checkpoint.problems}\n${problems.map((line) => `  ${line}`).join('\n')}`)
  process.exitCode = exitCode.checkFailed
}

/** `vethlab workshop solve --to N`: carries out the first steps of the solution, or all. */
export async function solve(
  session: Session,
  name: string | undefined,
  to: number | undefined,
): Promise<void> {
  const { say, print } = session
  await unlessInterrupted(async (signal) => {
    const steps = await solveSteps(session, name, to, signal, (command) => print(`  ${command}`))
    print(say.stepsDone(steps.done, steps.all))
  })
}

/** The number of a step. */
export function readStep(text: string): number {
  const step = Number(text)
  if (/^\d{1,3}$/.test(text) && step >= 1) return step
  throw new InvalidArgumentError('It must be the number of a step, from 1.')
}
