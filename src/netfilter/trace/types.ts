import type { PacketHeader } from './header.js'

/** What the kernel reports of a traced packet in one chain of nftables, to which iptables-nft belongs too, or of iptables-legacy. */
export interface TraceMessage {
  /** Of the packet while it is in one namespace; ids are reused. iptables-legacy reports none. */
  readonly id: number | undefined
  /** Of the table: `ip`, `ip6`, `inet`, … */
  readonly family: string
  readonly table: string
  readonly chain: string
  /** `rule`: all conditions of a rule hold. `return`: a chain that is not a base chain ends. `policy`: a base chain ends. */
  readonly type: 'rule' | 'return' | 'policy'
  /** Of a rule of nftables. */
  readonly handle?: number | undefined
  /**
   * Of iptables-legacy: position in its chain, from 1; of the end of a chain, one more than its last rule has. The kernel reports a
   * rule without conditions that accepts, drops or returns as if it were the end of its chain (get_chainname_rulenum in
   * ip_tables.c).
   */
  readonly number?: number | undefined
  readonly verdict?: TraceVerdict | undefined
  /** Of a base chain of nftables. */
  readonly policy?: 'accept' | 'drop' | undefined
  /** The packet mark after the rule; of iptables-legacy, before it. */
  readonly mark: number
  /** The fields that the kernel reports once in each base chain. */
  readonly packet?: TracedPacketFields | undefined
}

/** What a rule does; `chain` of a jump or goto. */
export interface TraceVerdict {
  readonly kind: string
  readonly chain?: string | undefined
}

/** The packet as it enters a base chain. */
export interface TracedPacketFields {
  /** Interface indexes. */
  readonly in?: number | undefined
  readonly out?: number | undefined
  /** Undefined if the packet is not IP. */
  readonly header?: PacketHeader | undefined
  /** Absent before connection tracking, and on kernels that do not report it. */
  readonly connection?:
    { readonly id?: number | undefined; readonly reply: boolean; readonly state: ConnectionState } | undefined
}

/** As `-m conntrack --ctstate` names it. */
export type ConnectionState = 'INVALID' | 'ESTABLISHED' | 'RELATED' | 'NEW' | 'UNTRACKED'
