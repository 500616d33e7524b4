import { setTimeout as delay } from 'node:timers/promises'
import { InputError, isKnownError, reported, SandboxError } from '../errors.js'
import { exchangeLine } from '../host/controlSocket.js'
import { holds, type Holder } from '../host/holders.js'
import { goneMessage, longestOrder, type Answer, type Order } from './order.js'

/** The maximum size of an answer in bytes; an answer may have every Service of a cluster. */
const longestAnswer = 512 * 1024 * 1024

/** The time limit for a process that is ending to exit. */
const endPatienceMs = 2000
const lookEveryMs = 10

/**
 * Sends one order to the process that holds a lab, and returns its answer. Throws the error that it answers with, and
 * InputError if the lab ends before it answers.
 */
export async function sendOrder(
  holder: Holder,
  order: Order,
  milliseconds?: number,
): Promise<Exclude<Answer, { error: string }>> {
  const line = JSON.stringify(order)
  if (Buffer.byteLength(line) > longestOrder)
    throw new InputError([{ message: `these manifests are larger than ${longestOrder / 1024 ** 2} MiB` }])
  try {
    const answer = JSON.parse(
      await exchangeLine(holder.socket, line, { bytes: longestAnswer, milliseconds }),
    ) as Answer
    if ('error' in answer) throw reported(answer.error, answer.exitCode)
    return answer
  } catch (error) {
    if (isKnownError(error)) throw error
    if (await ends(holder)) throw labGone(holder.lab)
    throw noAnswer(holder, error)
  }
}

/** The error of a command to whose order the process that holds the lab does not answer. */
export function noAnswer({ lab, pid }: Holder, cause: unknown): SandboxError {
  return new SandboxError(`the process that holds the lab "${lab}" does not answer (pid ${pid})`, cause)
}

/** Waits for a process that may be ending, because it closed its connection; false if it still runs. */
async function ends(holder: Holder): Promise<boolean> {
  const deadline = performance.now() + endPatienceMs
  while (holds(holder)) {
    if (performance.now() > deadline) return false
    await delay(lookEveryMs)
  }
  return true
}

/** The error of a command whose lab ended before the command did. */
export function labGone(lab: string): InputError {
  return new InputError([{ message: goneMessage(lab) }])
}
