import type { PacketHeader } from '../../netfilter/trace/header.js'
import type { ConnectionState } from '../../netfilter/trace/types.js'
import type { KernelRule } from '../../netfilter/trace/ruleHandles.js'
import type { Hook } from '../model/steps.js'

/** A rule that the kernel reports for a packet: all its conditions hold. */
export interface SeenRule extends Partial<KernelRule> {
  readonly hook: Hook
  /** `ip`, `ip6`, `inet`, … */
  readonly family: string
  readonly table: string
  readonly chain: string
  /** iptables-legacy has none. */
  readonly handle?: number | undefined
  /** `accept`, `drop`, `continue`, `jump KUBE-SEP-…`, …; iptables-legacy reports none. */
  readonly verdict: string
  /** The packet mark after it; of iptables-legacy, before it. */
  readonly mark: number
}

/** A base chain in which no rule has decided. */
export interface SeenPolicy {
  readonly hook: Hook
  readonly family: string
  readonly table: string
  readonly chain: string
  readonly policy: 'accept' | 'drop'
}

/** A packet in one namespace, as the kernel reports it. */
export interface SeenHop {
  readonly place: string
  /** The interface on which it arrives; undefined for packets that the host sends. */
  readonly in?: string | undefined
  /** The interface on which it leaves; undefined if it does not. */
  readonly out?: string | undefined
  /** `left` by the last hook, `delivered` to the host itself, or not reported after its last hook. */
  readonly end: 'left' | 'delivered' | 'lost'
  readonly before: PacketHeader
  /** As the kernel reported it last. */
  readonly after: PacketHeader
  readonly hooks: readonly Hook[]
  readonly rules: readonly SeenRule[]
  readonly policies: readonly SeenPolicy[]
  /** The mark at its last hook. */
  readonly mark: number
  /** What connection tracking knew of it first; undefined where it does not run. */
  readonly state?: ConnectionState | undefined
}
