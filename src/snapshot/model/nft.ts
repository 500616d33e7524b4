import type { Meaning } from '../../agents/meaning.js'
import type { NftElements, NftHook, NftStatement } from '../../netfilter/nft/model.js'
import type { ReadAt } from './readAt.js'

/** A rule of nftables, and what is known about it. */
export interface NftTracedRule extends Meaning {
  readonly statements: readonly NftStatement[]
  /** As nft lists it. */
  readonly spec: string
  /** Where it was read, if it is of a text. */
  readonly at?: ReadAt | undefined
}

/** A chain; a hook only if it is a base chain. */
export interface NftTracedChain {
  readonly hook?: NftHook | undefined
  readonly rules: readonly NftTracedRule[]
}

/** A set or map; what its elements mean, by the text of their keys. */
export interface NftTracedSet {
  readonly elements: NftElements
  readonly meanings: ReadonlyMap<string, Meaning>
}

/** A native table of nftables: not one of iptables-nft. */
export interface NftTable {
  /** `ip`, `ip6` or `inet`; the others see no packets of a prediction. */
  readonly family: string
  readonly name: string
  readonly chains: ReadonlyMap<string, NftTracedChain>
  readonly sets: ReadonlyMap<string, NftTracedSet>
}

/** The native tables of one namespace. */
export interface NftRuleset {
  readonly tables: readonly NftTable[]
  /**
   * Tables in the order in which they were created, those of iptables-nft too: `ip nat`, `ip kube-proxy`. Of two chains with
   * one priority the kernel evaluates the newer one first (nf_hook_entries_grow of Linux). Tables that are not listed are
   * the oldest.
   */
  readonly order: readonly string[]
}

/** `ip kube-proxy` */
export function nftTableName({ family, name }: Pick<NftTable, 'family' | 'name'>): string {
  return `${family} ${name}`
}

/** Whether the table of a step is one of nftables: its name begins with its family. */
export function isNative(table: string): boolean {
  return table.includes(' ')
}
