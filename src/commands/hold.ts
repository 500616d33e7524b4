import { once } from 'node:events'
import { Command } from 'commander'
import { isKnownError } from '../errors.js'
import { upLabel, writeProxyState, writeState } from '../host/upLabs.js'
import { weaknessNotice } from '../host/weakness.js'
import { hasKubeProxy } from '../lab/planLab.js'
import { prepareLab } from '../lab/prepareLab.js'
import { runPrepared } from '../lab/runLab.js'
import type { LabState } from '../lab/live/types.js'
import { startLab } from '../lab/startLab.js'
import type { StartedLab } from '../lab/startedLab.js'
import { serveControl } from './control/server.js'
import { endOnSignals } from './endOnSignals.js'
import type { HoldMessage, HoldOrder } from './holder.js'

/** `vethlab hold`: the process behind a lab that is up; `up` and `run --keep` start it. */
export function holdCommand(): Command {
  return new Command('hold').argument('<lab>').action(async () => {
    const [order] = (await once(process, 'message')) as [HoldOrder]
    const controller = new AbortController()
    const ended = endOnSignals(controller)
    // until the lab is up it belongs to whoever asked for it
    const orphaned = () => controller.abort()
    process.once('disconnect', orphaned)
    try {
      const started = await bringUp(order, controller.signal)
      process.off('disconnect', orphaned)
      await staysUntil(started, controller.signal)
    } catch (error) {
      await say(toMessage(error))
    }
    process.exitCode = ended.code ?? 0
  })
}

async function bringUp(order: HoldOrder, signal: AbortSignal): Promise<StartedLab> {
  const { cwd, families, mode } = order
  const prepared = prepareLab(order.directory, {
    cwd,
    families,
    mode,
    ignoreKinds: new Set(order.ignoreKinds),
  })
  const options = {
    iptables: order.iptables,
    pcap: order.pcap,
    kubeProxyBinary: order.kubeProxyBinary,
    api: true,
    signal,
    label: upLabel(prepared.lab.name),
    healthz: true,
  }
  if (!order.run) {
    const started = await startLab(prepared, { ...options, capture: false })
    await stays(started, order)
    await say({ type: 'up', notices: weaknessNotice(started.sandbox) })
    return started
  }
  let kept: StartedLab | undefined
  const result = await runPrepared(prepared, {
    ...options,
    onEvent: (event) => void say({ type: 'event', event }),
    ...(order.stepwise ? { beforeStep: askFirst } : {}),
    afterSteps: async (started) => {
      kept = started
      await stays(started, order)
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

/** Makes a lab one that others find, look into and change. */
async function stays(started: StartedLab, order: HoldOrder): Promise<void> {
  const startedAt = Date.now()
  await serveControl(started, new Set(order.ignoreKinds))
  started.live.follow((state) => leaveWord(started, state, startedAt))
  await leaveWord(started, started.live.state(), startedAt)
}

async function leaveWord(
  { prepared, sandbox, machine, proxiers }: StartedLab,
  { cluster, topology, view }: LabState,
  startedAt: number,
): Promise<void> {
  const { lab, config } = prepared
  const { nodes, services, endpointSlices } = cluster
  await writeProxyState(sandbox, {
    cluster: { nodes, services, endpointSlices },
    config,
    changedConfigs: Object.fromEntries(proxiers?.changedConfigs() ?? []),
    kubeProxy: hasKubeProxy(prepared),
    families: topology.families,
    nfacct: machine.nfacct,
    randomFully: machine.iptables.randomFully,
    backend: machine.iptables.backend,
  })
  await writeState(sandbox, {
    lab: lab.name,
    title: lab.title,
    directory: lab.directory,
    startedAt,
    holder: process.pid,
    rootless: sandbox.rootless,
    view,
    places: topology.places.map(({ kind, name, namespace, netns }) => ({ kind, name, namespace, netns })),
  })
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

/** Resolves when the message is on its way; whoever asked may have gone in the meantime. */
async function say(message: HoldMessage): Promise<void> {
  await new Promise<void>((resolve) => {
    if (process.connected) process.send?.(message, () => resolve())
    else resolve()
  })
}

function toMessage(error: unknown): HoldMessage {
  if (isKnownError(error)) return { type: 'error', message: error.message, exitCode: error.exitCode }
  return {
    type: 'error',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    exitCode: 70,
  }
}
