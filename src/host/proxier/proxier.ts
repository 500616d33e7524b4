import { systemClock, type Clock } from '../../clock.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { isKnownError } from '../../errors.js'
import { changesBetween, type Changes } from '../../proxy/changes.js'
import type { ProxyInput } from '../../proxy/input.js'
import { modeOf } from '../../proxy/modes.js'
import { staleConntrackEntries } from '../../proxy/staleConntrack.js'
import type { FullSyncReason, SyncReport } from '../../proxy/syncReport.js'
import type { NodePortals } from '../userspace/nodePortals.js'
import type { NodeTables } from './nodeTables.js'
import type { RulesSynced, RuleWriter, StandingRules } from './ruleWriter.js'
import { createRunner } from './runner.js'

const hourMs = 3_600_000

export interface ProxierOptions {
  readonly node: string
  readonly family: IpFamily
  readonly tables: NodeTables
  /** What the first sync is to bring about, or, when `adopt` is set, what the kernel has been loaded with already. */
  readonly input: ProxyInput
  readonly adopt?: boolean | undefined
  /** The process that owns the node's portals; mode userspace cannot do without. */
  readonly portals?: NodePortals | undefined
  readonly clock?: Clock | undefined
  /** Told of every sync, also of those that nobody asked for. */
  readonly onSync?: ((report: SyncReport) => void) | undefined
}

/** Keeps one family's rules of one node in step with the cluster. */
export interface Proxier {
  /** Brings the rules to what they should be. A sync that fails says so in its report and is tried again later. */
  sync(next: ProxyInput): Promise<SyncReport>
  /** Looks whether the rules were flushed, or an hour passed without a sync; the report when that led to one. */
  check(): Promise<SyncReport | undefined>
  /** False when an update has been waiting for twice syncPeriod without a sync that succeeded. */
  healthy(): boolean
  /** Gives up a retry that waits. */
  stop(): void
}

/** What the modes have in common: when is synced, how much of it, and what follows; mirrors their Proxier types. */
export function proxierOf<Rules extends StandingRules>(
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
  /** What the kernel has; undefined when that is not known. */
  let standing: Rules | undefined
  let fullBecause: FullSyncReason | undefined = adopt ? undefined : 'start'
  let cleanConntrack = false
  let [lastRun, lastFull] = [now(), now()]
  let waitingSince: number | undefined
  let cancelRetry: (() => void) | undefined

  async function run(): Promise<SyncReport> {
    const start = performance.now()
    const next = desired
    const changes = changesBetween(applied, next, family)
    standing ??= applied === undefined || fullBecause !== undefined ? undefined : writer.build(applied)
    const because = fullBecause ?? reasonOf(changes)
    // a canary that is found gone from here on asks for another full sync
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
    const told = {
      kind: because === undefined ? 'partial' : 'full',
      fullBecause: because,
      ...synced,
      entriesDeleted,
    } as const
    if (synced.error !== undefined) {
      failed()
      return tell(report({ ...told, ok: false }))
    }
    succeeded(next, because !== undefined)
    const cleaned = await deleteStaleEntries()
    return tell(
      report({
        ...told,
        ...cleaned,
        entriesDeleted: [...entriesDeleted, ...cleaned.entriesDeleted],
        error: complaint ?? cleaned.error,
      }),
    )
  }

  /** The first sync and one after a failure are full in any case. */
  function reasonOf(changes: Changes): FullSyncReason | undefined {
    if (changes.full) return applied === undefined ? 'start' : 'zone'
    const spared = standing !== undefined && writer.spared(standing)
    if (now() - lastFull <= resyncMs || spared) return undefined
    return resyncMs < hourMs ? 'period' : 'hourly'
  }

  async function write(next: ProxyInput, changes: Changes, full: boolean): Promise<RulesSynced> {
    const before = full ? undefined : standing
    try {
      const { after, ...synced } = await writer.write({ before, next, changes, now: lastRun })
      standing = after
      return synced
    } catch (error) {
      if (!isKnownError(error)) throw error
      return { error: error.message, linesWritten: 0, chainsDeleted: [] }
    }
  }

  function failed(): void {
    standing = undefined
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

  /** Entries are looked for when a UDP port's endpoints changed; after a sync that failed, with the next that succeeds. */
  async function deleteStaleEntries(): Promise<Pick<SyncReport, 'entriesDeleted' | 'error'>> {
    if (!cleanConntrack) return { entriesDeleted: [] }
    try {
      const stale = staleConntrackEntries(await tables.udpEntries(), standing?.servicePorts ?? [])
      const entriesDeleted = await tables.deleteEntries(stale)
      cleanConntrack = false
      return { entriesDeleted }
    } catch (error) {
      if (!isKnownError(error)) throw error
      return { entriesDeleted: [], error: error.message }
    }
  }

  function tell(report: SyncReport): SyncReport {
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
