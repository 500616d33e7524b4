import type { Protocol } from '../../cluster/types.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type * as netfilter from '../../netfilter/rules/model.js'
import type { LocalDetector } from '../detectLocal.js'
import type { ServicePort } from '../servicePort.js'
import { probability } from './probability.js'
import type { Reason } from './reason.js'

export type { Match, Target } from '../../netfilter/rules/model.js'

/** The packets that a rule is for; addresses as kube-proxy writes them, a single one without prefix length. */
export type Conditions = Omit<netfilter.Rule, 'target' | 'written'>

/** Those of them that need no extension. */
export type Addresses = Omit<Conditions, 'matches'>

/** One rule: which packets, what happens to them, and why it is there. */
export interface Rule<Why extends string = Reason> extends netfilter.Rule {
  readonly chain: string
  readonly reason: Why
  /** The service port that asked for the rule; undefined for rules that every node has. */
  readonly port?: ServicePort | undefined
}

/** A chain and its rules, in order. */
export interface Chain {
  readonly name: string
  readonly rules: readonly Rule[]
}

/** A target that goes on in another chain. */
export function jump(chain: string): netfilter.Target {
  return { kind: 'jump', chain }
}

/** DNAT to one address and port. */
export function dnat(address: string, port: number): netfilter.Target {
  return {
    kind: 'DNAT',
    toDestination: { addresses: { first: address, last: address }, ports: { first: port, last: port } },
  }
}

/** REJECT with the answer that iptables chooses by default. */
export function reject(family: IpFamily): netfilter.Target {
  return {
    kind: 'REJECT',
    rejectWith: family === 'IPv4' ? 'icmp-port-unreachable' : 'icmp6-port-unreachable',
  }
}

/** A comment match. */
export function comment(text: string): netfilter.Match {
  return { kind: 'comment', comment: text }
}

/** The source or destination is an address of the node. */
export function isLocal(side: 'src' | 'dst'): netfilter.Match {
  return { kind: 'addrtype', [`${side}Type`]: { value: ['LOCAL'] } }
}

/** The state of the packet's connection. */
export function ctstate(...value: readonly string[]): netfilter.Match {
  return { kind: 'conntrack', ctstate: { value } }
}

/** All bits of a mark are set. */
export function marked(mark: number): netfilter.Match {
  return { kind: 'mark', mark: { value: { value: mark, mask: mark } } }
}

/** One packet in `of`, by chance. */
export function oneIn(of: number): netfilter.Match {
  return { kind: 'statistic', mode: 'random', probability: { value: probability(of) } }
}

/** Addresses and ports are in an ipset; `fields` lists which of the packet's, as in `dst,dst`. */
export function inSet(name: string, fields: string): netfilter.Match {
  return { kind: 'set', matchSet: { value: { name, fields: fields.split(',') } } }
}

/** The numbers of /etc/protocols. */
export const protocolNumbers: Readonly<Record<Lowercase<Protocol>, number>> = { tcp: 6, udp: 17, sctp: 132 }

/** Packets of a protocol, to a port and to a destination if they are given, for which all of `matches` hold. */
export function transport(
  protocol: Lowercase<Protocol>,
  matches: readonly netfilter.Match[],
  port?: number,
  destination?: string,
): Conditions {
  const match: netfilter.Match =
    port === undefined
      ? { kind: protocol }
      : { kind: protocol, dport: { value: { first: port, last: port } } }
  const conditions = { protocol: { value: protocol }, matches: [...matches, match] }
  return destination === undefined ? conditions : { ...conditions, destination: { value: destination } }
}

/** Packets that come from this node's pods, or that do not. */
export function fromPods(detector: LocalDetector, negated?: true): Addresses {
  const not = negated ? { negated } : {}
  return detector.kind === 'source'
    ? { source: { value: detector.network, ...not } }
    : { inInterface: { value: detector.name, ...not } }
}
