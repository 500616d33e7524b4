import { exitCode } from '../errors.js'
import { withUpLab, type UpLab } from '../up/upLab.js'
import { sendOrder } from '../up/sendOrder.js'
import type { Order, StepOutcome } from '../up/order.js'
import { print, printError } from './output.js'

/** How long a command waits for the lab to settle. */
const patienceMs = 30_000

/** Asks the holder of a lab that is up; returns what it says. Throws what it answers with, InputError for wrong input. */
export async function ask({ holder }: UpLab, order: Order): Promise<readonly string[]> {
  const answer = await sendOrder(holder, order)
  return 'said' in answer ? answer.said : []
}

/** Has the holder of an exercise's lab carry out a part of the exercise; returns what came of each of its steps. */
export async function askOfExercise(
  { holder }: UpLab,
  part: Extract<Order, { do: 'exercise' }>['part'],
): Promise<readonly StepOutcome[]> {
  const answer = await sendOrder(holder, { do: 'exercise', part })
  return 'outcomes' in answer ? answer.outcomes : []
}

/** Asks for a change, prints what kubectl would say of it, and waits until the lab has settled, unless that is not wanted. */
export async function askForChange(name: string, order: Order, wait: boolean): Promise<void> {
  await withUpLab(name, async (lab) => {
    for (const line of await ask(lab, order)) print(`${line}\n`)
    if (!wait) return
    const left = await ask(lab, { do: 'settle', timeoutMs: patienceMs })
    for (const line of left) printError(`after ${patienceMs / 1000} s still: ${line}\n`)
    process.exitCode = left.length === 0 ? exitCode.ok : exitCode.checkFailed
  })
}
