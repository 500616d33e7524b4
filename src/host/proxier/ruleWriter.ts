import type { ConntrackEntry } from '../../netfilter/types.js'
import type { Changes } from '../../proxy/changes.js'
import type { ProxyInput } from '../../proxy/input.js'
import type { PortWithEndpoints } from '../../proxy/staleConntrack.js'

/** What stands in the kernel, as a mode of kube-proxy keeps it. */
export interface StandingRules {
  readonly servicePorts: readonly PortWithEndpoints[]
}

/** What was written, and what the tool that wrote it complained about. */
export interface RulesSynced {
  readonly error: string | undefined
  readonly linesWritten: number
  readonly chainsDeleted: readonly string[]
  /** What is not as the cluster asks for it although nothing failed, and will not be by trying again. */
  readonly complaint?: string | undefined
  /** Conntrack entries that the mode deletes itself. */
  readonly entriesDeleted?: readonly ConntrackEntry[] | undefined
}

/** What a sync is to bring about. */
export interface RulesWanted<Rules> {
  /** What stands in the kernel; undefined for a full sync. */
  readonly before: Rules | undefined
  readonly next: ProxyInput
  readonly changes: Pick<Changes, 'services'>
  /** Milliseconds of the clock. */
  readonly now: number
}

/** How one mode of kube-proxy keeps the rules of one node and family. */
export interface RuleWriter<Rules extends StandingRules> {
  /** What a full sync would leave. */
  build(input: ProxyInput): Rules
  /** Brings the kernel there, and tells what stands then if nothing failed. May throw CommandError. */
  write(wanted: RulesWanted<Rules>): Promise<RulesSynced & { readonly after: Rules }>
  /** Whether this cluster is too large for a full sync each hour. */
  spared(rules: Rules): boolean
  /** Whether somebody flushed the rules, as far as the mode looks. */
  flushed(): Promise<boolean>
  /** How long nothing may be written, in milliseconds, until a full sync is due; an hour unless told. */
  readonly resyncMs?: number | undefined
  /** Gives up what waits. */
  stop?(): void
}

/** How many lines a text has. */
export function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
