import type { IpFamily } from '../../net/ipFamily.js'
import type { Match, Rule, Target } from './model.js'

/** The packets that a rule matches. */
export type Conditions = Omit<Rule, 'target' | 'written'>

/** Conditions that need no extension. */
export type Addresses = Omit<Conditions, 'matches'>

/** A target that continues in another chain. */
export function jump(chain: string): Target {
  return { kind: 'jump', chain }
}

/** DNAT to one address and port. */
export function dnat(address: string, port: number): Target {
  return {
    kind: 'DNAT',
    toDestination: { addresses: { first: address, last: address }, ports: { first: port, last: port } },
  }
}

/** REJECT with the default response of iptables. */
export function reject(family: IpFamily): Target {
  return {
    kind: 'REJECT',
    rejectWith: family === 'IPv4' ? 'icmp-port-unreachable' : 'icmp6-port-unreachable',
  }
}

/** A comment match. */
export function comment(text: string): Match {
  return { kind: 'comment', comment: text }
}

/** The source or destination is an address of the node. */
export function isLocal(side: 'src' | 'dst'): Match {
  return { kind: 'addrtype', [`${side}Type`]: { value: ['LOCAL'] } }
}

/** The state of the packet's connection. */
export function ctstate(...value: readonly string[]): Match {
  return { kind: 'conntrack', ctstate: { value } }
}

/** All bits of a mark are set. */
export function marked(mark: number): Match {
  return { kind: 'mark', mark: { value: { value: mark, mask: mark } } }
}

/** Addresses and ports are in an ipset; `fields` lists which of the packet's, as in `dst,dst`. */
export function inSet(name: string, fields: string): Match {
  return { kind: 'set', matchSet: { value: { name, fields: fields.split(',') } } }
}

/** Shared by the rules: a large cluster has a hundred thousand. */
const protocols = { tcp: { value: 'tcp' }, udp: { value: 'udp' }, sctp: { value: 'sctp' } } as const
const anyPort = { tcp: { kind: 'tcp' }, udp: { kind: 'udp' }, sctp: { kind: 'sctp' } } as const

/** Packets of a protocol, to a port and to a destination if they are given, for which all of `matches` hold. */
export function transport(
  protocol: 'tcp' | 'udp' | 'sctp',
  matches: readonly Match[],
  port?: number,
  destination?: string,
): Conditions {
  const match: Match =
    port === undefined ? anyPort[protocol] : { kind: protocol, dport: { value: { first: port, last: port } } }
  return {
    protocol: protocols[protocol],
    destination: destination === undefined ? undefined : { value: destination },
    matches: matches.concat(match),
  }
}
