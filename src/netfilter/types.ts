import type { SocketAddress } from '../net/socketAddress.js'

/** Packets that one rule has matched. */
export interface RuleCount {
  readonly table: string
  readonly chain: string
  /** The rule as iptables-save prints it, without counters. */
  readonly rule: string
  readonly packets: number
}

/** One conntrack entry, as `conntrack -L` prints it. */
export interface ConntrackEntry {
  readonly protocol: string
  readonly state?: string
  readonly original: { readonly source: SocketAddress; readonly destination: SocketAddress }
  readonly reply: { readonly source: SocketAddress; readonly destination: SocketAddress }
  readonly unreplied: boolean
  readonly assured: boolean
}

/** The programs that write the rules: `iptables-nft` or `iptables-legacy`. */
export type IptablesBackend = 'nft' | 'legacy'
