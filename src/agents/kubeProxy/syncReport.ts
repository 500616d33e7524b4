import type { CannotRunError } from '../../errors.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { ConntrackEntry } from '../../netfilter/types.js'

/**
 * Why a sync was full: the first one, a new zone, a missing canary, an earlier failure, an hour passed, or in
 * mode ipvs a syncPeriod.
 */
export type FullSyncReason = 'start' | 'zone' | 'canary' | 'retry' | 'hourly' | 'period'

/** What one sync of one node's kube-proxy did in one family. */
export interface SyncReport {
  readonly node: string
  readonly family: IpFamily
  /** `none` if no change affects rules; then no command ran. */
  readonly kind: 'none' | 'partial' | 'full'
  readonly fullBecause?: FullSyncReason | undefined
  /** Whether the rules are correct; if not, the next sync is a full one. */
  readonly ok: boolean
  /** Errors; with `ok` these are conntrack errors, which are retried, or node ports already in use. */
  readonly error?: string | undefined
  /** That error, if a tool of the host hung or could not be started. */
  readonly cannotRun?: CannotRunError | undefined
  /** `namespace/name` of the Services that changed since the sync before. */
  readonly services: readonly string[]
  /** Lines of input to iptables-restore and similar programs. */
  readonly linesWritten: number
  /** Chains of Services and endpoints that were removed. */
  readonly chainsDeleted: readonly string[]
  /** UDP entries that were deleted because their endpoint no longer serves. */
  readonly entriesDeleted: readonly ConntrackEntry[]
  readonly durationMs: number
}
