import type { CommandError } from '../../errors.js'
import type { TraceMessage } from '../../netfilter/trace/types.js'
import { requireTools } from '../environment.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import {
  listenIn,
  tracers,
  type TracedPlace,
  type TraceListener,
  type TraceOptions,
} from './traceListener.js'

/** The kernel’s trace of packets in several namespaces. */
export interface KernelTrace {
  /** The names of the interfaces of each place, by index. */
  readonly interfaces: ReadonlyMap<string, ReadonlyMap<number, string>>
  /**
   * What the kernel has reported since the start or the last call, by place, in order; of a namespace that was removed, what is
   * known. Throws CommandError, and the signal's reason if it aborts first.
   */
  take(): Promise<ReadonlyMap<string, readonly TraceMessage[]>>
  /** Ends the trace and removes its tables. */
  stop(): Promise<void>
}

/** The kernel reports at once, unless the host is busy. */
const patienceMs = 120_000
/** A marker that is sent before socat listens is lost: markers are repeated, at growing intervals. */
const markAgainMs = 20

/**
 * Traces packets in these namespaces and resolves once every listener receives. Throws CommandError, CannotRunError, and the
 * signal's reason if it aborts first.
 */
export async function startKernelTrace(
  sandbox: Sandbox,
  places: readonly TracedPlace[],
  options: TraceOptions,
): Promise<KernelTrace> {
  requireTools(['nft', 'socat', 'bash'])
  const { signal } = options
  const { table, nowhere } = tracers[options.tracer]
  let wake: () => void = () => undefined
  const aborted = () => wake()
  signal?.addEventListener('abort', aborted)
  const present = places.filter(({ netns }) => isThere(sandbox, netns))
  const started = await Promise.allSettled(
    present.map((one) => listenIn(sandbox, one, options, () => wake())),
  )
  const all = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const stop = async () => {
    signal?.removeEventListener('abort', aborted)
    const remove = ['nft', 'delete', 'table', 'inet', table]
    await Promise.all([...all.map((one) => one.end()), runInEach(sandbox, all, remove)])
  }
  let sent = 0
  /** Resolves when all packets before the call are reported: each listener has reported a marker sent after them. */
  const drain = async () => {
    const marker = sent + 1
    const deadline = performance.now() + patienceMs
    const waiting = () => all.filter((one) => one.seen() < marker && isThere(sandbox, one.netns))
    for (let waitMs = markAgainMs; ; waitMs = Math.min(2 * waitMs, 1000)) {
      const late = waiting()
      const [first] = late
      if (first === undefined) return
      signal?.throwIfAborted()
      const fault = faultOf(late)
      if (fault !== undefined) throw fault
      if (performance.now() > deadline) throw first.failed(`printed nothing for ${patienceMs / 1000} s`)
      await runInEach(sandbox, late, ['bash', '-c', `echo > /dev/udp/${nowhere}/${++sent}`])
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs)
        wake = () => {
          const still = waiting()
          if (still.length > 0 && faultOf(still) === undefined && signal?.aborted !== true) return
          clearTimeout(timer)
          resolve()
        }
        wake()
      })
    }
  }
  try {
    const failed = started.find((one) => one.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    await drain()
  } catch (error) {
    await stop()
    throw error
  }
  for (const one of all) one.take()
  return {
    interfaces: new Map(all.map(({ place, interfaces }) => [place, interfaces])),
    async take() {
      await drain()
      return new Map(all.map((one) => [one.place, one.take()]))
    },
    stop,
  }
}

function faultOf(listeners: readonly TraceListener[]): CommandError | undefined {
  return listeners.map((one) => one.fault()).find((fault) => fault !== undefined)
}

/** A namespace can be removed meanwhile: errors are ignored. */
async function runInEach(
  sandbox: Sandbox,
  listeners: readonly TraceListener[],
  argv: readonly string[],
): Promise<void> {
  const each = listeners.map(({ netns }) =>
    netns === undefined ? '/proc/self/ns/net' : `/run/netns/${netns}`,
  )
  if (each.length > 0) await sandbox.run(['nsenter', '--net={}', '--', ...argv], { each, stdout: 'ignore' })
}

/** Whether a namespace exists: that of a pod is removed with the pod. */
export function isThere({ inside }: Pick<Sandbox, 'inside'>, netns: string | undefined): boolean {
  return netns === undefined || inside.exists(`/run/netns/${netns}`)
}
