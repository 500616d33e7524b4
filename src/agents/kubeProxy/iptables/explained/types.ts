import type { IpFamily } from '../../../../net/ipFamily.js'

/**
 * How a rule in the kernel compares with what kube-proxy writes: it is as written, differs, is missing, is
 * an extra rule in kube-proxy's chains, or belongs to another program.
 */
export type RuleState = 'expected' | 'different' | 'missing' | 'extra' | 'foreign'

/** One rule with its counters and explanation. */
export interface ExplainedRule {
  readonly state: RuleState
  /** As iptables-save prints it, without `-A CHAIN`; for a missing rule, the expected one. */
  readonly spec: string
  /** What kube-proxy writes instead of a rule that differs. */
  readonly expected?: string
  /** Absent for a missing rule, and if the saved text has no counters. */
  readonly packets?: number
  readonly bytes?: number
  readonly why: string
}

/** The rules of one chain that belong together, in order. */
export interface ExplainedChain {
  readonly table: string
  readonly chain: string
  /** Short description of the chain. */
  readonly about: string
  /** `address:port` of the endpoint, in a chain that is an endpoint's. */
  readonly endpoint?: string
  readonly rules: readonly ExplainedRule[]
}

/** The rules of one port of a Service, in the order of a packet's path. */
export interface ExplainedPort {
  /** `namespace/service:port`, or without the port where it has no name. */
  readonly name: string
  /** `80/TCP`; absent when the objects have no such port. */
  readonly port?: string
  readonly chains: readonly ExplainedChain[]
}

/** All rules of one Service. */
export interface ExplainedService {
  readonly namespace: string
  readonly name: string
  readonly ports: readonly ExplainedPort[]
}

/** The rules of a node in one family, in the order of a packet's path. */
export interface ExplainedRuleset {
  readonly family: IpFamily
  /** What every packet passes before the rules of a Service. */
  readonly first: readonly ExplainedChain[]
  readonly services: readonly ExplainedService[]
  /** What every packet passes after them. */
  readonly last: readonly ExplainedChain[]
  /** Rules that are not kube-proxy's, and its chains without a Service. */
  readonly others: readonly ExplainedChain[]
}
