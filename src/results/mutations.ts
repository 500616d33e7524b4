import type { IpFamily } from '../net/ipFamily.js'

/** The outcome of a lab without one rule. */
export type Verdict =
  /** A check failed, or the lab did not start. */
  | { readonly kind: 'caught'; readonly step: string; readonly check: string }
  | { readonly kind: 'not caught' }
  /** The run was interrupted before a check failed. */
  | { readonly kind: 'undecided'; readonly reason: string }

/** A rule of kube-proxy, or of the agent of network policies, without which a lab was run, on each node where it matched packets. */
export interface Mutation {
  readonly family: IpFamily
  readonly table: string
  readonly chain: string
  /** As iptables-save prints it, without `-A CHAIN`. */
  readonly spec: string
  /** Why it is written. */
  readonly why: string
  /** `namespace/name:port` of the Service that it belongs to; absent for a rule that all Services share. */
  readonly servicePort?: string | undefined
  /** The policy or pod that it belongs to: `NetworkPolicy default/web`; absent for rules of kube-proxy. */
  readonly object?: string | undefined
  /** The nodes on which it was removed, one at a time, with this verdict. */
  readonly nodes: readonly string[]
  /** The number of rules of the Service port that differ only in the endpoint, of which only some are tested; otherwise 1. */
  readonly alike: number
  readonly verdict: Verdict
  /** The lab's reason for not checking it, from `mutate.uncovered`. */
  readonly uncovered?: string | undefined
}

/** The rules that were removed from a lab, one at a time, and the outcomes. */
export interface LabMutations {
  readonly lab: string
  readonly title: string
  /** True when every rule that matched packets was caught, except those listed in `mutate.uncovered`. */
  readonly ok: boolean
  readonly mutations: readonly Mutation[]
  /** Number of rules that matched no packet. */
  readonly notMet: number
  /** Patterns of `mutate.uncovered` that no rule matches. */
  readonly idle: readonly string[]
  /** Sum of the times of its runs in milliseconds; less time has passed if several ran in parallel. */
  readonly durationMs: number
  /** Why no rule could be removed. */
  readonly skipped?: string | undefined
  /** Set when the lab fails even with all rules. */
  readonly error?: string | undefined
}

/** True for a rule that was caught, and for a rule listed in `mutate.uncovered`. */
export function mutationOk({ verdict, uncovered }: Mutation): boolean {
  return verdict.kind === 'caught' || uncovered !== undefined
}
