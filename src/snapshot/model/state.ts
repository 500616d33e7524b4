import type { IpFamily } from '../../net/ipFamily.js'
import type { Meaning } from '../../agents/meaning.js'
import type { Rule } from '../../netfilter/rules/model.js'
import type { Network } from '../../topology/network.js'
import type { Sysctls } from '../../topology/sysctls.js'
import type { TracedIpset, TracedServer } from './balancing.js'
import type { NftRuleset } from './nft.js'
import type { TracedProtocol, Tuple } from './packet.js'
import type { ReadAt } from './readAt.js'
import type { Relay } from './relay.js'

/** A rule, and what is known about it. */
export interface TracedRule extends Meaning {
  readonly rule: Rule
  /** As iptables-save prints it, without its chain. */
  readonly spec: string
  /** Where it was read, if it is of a text. */
  readonly at?: ReadAt | undefined
}

/** A chain; a policy only if it is built in. */
export interface TracedChain {
  readonly policy?: string | undefined
  readonly rules: readonly TracedRule[]
}

/** The tables of iptables of one family, by name; chains by name. */
export type RuleTables = ReadonlyMap<string, ReadonlyMap<string, TracedChain>>

/** A program that waits for packets. */
export interface Listener {
  readonly netns: string
  readonly protocol: TracedProtocol
  readonly port: number
  /** Absent for all addresses, or for all of a family. */
  readonly address?: string | undefined
  /** Absent for both, and with an address. */
  readonly family?: IpFamily | undefined
  /** `pod default/web-1`, `client` */
  readonly name: string
  /** If it does not answer itself, but with what it gets over a connection of its own. */
  readonly relay?: Relay | undefined
}

/** A rule of policy routing (ip-rule(8)). */
export interface PolicyRule {
  readonly netns: string
  readonly family: IpFamily
  readonly priority: number
  /** Ranges of source and destination. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** The interface on which packets arrive. */
  readonly iif?: string | undefined
  readonly mark?: { readonly value: number; readonly mask: number } | undefined
  /** The table that it looks up: its number or name. */
  readonly table?: string | undefined
  /** Routes of this prefix length or a shorter one do not count. */
  readonly suppress?: number | undefined
  /** What it does instead of looking up a table. */
  readonly action?: 'blackhole' | 'unreachable' | 'prohibit' | undefined
  /** Its condition that is not evaluated, if it has one. */
  readonly unknown?: string | undefined
}

/**
 * An entry that connection tracking of a host has before the request. A datagram continues one of UDP; no other connection to the
 * same receiver gets its source port.
 */
export interface KnownConnection {
  readonly place: string
  readonly protocol: 'udp' | 'tcp'
  readonly original: Tuple
  readonly reply: Tuple
  /** Whether a packet in the direction of the answer has been seen. */
  readonly answered: boolean
  /** TCP that is closed: a masquerade can choose its source port (nf_nat_used_tuple_harder of Linux). */
  readonly closed?: true
}

/** Everything that decides the path of a packet, of all hosts. */
export interface TraceState {
  readonly network: Network
  /** Namespaces without rules are absent. */
  readonly rules: ReadonlyMap<string, Readonly<Partial<Record<IpFamily, RuleTables>>>>
  /** Native tables of nftables. Namespaces without them are absent. */
  readonly nft: ReadonlyMap<string, NftRuleset>
  /** The ipsets of namespaces, by name; their rules are not decided where they are not known. */
  readonly sets?: ReadonlyMap<string, ReadonlyMap<string, TracedIpset>> | undefined
  /** The virtual servers of IPVS. Namespaces without are absent. */
  readonly servers?: ReadonlyMap<string, readonly TracedServer[]> | undefined
  /** By namespace; the namespace of the fabric is `fabric`. */
  readonly sysctls: ReadonlyMap<string, Sysctls>
  readonly listeners: readonly Listener[]
  /** Namespaces where programs run whose ports are not known, with the name of the first. */
  readonly programs: ReadonlyMap<string, string>
  /** Addresses for which a host answers ARP and neighbour discovery although they are not its own. */
  readonly announced: readonly { readonly netns: string; readonly device: string; readonly address: string }[]
  /** Ranges of IPv4 of which a host answers ARP only for the addresses that it announces. */
  readonly silent?: ReadonlyMap<string, string> | undefined
  /** Rules of policy routing; without one of the table local, a host has the usual ones too. */
  readonly policies?: readonly PolicyRule[] | undefined
  /** None in a plan. */
  readonly connections?: readonly KnownConnection[] | undefined
  /** The addresses in the lists of the match recent, by namespace and list; none in a plan. */
  readonly recent?: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>> | undefined
  /** What could not be read of a namespace, and the reason. */
  readonly unread?: readonly { readonly place: string; readonly what: string; readonly why: string }[]
  /** What cannot be traced, by namespace: the reason. */
  readonly opaque: ReadonlyMap<string, string>
  /** Destinations of which it is not known what a namespace does with them, by namespace and `destinationKey`: the reason. */
  readonly undecided?: ReadonlyMap<string, ReadonlyMap<string, string>> | undefined
}

/** The key of a destination in `undecided`. */
export function destinationKey(address: string, port: number | undefined, protocol: string): string {
  return `${address} ${port ?? ''} ${protocol.toLowerCase()}`
}

/** The name of the sandbox's first namespace, where the router between nodes and clients is. */
export const fabricPlace = 'fabric'
