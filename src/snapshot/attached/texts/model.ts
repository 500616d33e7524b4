import type { IpFamily } from '../../../net/ipFamily.js'
import type { BridgePort, Device, ForwardingEntry, Neighbour, Route } from '../../../topology/network.js'
import type { Sysctls } from '../../../topology/sysctls.js'
import type { TracedIpset, TracedServer } from '../../model/balancing.js'
import type { NftRuleset, NftTable } from '../../model/nft.js'
import type { KnownConnection, PolicyRule, RuleTables } from '../../model/state.js'
import type { ListedLink } from '../../readings/interfaces.js'
import type { Socket } from '../../readings/sockets.js'

/** A text that somebody attached: a file of a bundle, or one command's output in a paste. */
export interface AttachedText {
  /** Its path in the bundle; `paste.txt`. */
  readonly path: string
  /** The line of that file at which it begins, from 1. */
  readonly line: number
  readonly text: string
  /** The command that printed it, where a prompt line or the format says so. */
  readonly command?: string | undefined
}

/** A line that could not be read: its number in the file, from 1. */
export interface LineProblem {
  readonly line: number
  readonly message: string
}

/**
 * What a text says of one node; what it does not show is absent. The node has no name yet: `netns` is undefined, `''` in
 * policies, forwarding and for the `place` of connections.
 */
export interface NodePart {
  /** The format: `iptables-save`, `iptables -S`, `ip route`, … */
  readonly format: string
  /** Tables that the text shows. Those of a second backend in one text have its name: `legacy:filter`. */
  readonly rules?: Readonly<Partial<Record<IpFamily, RuleTables>>>
  /** Whether the node can have tables of iptables that the text does not show. */
  readonly someTables?: true | undefined
  /** Which backend wrote the rules, where the text says. */
  readonly backend?: 'nft' | 'legacy' | undefined
  /** Whether rules are missing that the node has: lines were selected, or the text is cut. The same for other lists. */
  readonly partial?: true | undefined
  /** Native tables of nftables. */
  readonly nft?: NftRuleset
  /** The tables of iptables-nft as nft lists them, for a node without a text of iptables. */
  readonly iptablesInNft?: readonly NftTable[]
  readonly links?: readonly ListedLink[]
  readonly devices?: readonly Device[]
  readonly ports?: readonly BridgePort[]
  /** Settings of links that are not evaluated, one sentence each. */
  readonly unknown?: readonly string[]
  readonly neighbours?: readonly Neighbour[]
  readonly routes?: readonly Route[]
  readonly forwarding?: readonly ForwardingEntry[]
  readonly policies?: readonly PolicyRule[]
  readonly sysctls?: Sysctls
  readonly sets?: ReadonlyMap<string, TracedIpset>
  readonly servers?: readonly TracedServer[]
  readonly sockets?: readonly Socket[]
  readonly connections?: readonly KnownConnection[]
  readonly recent?: ReadonlyMap<string, ReadonlySet<string>>
  readonly hostname?: string
  /** What the text does not show, one sentence each: `ip link shows no addresses`. */
  readonly lost: readonly string[]
  /** Lines that could not be read, with the reason. */
  readonly problems: readonly LineProblem[]
}

/** A text without what terminals and web pages add, and what is known of how it was made. */
export interface CleanText {
  readonly path: string
  /** The line of the file at which `lines` begin. */
  readonly first: number
  readonly lines: readonly string[]
  readonly hints: Hints
}

/** What the command, or else the name of a file, says of a text. */
export interface Hints {
  /** `iptables-save`, `ip`, `sysctl`; only of a command. */
  readonly program?: string | undefined
  readonly args: readonly string[]
  readonly family?: IpFamily | undefined
  /** The table of iptables, or of routes. */
  readonly table?: string | undefined
  readonly backend?: 'nft' | 'legacy' | undefined
  /** The command through which lines were selected: `grep KUBE`. */
  readonly filter?: string | undefined
  /** The node on which the command ran, where it says so: `ssh node1 …`. */
  readonly node?: string | undefined
  /** Where it ran if not in the network namespace of a node: `in pod web-1`. */
  readonly elsewhere?: string | undefined
}

/** What a reader of one format returns; `nodeText` adds the format. */
export type FormatPart = Omit<NodePart, 'format'> & { readonly format?: string }

/** The line of the file of a line of a text, by its index. */
export function lineAt({ first }: Pick<CleanText, 'first'>, index: number): number {
  return first + index
}
