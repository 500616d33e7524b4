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
  let quiet: { count: number; since: number } | undefined
  for (let { sinceMs } = awaited; before !== undefined && performance.now() - start < patienceMs;) {
    const metrics = await readSyncMetrics(sandbox, proxy.planned.netns, url)
    if (proxy.state.ended) throw await hasEnded(sandbox, proxy)
    if (metrics === undefined) return before
    const { count } = metrics
    const late = performance.now() - start > requestMs
    if (late) sinceMs = 0
    const ended =
      (late || count >= before.count + awaited.families.length) && inSync(proxy, before).length === 0
    if (!ended || !follows(metrics, { ...awaited, sinceMs })) quiet = undefined
    else if (quiet?.count !== count) quiet = { count, since: performance.now() }
    else if (performance.now() - quiet.since >= quietMs) return { ...before, count }
    await Promise.race([delay(pollMs), proxy.command.process])
  }
  return before
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
