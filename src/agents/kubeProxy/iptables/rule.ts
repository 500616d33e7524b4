import type { Protocol } from '../../../cluster/types.js'
import type { Addresses, Conditions } from '../../../netfilter/rules/build.js'
import type { Match, Rule as NetfilterRule, Target } from '../../../netfilter/rules/model.js'
import type { LocalDetector } from '../detectLocal.js'
import type { ServicePort } from '../servicePort.js'
import { probability } from './probability.js'
import type { Reason } from './reason.js'

/**
 * One rule: which packets, what happens to them, and why it is there. Its values are as kube-proxy writes them: an address
 * without prefix length, a probability that is not rounded to the kernel's 31 bits; `savedRule` has the kernel's.
 */
export interface Rule<Why extends string = Reason> extends NetfilterRule {
  readonly chain: string
  readonly reason: Why
  /** The service port of the rule; undefined for rules that every node has. */
  readonly port?: ServicePort | undefined
}

/**
 * A rule of a service port. All have the same properties in the same order: a large cluster has a hundred thousand, and
 * code for objects of one shape is faster.
 */
export function servicePortRule(
  { protocol, source, destination, inInterface, matches }: Conditions,
  chain: string,
  target: Target | undefined,
  reason: Reason,
  port: ServicePort,
): Rule {
  return { chain, protocol, source, destination, inInterface, matches, target, reason, port }
}

/** A chain and its rules, in order. */
export interface Chain {
  readonly name: string
  readonly rules: readonly Rule[]
}

/** One packet in `of`, at random. */
export function oneIn(of: number): Match {
  return { kind: 'statistic', mode: 'random', probability: { value: probability(of) } }
}

/** The numbers of /etc/protocols. */
export const protocolNumbers: Readonly<Record<Lowercase<Protocol>, number>> = { tcp: 6, udp: 17, sctp: 132 }

/** Packets that come from this node's pods, or that do not. */
export function fromPods(detector: LocalDetector, negated?: true): Addresses {
  const not = negated ? { negated } : {}
  return detector.kind === 'source'
    ? { source: { value: detector.network, ...not } }
    : { inInterface: { value: detector.name, ...not } }
}
