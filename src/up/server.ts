import { exitCode, isKnownError } from '../errors.js'
import { serveLines } from '../host/controlSocket.js'
import { goneMessage, longestOrder, readOrder, type Answer, type LabPhase, type Order } from './order.js'

/** The maximum number of open connections; the next one gets an error. */
const mostConnections = 32

/** The time limit for a command to send its order. */
const patienceMs = 10_000

/** The parts of a server that depend on the lab. */
export interface OrderHandler {
  /** Aborted when the lab is about to end; pending orders are then answered with an error. */
  readonly signal: AbortSignal
  phase(): LabPhase
  /** Carries out an order; called only while the lab is running. */
  handle(order: Order): Promise<Answer>
}

/** Answers orders of commands, one per connection, from before the lab is built until this process ends. */
export function serveControl(lab: string, socketFolder: string, handler: OrderHandler): void {
  async function answer(reading: Promise<string>): Promise<Answer> {
    const line = await reading.catch((error: Error) => error)
    if (typeof line !== 'string') return invalid(line.message)
    const order = readOrder(line)
    if ('invalid' in order) return invalid(order.invalid)
    const state = handler.phase()
    if (order.do === 'state') return { state }
    if (state.phase === 'starting') return invalid(`the lab "${lab}" is not running yet`)
    if (state.phase === 'ending') return invalid(goneMessage(lab))
    const handled = await Promise.race([handler.handle(order).catch(toAnswer), ending(handler.signal)])
    // an order that fails while the lab is being removed fails because of that
    return 'error' in handled && handler.phase().phase === 'ending' ? invalid(goneMessage(lab)) : handled
  }

  const limits = { bytes: longestOrder, milliseconds: patienceMs }
  // errors of the socket do not end the lab
  serveLines(socketFolder, async (read, open) =>
    JSON.stringify(open > mostConnections ? busy : await answer(read(limits))),
  )
}

/** Resolves when the lab is about to end. */
function ending(signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const end = () => resolve(invalid('the lab is being removed'))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

const busy: Answer = {
  error: `the lab is busy: ${mostConnections} commands are already waiting for it`,
  exitCode: exitCode.cannotRun,
}

function invalid(error: string): Answer {
  return { error, exitCode: exitCode.invalidInput }
}

/** The answer to an order that failed; exit code 70 is for unexpected errors. */
export function toAnswer(error: unknown): Extract<Answer, { error: string }> {
  if (isKnownError(error)) return { error: error.message, exitCode: error.exitCode }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { error: text, exitCode: 70 }
}
