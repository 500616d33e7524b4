import type { IpFamily } from '../net/ipFamily.js'
import type { ConntrackEntry } from '../netfilter/types.js'

/**
 * Why everything was looked at: the first sync, the node's zone, a canary that was gone, a failure before, an hour, or in
 * mode ipvs a syncPeriod.
 */
export type FullSyncReason = 'start' | 'zone' | 'canary' | 'retry' | 'hourly' | 'period'

/** What one sync of one node's kube-proxy did in one family. */
export interface SyncReport {
  readonly node: string
  readonly family: IpFamily
  /** `none` when nothing changed that rules are made from; nothing was run then. */
  readonly kind: 'none' | 'partial' | 'full'
  readonly fullBecause?: FullSyncReason | undefined
  /** Whether the rules are what they should be; if not, the next sync is a full one. */
  readonly ok: boolean
  /** What was complained about: with `ok` it was conntrack, which is asked again, or a node port that is taken. */
  readonly error?: string | undefined
  /** `namespace/name` of the Services that changed since the sync before. */
  readonly services: readonly string[]
  /** Lines of the texts that iptables-restore and its like were fed. */
  readonly linesWritten: number
  /** Chains of Services and endpoints that were removed. */
  readonly chainsDeleted: readonly string[]
  /** UDP entries that were deleted because they led to an endpoint that does not serve any more. */
  readonly entriesDeleted: readonly ConntrackEntry[]
  readonly durationMs: number
}
