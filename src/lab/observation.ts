import type { Cluster } from '../cluster/types.js'
import type { SavedTable } from '../netfilter/save.js'
import type { ConntrackEntry, RuleCount } from '../netfilter/types.js'
import type { Flow } from '../packets/types.js'
import type { Outcome, RequestResult } from '../results/request.js'
import type { Why } from '../diagnose/why/types.js'

/** Everything that was recorded during a step. */
export interface Observation {
  readonly from: string
  readonly requests: readonly RequestResult[]
  /** Flows that the step's requests caused, in order of time; present when a check needs packets. */
  readonly flows: readonly Flow[]
  /** Those of the flows that kube-proxy made for the sender, in mode userspace. */
  readonly relays?: readonly Flow[]
  /** By node: how many packets each rule matched during the step, including rules with 0. */
  readonly ruleCounts: ReadonlyMap<string, readonly RuleCount[]>
  /** By node: the entries after the step. */
  readonly conntrack: ReadonlyMap<string, readonly ConntrackEntry[]>
  /** The cluster after the step. */
  readonly cluster?: Cluster | undefined
  /** By node, of both families: the rules before the step and after it. */
  readonly rules?: ReadonlyMap<string, readonly RulesAround[]> | undefined
  /** The rules that applied to the request and its answer, in order; undefined if they were not traced. */
  readonly path?: readonly RuleOnPath[] | undefined
  /** Why the request fails, predicted from the state of the kernel before it. */
  readonly why?: Why | undefined
  /** The connections of a table that were tried, in the order of its cells. */
  readonly connectivity?: readonly ProbedCell[] | undefined
  /** Why the API server rejected the step's change. */
  readonly rejection?: string | undefined
  /** For a load: during which step each request began. */
  readonly during?: readonly string[] | undefined
}

/** A connection of a table: how it ended, and what stopped it as predicted from the state of the kernel. */
export interface ProbedCell {
  readonly outcome: Outcome
  /** Undefined if it was answered, or is predicted to pass. */
  readonly stoppedBy?: 'rule' | 'other'
  /** The policies that deny it. */
  readonly deniedBy?: readonly string[]
  readonly reason?: string
}

/** The rules of one family on one node, before a step and after it. */
export interface RulesAround {
  readonly before: readonly SavedTable[]
  readonly after: readonly SavedTable[]
}

/** A rule, or the policy of a chain, that applied to a packet. */
export interface RuleOnPath {
  /** The network namespace. */
  readonly place: string
  readonly table: string
  readonly chain: string
  /** As iptables-save prints it, without its chain; undefined for rules that are not known. */
  readonly spec?: string | undefined
}
