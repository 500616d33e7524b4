import { createServer, type Socket } from 'node:net'
import { exitCode, isKnownError } from '../errors.js'
import { listenWithoutName } from '../host/controlSocket.js'
import { firstLine } from './lines.js'
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
  let open = 0
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open++
    socket.on('close', () => open--)
    // the other end may be gone
    socket.on('error', () => socket.destroy())
    const answered = open > mostConnections ? busy() : answerOrder(socket)
    void answered.then((answer) => socket.end(`${JSON.stringify(answer)}\n`, () => socket.destroySoon()))
  })

  async function answerOrder(socket: Socket): Promise<Answer> {
    const limits = { bytes: longestOrder, milliseconds: patienceMs }
    const line = await firstLine(socket, limits).catch((error: Error) => error)
    if (typeof line !== 'string') return invalid(line.message)
    const order = readOrder(line)
    if ('invalid' in order) return invalid(order.invalid)
    const state = desk.phase()
    if (order.do === 'state') return { state }
    if (state.phase === 'starting') return invalid(`the lab "${lab}" is not up yet`)
    if (state.phase === 'ending') return invalid(goneMessage(lab))
    const answer = await Promise.race([desk.handle(order).catch(toAnswer), ending(desk.signal)])
    // whatever fails in a lab that is taken down fails because of that
    return 'error' in answer && desk.phase().phase === 'ending' ? invalid(goneMessage(lab)) : answer
  }

  listenWithoutName(server)
  // the lab stays until it is taken down, whether a command may ask or not
  server.unref()
}

/** Resolves when the lab is to end. */
function ending(signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const end = () => resolve(invalid('the lab is being taken down'))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

function busy(): Promise<Answer> {
  return Promise.resolve({
    error: `the lab is busy: ${mostConnections} commands wait for it already`,
    exitCode: exitCode.cannotRun,
  })
}

function invalid(error: string): Answer {
  return { error, exitCode: exitCode.invalidInput }
}

function toAnswer(error: unknown): Answer {
  if (isKnownError(error)) return { error: error.message, exitCode: error.exitCode }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { error: text, exitCode: 70 }
}
