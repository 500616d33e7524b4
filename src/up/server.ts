import { exitCode, isKnownError } from '../errors.js'
import { serveLines } from '../host/controlSocket.js'
import { goneMessage, longestOrder, readOrder, type Answer, type LabPhase, type Order } from './order.js'

/** Most commands that may ask at once; the next one gets an error. */
const mostConnections = 32

/** How long a command may take to say what it wants. */
const patienceMs = 10_000

/** What the process that holds a lab answers with. */
export interface Desk {
  /** Aborted when the lab is to end: no order is waited for then. */
  readonly signal: AbortSignal
  phase(): LabPhase
  /** Carries out an order; asked only while the lab is up. */
  handle(order: Order): Promise<Answer>
}

/** Answers what commands ask about a lab, one order a connection, from before the lab is built until this process ends. */
export function serveControl(lab: string, desk: Desk): void {
  async function answer(reading: Promise<string>): Promise<Answer> {
    const line = await reading.catch((error: Error) => error)
    if (typeof line !== 'string') return invalid(line.message)
    const order = readOrder(line)
    if ('invalid' in order) return invalid(order.invalid)
    const state = desk.phase()
    if (order.do === 'state') return { state }
    if (state.phase === 'starting') return invalid(`the lab "${lab}" is not up yet`)
    if (state.phase === 'ending') return invalid(goneMessage(lab))
    const handled = await Promise.race([desk.handle(order).catch(toAnswer), ending(desk.signal)])
    // whatever fails in a lab that is taken down fails because of that
    return 'error' in handled && desk.phase().phase === 'ending' ? invalid(goneMessage(lab)) : handled
  }

  const limits = { bytes: longestOrder, milliseconds: patienceMs }
  // the lab stays until it is taken down, whether a command may ask or not
  serveLines(async (read, open) => JSON.stringify(open > mostConnections ? busy : await answer(read(limits))))
}

/** Resolves when the lab is to end. */
function ending(signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const end = () => resolve(invalid('the lab is being taken down'))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

const busy: Answer = {
  error: `the lab is busy: ${mostConnections} commands wait for it already`,
  exitCode: exitCode.cannotRun,
}

function invalid(error: string): Answer {
  return { error, exitCode: exitCode.invalidInput }
}

/** The answer to an order that failed; exit code 70 is for errors that nobody has foreseen. */
export function toAnswer(error: unknown): Extract<Answer, { error: string }> {
  if (isKnownError(error)) return { error: error.message, exitCode: error.exitCode }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { error: text, exitCode: 70 }
}
