import type { ConntrackEntry } from '../../netfilter/types.js'
import type { Changes } from '../../agents/kubeProxy/changes.js'
import type { ProxyInput } from '../../agents/kubeProxy/input.js'
import type { PortWithEndpoints } from '../../agents/kubeProxy/staleConntrack.js'
import type { SyncReport } from '../../agents/kubeProxy/syncReport.js'

/** The rules in the kernel, in the form of a kube-proxy mode. */
export interface CurrentRules {
  readonly servicePorts: readonly PortWithEndpoints[]
}

/** What was written, and the error of the tool that wrote it. */
export interface RulesSynced extends Pick<SyncReport, 'cannotRun'> {
  readonly error: string | undefined
  readonly linesWritten: number
  readonly chainsDeleted: readonly string[]
  /** A difference from the desired state that is no failure and that a retry would not fix. */
  readonly complaint?: string | undefined
  /** Conntrack entries that the mode deletes itself. */
  readonly entriesDeleted?: readonly ConntrackEntry[] | undefined
}

/** The target of a sync. */
export interface RulesWanted<Rules> {
  /** The rules in the kernel; undefined for a full sync. */
  readonly before: Rules | undefined
  readonly next: ProxyInput
  readonly changes: Pick<Changes, 'services'>
  /** Milliseconds since 1970. */
  readonly now: number
}

/** How one mode of kube-proxy keeps the rules of one node and family. */
export interface RuleWriter<Rules extends CurrentRules> {
  /** The rules after a full sync. */
  build(input: ProxyInput): Rules
  /** Writes the rules; `after` is the state of the kernel if nothing failed. May throw CommandError. */
  write(wanted: RulesWanted<Rules>): Promise<RulesSynced & { readonly after: Rules }>
  /** True if no full sync is due each hour: of this version, or as the cluster is too large. */
  spared(rules: Rules): boolean
  /** Whether the rules were flushed, as far as the mode checks it. */
  flushed(): Promise<boolean>
  /** Milliseconds without a write after which a full sync is due; an hour by default. */
  readonly resyncMs?: number | undefined
  /** Cancels pending work. */
  stop?(): void
}

/** Number of lines of a text. */
export function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
