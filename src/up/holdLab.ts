import { once } from 'node:events'
import { exitCode } from '../errors.js'
import { claimName } from '../host/claimName.js'
import { hostFault } from '../hostFaults.js'
import { weaknessNotice } from '../host/sandbox/weakness.js'
import { prepareLab } from '../lab/plan/prepareLab.js'
import { runPrepared } from '../lab/steps/runLab.js'
import { startLab } from '../lab/up/startLab.js'
import type { StartedLab } from '../lab/up/startedLab.js'
import { createOrderHandler } from './handleOrder.js'
import { goneMessage } from './order.js'
import { serveControl, toAnswer } from './server.js'
import { describeUpLab, type UpLabDescription } from './describeUpLab.js'
import type { HoldMessage, HoldOrder } from './holder.js'
import { refuseSecond } from './upLab.js'

/** Most errors that are kept of a process which serves a lab. */
const mostFaults = 20

/** A lab that commands can ask about and change. */
interface Standing {
  readonly started: StartedLab
  readonly description: UpLabDescription
  readonly handle: ReturnType<typeof createOrderHandler>
}

/** The state of the process that holds a lab. */
interface Held {
  readonly name: string
  readonly signal: AbortSignal
  readonly faults: string[]
  standing: Standing | undefined
}

/**
 * Builds a lab and holds it until the signal aborts or the lab ends. Answers commands meanwhile; what the process that asked
 * for the lab needs to know is sent to it as a HoldMessage, errors too.
 */
export async function holdLab(name: string, order: HoldOrder, controller: AbortController): Promise<void> {
  const { signal } = controller
  const held: Held = { name, signal, faults: [], standing: undefined }
  // until the lab is up it belongs to the process that asked for it
  const orphaned = () => controller.abort()
  process.once('disconnect', orphaned)
  try {
    await refuseSecond(name, await claimName(name))
    surviveFaults(held)
    answer(held)
    const started = await bringUp(order, held)
    process.off('disconnect', orphaned)
    await staysUntil(started, signal)
  } catch (error) {
    await say(toMessage(error, held))
  }
}

/** An error that no command waits for does not end a lab; `ps` reports it. */
function surviveFaults({ faults, signal }: Held): void {
  const note = (error: unknown) => {
    if (signal.aborted || faults.length >= mostFaults) return
    faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
}

function answer(held: Held): void {
  serveControl(held.name, {
    signal: held.signal,
    phase() {
      const { standing, signal, faults } = held
      if (signal.aborted) return { phase: 'ending' }
      if (standing === undefined) return { phase: 'starting' }
      if (!standing.started.sandbox.alive()) return { phase: 'ending' }
      return { phase: 'up', lab: { ...standing.description.state(), faults } }
    },
    async handle(order) {
      const { standing } = held
      if (standing === undefined || order.do === 'state') throw new Error('the lab is not up yet')
      if (order.do === 'proxy-state') return { proxy: standing.description.proxyState() }
      return standing.handle(order)
    },
  })
}

async function bringUp(order: HoldOrder, held: Held): Promise<StartedLab> {
  const { cwd, families, mode, kubeProxyBinary } = order
  const prepared = prepareLab(order.directory, {
    ...{ cwd, families, mode, kubeProxyBinary },
    ignoreKinds: new Set(order.ignoreKinds),
  })
  const options = {
    iptables: order.iptables,
    pcap: order.pcap,
    api: true,
    signal: held.signal,
    label: `up:${prepared.lab.name}`,
    healthz: true,
  }
  if (!order.run) {
    const started = await startLab(prepared, { ...options, capture: false })
    stays(started, order, held)
    await say({ type: 'up', notices: weaknessNotice(started.sandbox) })
    return started
  }
  let kept: StartedLab | undefined
  const result = await runPrepared(prepared, {
    ...options,
    onEvent: (event) => void say({ type: 'event', event }),
    ...(order.stepwise ? { beforeStep: askFirst } : {}),
    afterSteps: (started) => {
      kept = started
      stays(started, order, held)
      return Promise.resolve()
    },
  })
  if (kept === undefined) throw new Error(result.error ?? 'the lab did not come up')
  await say({ type: 'up', result })
  return kept
}

async function askFirst(step: string): Promise<void> {
  await say({ type: 'ask', step })
  await once(process, 'message')
}

/** Makes a lab one that commands find, look into and change. */
function stays(started: StartedLab, order: HoldOrder, held: Held): void {
  const handle = createOrderHandler(started, new Set(order.ignoreKinds))
  held.standing = { started, description: describeUpLab(started), handle }
}

/** Resolves when the lab is to go, or has gone by itself. */
async function staysUntil(started: StartedLab, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })
  await Promise.race([aborted, started.sandbox.closed])
  await started.close()
}

/** Resolves when the message is sent; the process that asked may be gone. */
async function say(message: HoldMessage): Promise<void> {
  await new Promise<void>((resolve) => {
    if (process.connected) process.send?.(message, () => resolve())
    else resolve()
  })
}

function toMessage(thrown: unknown, { name, signal }: Held): HoldMessage {
  if (signal.aborted) return { type: 'error', message: goneMessage(name), exitCode: exitCode.invalidInput }
  const { error: message, exitCode: code } = toAnswer(hostFault(thrown) ?? thrown)
  return { type: 'error', message, exitCode: code }
}
