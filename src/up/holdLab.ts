import { once } from 'node:events'
import { exitCode, reported } from '../errors.js'
import { reserveName } from '../host/reserveName.js'
import { hostFault } from '../hostFaults.js'
import { sandboxNotices } from '../host/sandbox/sandboxNotices.js'
import { prepareLab } from '../lab/plan/prepareLab.js'
import { runPrepared } from '../lab/steps/runPrepared.js'
import type { RunningLab } from '../lab/up/runningLab.js'
import { withRunningLab } from '../lab/up/withRunningLab.js'
import { createOrderHandler } from './handleOrder.js'
import { sentModel } from '../snapshot/file/sentModel.js'
import { goneMessage } from './order.js'
import { serveControl, toAnswer } from './server.js'
import { describeUpLab, type UpLabDescription } from './describeUpLab.js'
import type { HoldMessage, HoldOrder, UpMessage } from './holder.js'
import { rejectSecond } from './upLab.js'

/** The maximum number of errors that are kept of a process that holds a lab. */
const mostFaults = 20

/** A running lab that commands can query and change. */
interface ServedLab {
  readonly running: RunningLab
  readonly description: UpLabDescription
  readonly handle: ReturnType<typeof createOrderHandler>
  readonly order: HoldOrder
}

/** The state of the process that holds a lab. */
interface Held {
  readonly name: string
  readonly signal: AbortSignal
  readonly faults: string[]
  served: ServedLab | undefined
}

/**
 * Starts a lab, and holds it and answers commands until the signal aborts or the lab ends. Sends results and errors to the
 * process that requested the lab as HoldMessages.
 */
export async function holdLab(
  name: string,
  owner: string,
  order: HoldOrder,
  controller: AbortController,
): Promise<void> {
  const { signal } = controller
  const held: Held = { name, signal, faults: [], served: undefined }
  // until the lab runs it belongs to the process that requested it
  const orphaned = () => controller.abort()
  process.once('disconnect', orphaned)
  try {
    // by its socket, others find it and can wait for it
    serve(held, order.socketFolder)
    await rejectSecond(name, await reserveName(name, owner))
    surviveFaults(held)
    await hold(order, held, () => process.off('disconnect', orphaned))
  } catch (error) {
    await send(toMessage(error, held))
  }
}

/** Keeps errors that no command waits for; they do not end the lab, and `ps` reports them. */
function surviveFaults({ faults, signal }: Held): void {
  const note = (error: unknown) => {
    if (signal.aborted || faults.length >= mostFaults) return
    faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
}

function serve(held: Held, socketFolder: string): void {
  serveControl(held.name, socketFolder, {
    signal: held.signal,
    phase() {
      const { served, signal, faults } = held
      if (signal.aborted) return { phase: 'ending' }
      if (served === undefined) return { phase: 'starting' }
      if (!served.running.sandbox.alive()) return { phase: 'ending' }
      return { phase: 'up', lab: { ...served.description.state(), faults } }
    },
    async handle(order) {
      const { served } = held
      if (served === undefined || order.do === 'state') throw new Error('the lab is not running yet')
      if (order.do === 'proxy-state') return { proxy: served.description.proxyState() }
      if (order.do === 'model') return { model: sentModel(served.running.model()) }
      return served.handle(order)
    },
  })
}

/** Starts a lab, serves it and removes it. Calls `onUp` after notifying the process that requested it that it is running. */
async function hold(order: HoldOrder, held: Held, onUp: () => void): Promise<void> {
  const { cwd, families, mode, kubeProxyBinary, commands } = order
  const prepared = prepareLab(order.directory, {
    ...{ cwd, families, mode, kubeProxyBinary, commands },
    ignoreKinds: new Set(order.ignoreKinds),
  })
  const options = {
    iptables: order.iptables,
    pcap: order.pcap,
    pcapAll: order.pcapAll,
    api: true,
    signal: held.signal,
    label: `up:${prepared.lab.name}`,
    healthz: true,
    onWait: (pods: readonly string[]) => void send({ type: 'wait', pods }),
  }
  const keep = async (running: RunningLab, message: Omit<UpMessage, 'type'>) => {
    const handle = createOrderHandler(running)
    held.served = { running, description: describeUpLab(running), handle, order }
    await send({ type: 'up', ...message })
    onUp()
    await untilEnd(running, held.signal)
  }
  if (!order.run) {
    await withRunningLab(prepared, { ...options, capture: false }, (running) =>
      keep(running, {
        notices: [
          ...sandboxNotices(running.sandbox, prepared.lab.directory),
          ...running.live.failedContainers(),
        ],
      }),
    )
    return
  }
  const { error, kept } = await runPrepared(prepared, {
    ...options,
    onEvent: (event) => void send({ type: 'event', event }),
    ...(order.stepwise ? { beforeStep: askFirst } : {}),
    afterSteps: (running, result) => keep(running, { result }),
  })
  if (kept !== true) throw reported(error ?? 'the lab did not start', exitCode.checkFailed)
}

async function askFirst(step: string): Promise<void> {
  await send({ type: 'ask', step })
  await once(process, 'message')
}

/** Resolves when the signal aborts or the lab has ended. */
async function untilEnd({ sandbox }: RunningLab, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })
  await Promise.race([aborted, sandbox.ended])
}

/** Sends a message to the process that requested the lab, if that still runs. */
async function send(message: HoldMessage): Promise<void> {
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
