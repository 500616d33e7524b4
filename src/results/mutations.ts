import type { IpFamily } from '../net/ipFamily.js'

/** What became of a lab without one rule. */
export type Verdict =
  /** A check failed, or the lab did not even come up. */
  | { readonly kind: 'caught'; readonly step: string; readonly check: string }
  | { readonly kind: 'not caught' }
  /** The run was broken off before a check failed. */
  | { readonly kind: 'undecided'; readonly reason: string }

/** One rule of kube-proxy's that a lab was run without, on each node where packets met it. */
export interface Mutation {
  readonly family: IpFamily
  readonly table: string
  readonly chain: string
  /** As iptables-save prints it, without `-A CHAIN`. */
  readonly spec: string
  /** Why kube-proxy writes it. */
  readonly why: string
  /** `namespace/name:port` of the Service that it belongs to; absent for one that all share. */
  readonly servicePort?: string | undefined
  /** The nodes on which it was taken away, one at a time, with this verdict. */
  readonly nodes: readonly string[]
  /** It stands for so many rules of the Service port, alike but for the endpoint, of which only some are tried; 1 otherwise. */
  readonly alike: number
  readonly verdict: Verdict
  /** Why the lab claims nothing about it, where it says so. */
  readonly unclaimed?: string | undefined
}

/** Where rules were taken away from a lab. */
export interface LabMutations {
  readonly lab: string
  readonly title: string
  /** True when every rule that packets met was caught, but for those that the lab does not claim anything about. */
  readonly ok: boolean
  readonly mutations: readonly Mutation[]
  /** How many rules no packet met. */
  readonly notMet: number
  /** Patterns of `unclaimed` that no rule is like. */
  readonly idle: readonly string[]
  /** Milliseconds that its runs took, one after the other; with several at once less time has passed. */
  readonly durationMs: number
  /** Why no rule could be taken away. */
  readonly skipped?: string | undefined
  /** Why the lab is no measure: it fails as it is. */
  readonly error?: string | undefined
}

/** True for a rule that was caught, and for one about which the lab claims nothing. */
export function mutationFine({ verdict, unclaimed }: Mutation): boolean {
  return verdict.kind === 'caught' || unclaimed !== undefined
}
