import type { IpFamily } from '../../../net/ipFamily.js'

/**
 * How a rule in the kernel and one that kube-proxy writes agree: it stands as written, stands but differs, is missing, is
 * one too many among kube-proxy's, or is another program's.
 */
export type RuleState = 'stands' | 'different' | 'missing' | 'extra' | 'foreign'

/** One rule with what it has counted and why it is there. */
export interface ExplainedRule {
  readonly state: RuleState
  /** As iptables-save prints it, without `-A CHAIN`; of a missing rule what should stand. */
  readonly spec: string
  /** What kube-proxy writes in the place of a rule that differs. */
  readonly expected?: string
  /** Absent for a missing rule, and where the saved text has no counters. */
  readonly packets?: number
  readonly bytes?: number
  readonly why: string
}

/** The rules of one chain that belong together, in order. */
export interface ExplainedChain {
  readonly table: string
  readonly chain: string
  /** What the chain is for, in a few words. */
  readonly about: string
  /** `address:port` of the endpoint, in a chain that is an endpoint's. */
  readonly endpoint?: string
  readonly rules: readonly ExplainedRule[]
}

/** What one port of a Service has in the tables, in the order in which a packet meets it. */
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

/** The rules of a node, one family, in the order in which a packet meets them. */
export interface ExplainedRuleset {
  readonly family: IpFamily
  /** What every packet meets before it comes to the rules of a Service. */
  readonly first: readonly ExplainedChain[]
  readonly services: readonly ExplainedService[]
  /** What every packet meets after them. */
  readonly last: readonly ExplainedChain[]
  /** Rules that are not kube-proxy's, and chains of its kind that no Service asks for. */
  readonly others: readonly ExplainedChain[]
}
