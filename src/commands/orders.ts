import { exitCode } from '../errors.js'
import { withUpLab, type UpLab } from '../up/upLab.js'
import { sendOrder } from '../up/sendOrder.js'
import type { Order } from '../up/order.js'
import { print, printError } from './output.js'

/** How long a command waits for the lab to settle. */
const patienceMs = 30_000

/** Sends an order to the holder of a running lab; returns its messages. Throws the error that it answers with. */
export async function ask({ holder }: UpLab, order: Order): Promise<readonly string[]> {
  const answer = await sendOrder(holder, order)
  return 'messages' in answer ? answer.messages : []
}

/** Requests a change, prints what kubectl prints for it, and waits for the lab to settle. */
export async function askForChange(name: string, order: Order): Promise<void> {
  await withUpLab(name, async (lab) => {
    for (const line of await ask(lab, order)) print(`${line}\n`)
    process.exitCode = await settleLab(lab)
  })
}

/** Waits for a lab to settle; prints what has not. */
export async function settleLab(lab: UpLab): Promise<number> {
  const pending = await ask(lab, { do: 'settle', timeoutMs: patienceMs })
  for (const line of pending) printError(`not settled after ${patienceMs / 1000} s: ${line}\n`)
  return pending.length === 0 ? exitCode.ok : exitCode.checkFailed
}
