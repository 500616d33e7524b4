import { setTimeout as delay } from 'node:timers/promises'
import type { Sandbox } from '../sandbox/sandbox.js'
import { hasEnded, type RunningProxy } from './runningProxy.js'
import { readSyncMetrics, type SyncMetrics } from './syncMetrics.js'

/** A change that a kube-proxy must follow. */
export interface AwaitedSync {
  /** The families whose rules change. */
  readonly families: readonly string[]
  /** When the API began to show the change, in milliseconds of the epoch. */
  readonly sinceMs: number
}

/** Time without another sync: the end of a sync, which deletes conntrack entries, follows its timestamp. */
const quietMs = 150

/** Longest time until a kube-proxy requests a sync. After it, this version writes no rule for the change. */
const requestMs = 4000

/** Longest time for the sync. After it, the checks of the lab show what is missing. */
const patienceMs = 30_000

const pollMs = 40

/**
 * Resolves when a kube-proxy has written the rules for a change: a sync was requested after it, has succeeded, and no
 * other one followed. Resolves at once without metrics. Throws CommandError if the kube-proxy ends.
 */
export async function untilSynced(
  sandbox: Sandbox,
  proxy: RunningProxy,
  url: string | undefined,
  awaited: AwaitedSync,
): Promise<void> {
  const start = performance.now()
  let quiet: { count: number; since: number } | undefined
  for (let sinceMs = awaited.sinceMs; performance.now() - start < patienceMs;) {
    const metrics = await readSyncMetrics(sandbox, proxy.planned.netns, url)
    if (proxy.state.ended) throw await hasEnded(sandbox, proxy)
    if (metrics === undefined) return
    if (performance.now() - start > requestMs) sinceMs = 0
    if (!follows(metrics, { ...awaited, sinceMs })) quiet = undefined
    else if (quiet?.count !== metrics.count) quiet = { count: metrics.count, since: performance.now() }
    else if (performance.now() - quiet.since >= quietMs) return
    await Promise.race([delay(pollMs), proxy.command.process])
  }
}

/** Whether syncs of these families were requested after the change, and none is waiting. */
export function follows({ families }: SyncMetrics, awaited: AwaitedSync): boolean {
  const isWanted = (family: string) => family === '' || awaited.families.includes(family)
  return [...families].every(
    ([family, { queued, synced }]) =>
      synced >= queued && (!isWanted(family) || queued * 1000 >= awaited.sinceMs),
  )
}
