import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { CannotRunError, exitCode, InputError, SandboxError } from '../../errors.js'
import { upLab } from '../upLab.js'
import { controlPath, type Answer, type Order, type StepOutcome } from './order.js'

/** How long a command waits for the lab to come to rest. */
const patienceMs = 30_000

/** Asks the holder of a lab that is up; returns what it says. Throws what it answers with, InputError for wrong input. */
export async function ask(lab: string, order: Order): Promise<readonly string[]> {
  const answer = await converse(lab, order)
  return 'said' in answer ? answer.said : []
}

/** Has the holder of an exercise's lab carry out a part of the exercise; returns what came of each of its steps. */
export async function askOfExercise(
  lab: string,
  part: Extract<Order, { do: 'exercise' }>['part'],
): Promise<readonly StepOutcome[]> {
  const answer = await converse(lab, { do: 'exercise', part })
  return 'outcomes' in answer ? answer.outcomes : []
}

async function converse(lab: string, order: Order): Promise<Exclude<Answer, { error: string }>> {
  const { pid } = upLab(lab)
  const socket = connect(`/proc/${pid}/root${controlPath}`)
  try {
    const answer = await new Promise<Answer>((resolve, reject) => {
      socket.once('error', reject)
      createInterface({ input: socket }).once('line', (line) => resolve(JSON.parse(line) as Answer))
      socket.once('close', () => reject(new Error('it went down')))
      socket.write(`${JSON.stringify(order)}\n`)
    }).catch((error: unknown) => {
      throw new SandboxError(`the lab "${lab}" does not answer`, error)
    })
    if ('error' in answer) throw told(answer)
    return answer
  } finally {
    socket.destroy()
  }
}

/** Asks for a change, prints what kubectl would say of it, and waits until the lab is at rest, unless that is not wanted. */
export async function askForChange(lab: string, order: Order, wait: boolean): Promise<void> {
  for (const line of await ask(lab, order)) process.stdout.write(`${line}\n`)
  if (!wait) return
  const left = await ask(lab, { do: 'settle', timeoutMs: patienceMs })
  for (const line of left) process.stderr.write(`after ${patienceMs / 1000} s still: ${line}\n`)
  process.exitCode = left.length === 0 ? exitCode.ok : exitCode.checkFailed
}

function told({ error, exitCode: code }: Extract<Answer, { error: string }>): Error {
  if (code === exitCode.invalidInput) return new InputError([{ message: error }])
  if (code === exitCode.cannotRun) return new CannotRunError(error)
  return new Error(error)
}
