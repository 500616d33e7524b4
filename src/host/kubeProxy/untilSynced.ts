import { setTimeout as delay } from 'node:timers/promises'
import type { Sandbox } from '../sandbox/sandbox.js'
import { hasEnded, processesOf, type Rest, type RunningProxy } from './runningProxy.js'
import { readSyncMetrics, type SyncMetrics } from './syncMetrics.js'

/** A change that a kube-proxy must follow. */
export interface AwaitedSync {
  /** The families whose rules change. */
  readonly families: readonly string[]
  /** When the API began to show the change, in milliseconds of the epoch. */
  readonly sinceMs: number
}

/** Time without another sync, and without a process of one. */
const quietMs = 150

/** Longest time until a kube-proxy requests a sync. After it, this version writes no rule for the change. */
const requestMs = 30_000

/** Longest time for the sync. After it, the checks of the lab show what is missing. */
const patienceMs = 60_000

const pollMs = 40

/** Time between two looks at the processes of a kube-proxy: programs of a sync take longer. */
const lookMs = 5

/**
 * Resolves when a kube-proxy has written the rules for a change, with its state: a sync was requested after it, has succeeded
 * and ended, and no other one followed. A sync deletes conntrack entries after the timestamp of its success; until it has
 * ended, it is not counted and has processes. Without metrics, that is without a state before, resolves at once. Throws
 * CommandError if the kube-proxy ends.
 */
export async function untilSynced(
  sandbox: Sandbox,
  proxy: RunningProxy,
  url: string | undefined,
  awaited: AwaitedSync,
  before: Rest | undefined,
): Promise<Rest | undefined> {
  const start = performance.now()
  let quietAt: number | undefined
  for (let { sinceMs } = awaited; before !== undefined && performance.now() - start < patienceMs;) {
    const metrics = await readSyncMetrics(sandbox, proxy.planned.netns, url)
    if (proxy.state.ended) throw await hasEnded(sandbox, proxy)
    if (metrics === undefined) return before
    const { count } = metrics
    const late = performance.now() - start > requestMs
    if (late) sinceMs = 0
    const ended = late || count >= before.count + awaited.families.length
    const settled = ended && follows(metrics, { ...awaited, sinceMs })
    if (settled && quietAt === count) return { ...before, count }
    const wait = settled ? isQuiet(proxy, before) : delay(pollMs)
    quietAt = (await Promise.race([wait, proxy.command.process])) === true ? count : undefined
  }
  return before
}

/** Whether a kube-proxy runs no sync for a while. Between two programs of a sync there is no process, but not for long. */
async function isQuiet(proxy: RunningProxy, before: Rest): Promise<boolean> {
  for (const start = performance.now(); performance.now() - start < quietMs;) {
    if (inSync(proxy, before).length > 0) return false
    await delay(lookMs)
  }
  return true
}

/** The processes that a kube-proxy has started for a sync that runs now. */
function inSync(proxy: RunningProxy, { processes }: Rest): number[] {
  return processesOf(proxy).filter((pid) => !processes.has(pid))
}

/** Whether syncs of these families were requested after the change, and none is waiting. */
export function follows({ families }: SyncMetrics, awaited: AwaitedSync): boolean {
  const isWanted = (family: string) => family === '' || awaited.families.includes(family)
  return [...families].every(
    ([family, { queued, synced }]) =>
      synced >= queued && (!isWanted(family) || queued * 1000 >= awaited.sinceMs),
  )
}
