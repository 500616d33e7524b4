import { systemClock, type Clock } from '../../clock.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { CannotRunError, isKnownError } from '../../errors.js'
import { changesBetween, type Changes } from '../../agents/kubeProxy/changes.js'
import type { ProxyInput } from '../../agents/kubeProxy/input.js'
import { modeOf } from '../../agents/kubeProxy/modes.js'
import { staleConntrackEntries } from '../../agents/kubeProxy/staleConntrack.js'
import type { FullSyncReason, SyncReport } from '../../agents/kubeProxy/syncReport.js'
import type { NodePortals } from '../userspace/nodePortals.js'
import type { NodeTables } from './nodeTables.js'
import type { RulesSynced, RuleWriter, CurrentRules } from './ruleWriter.js'
import { createRunner } from './runner.js'

const hourMs = 3_600_000

export interface ProxierOptions {
  readonly node: string
  readonly family: IpFamily
  readonly tables: NodeTables
  /** The target of the first sync; with `adopt`, the state that the kernel already has. */
  readonly input: ProxyInput
  readonly adopt?: boolean | undefined
  /** The process that owns the node's portals; required in mode userspace. */
  readonly portals?: NodePortals | undefined
  readonly clock?: Clock | undefined
  /** Called after every sync, including periodic syncs and retries. */
  readonly onSync?: ((report: SyncReport) => void) | undefined
}

/** Keeps the rules of one node and family in sync with the cluster. */
export interface Proxier {
  /** Writes the rules for this state. A failed sync is reported as failed and retried later. */
  sync(next: ProxyInput): Promise<SyncReport>
  /** Syncs if the rules were flushed or an hour passed without a sync; returns the report of that sync. */
  check(): Promise<SyncReport | undefined>
  /** False if an update has been waiting for twice syncPeriod without a successful sync. */
  healthy(): boolean
  /** Cancels a pending retry. */
  stop(): void
}

/** The part that all modes share: when to sync, fully or partially, and clean-up; mirrors their Proxier types. */
export function proxierOf<Rules extends CurrentRules>(
  options: ProxierOptions,
  writer: RuleWriter<Rules>,
): Proxier {
  const { node, family, tables, input, adopt = false, clock = systemClock, onSync } = options
  const { syncPeriod, minSyncPeriod } = input.config[modeOf(input.config.mode).section]
  const syncPeriodMs = syncPeriod * 1000
  const { resyncMs = hourMs } = writer
  const now = () => clock.now().getTime()
  const runner = createRunner(run, minSyncPeriod * 1000, clock)

  let desired = input
  let applied = adopt ? input : undefined
  /** The rules in the kernel; undefined if unknown. */
  let current: Rules | undefined
  let fullBecause: FullSyncReason | undefined = adopt ? undefined : 'start'
  let cleanConntrack = false
  let [lastRun, lastFull] = [now(), now()]
  let waitingSince: number | undefined
  let cancelRetry: (() => void) | undefined

  async function run(): Promise<SyncReport> {
    const start = performance.now()
    const next = desired
    const changes = changesBetween(applied, next, family)
    current ??= applied === undefined || fullBecause !== undefined ? undefined : writer.build(applied)
    const because = fullBecause ?? reasonOf(changes)
    // a canary that is found missing from now on causes another full sync
    fullBecause = undefined
    const report = (rest: Partial<SyncReport>): SyncReport => ({
      ...{ node, family, kind: 'none', ok: true, services: [...changes.services], linesWritten: 0 },
      ...{ chainsDeleted: [], entriesDeleted: [], durationMs: performance.now() - start },
      ...rest,
    })
    applied = next
    if (because === undefined && !changes.sync && now() - lastRun < resyncMs) {
      waitingSince = undefined
      return report({})
    }
    cleanConntrack ||= changes.cleanConntrack
    lastRun = now()
    const { entriesDeleted = [], complaint, ...synced } = await write(next, changes, because !== undefined)
    const common = {
      kind: because === undefined ? 'partial' : 'full',
      fullBecause: because,
      ...synced,
      entriesDeleted,
    } as const
    if (synced.error !== undefined) {
      failed()
      return notify(report({ ...common, ok: false }))
    }
    succeeded(next, because !== undefined)
    const cleaned = await deleteStaleEntries()
    return notify(
      report({
        ...common,
        ...cleaned,
        entriesDeleted: [...entriesDeleted, ...cleaned.entriesDeleted],
        error: complaint ?? cleaned.error,
      }),
    )
  }

  /** The first sync and the sync after a failure are always full. */
  function reasonOf(changes: Changes): FullSyncReason | undefined {
    if (changes.full) return applied === undefined ? 'start' : 'zone'
    const spared = current !== undefined && writer.spared(current)
    if (now() - lastFull <= resyncMs || spared) return undefined
    return resyncMs < hourMs ? 'period' : 'hourly'
  }

  async function write(next: ProxyInput, changes: Changes, full: boolean): Promise<RulesSynced> {
    const before = full ? undefined : current
    try {
      const { after, ...synced } = await writer.write({ before, next, changes, now: lastRun })
      current = after
      return synced
    } catch (error) {
      if (!isKnownError(error)) throw error
      const cannotRun = error instanceof CannotRunError ? error : undefined
      return { error: error.message, cannotRun, linesWritten: 0, chainsDeleted: [] }
    }
  }

  function failed(): void {
    current = undefined
    fullBecause = 'retry'
    waitingSince ??= lastRun
    cancelRetry?.()
    cancelRetry = clock.after(syncPeriodMs, () => void runner.request())
  }

  function succeeded(next: ProxyInput, full: boolean): void {
    if (full) lastFull = lastRun
    if (desired === next) waitingSince = undefined
    cancelRetry?.()
  }

  /** Deletes stale entries if a UDP port's endpoints changed; after a failed sync, with the next successful one. */
  async function deleteStaleEntries(): Promise<Pick<SyncReport, 'entriesDeleted' | 'error'>> {
    if (!cleanConntrack) return { entriesDeleted: [] }
    try {
      const stale = staleConntrackEntries(
        await tables.udpEntries(),
        current?.servicePorts ?? [],
        desired.config.version,
      )
      const entriesDeleted = await tables.deleteEntries(stale)
      cleanConntrack = false
      return { entriesDeleted }
    } catch (error) {
      if (!isKnownError(error)) throw error
      return { entriesDeleted: [], error: error.message }
    }
  }

  function notify(report: SyncReport): SyncReport {
    onSync?.(report)
    return report
  }

  return {
    sync(next) {
      desired = next
      waitingSince ??= now()
      return runner.request()
    },
    async check() {
      if (await writer.flushed()) {
        fullBecause = 'canary'
        return runner.requestNow()
      }
      return now() - lastRun >= resyncMs ? runner.request() : undefined
    },
    healthy: () => waitingSince === undefined || now() - waitingSince < 2 * syncPeriodMs,
    stop() {
      cancelRetry?.()
      writer.stop?.()
    },
  }
}
