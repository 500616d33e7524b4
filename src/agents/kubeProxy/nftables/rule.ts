import type { ProxyEndpoint } from '../endpoints.js'
import type { ServicePort } from '../servicePort.js'
import type { NftReason } from './reason.js'

/** Part of a rule. A string is identical as written and in `nft list`; the other kinds differ. */
export type Statement =
  | string
  | { readonly kind: 'setMark'; readonly operation: 'or' | 'xor'; readonly mark: number }
  | { readonly kind: 'hasMark'; readonly mark: number; readonly negated?: true }
  | { readonly kind: 'inInterface'; readonly name: string; readonly negated: boolean }
  /** Addresses and networks, in the order in which kube-proxy writes them. */
  | { readonly kind: 'destinationIn'; readonly networks: readonly string[] }
  | { readonly kind: 'sourceNotIn'; readonly networks: readonly string[] }
  /** DNAT to one of these, picked at random. */
  | { readonly kind: 'balance'; readonly protocol: string; readonly endpoints: readonly ProxyEndpoint[] }
  /** Continues in one of these chains, picked at random. */
  | { readonly kind: 'balanceChains'; readonly chains: readonly string[] }

/** One rule: what it does, and why it is there. */
export interface NftRule {
  readonly statements: readonly Statement[]
  readonly comment?: string | undefined
  readonly reason: NftReason
  /** The service port of the rule; undefined for rules that every node has. */
  readonly port?: ServicePort | undefined
}

/** A chain and its rules, in order. */
export interface NftChain {
  readonly name: string
  readonly comment?: string | undefined
  /** The hook of the chain; undefined for a chain that is only jumped to. */
  readonly hook?: NftHook | undefined
  readonly rules: readonly NftRule[]
}

/** The hook of a base chain. */
export interface NftHook {
  readonly type: 'filter' | 'nat'
  readonly hook: 'prerouting' | 'input' | 'forward' | 'output' | 'postrouting'
  readonly priority: number
}

/** An element of a set, or of a map with its verdict. */
export interface NftElement {
  /** `10.96.0.10 . tcp . 80` */
  readonly key: string
  /** The verdict of a map's element; undefined in a set. */
  readonly value?: string | undefined
  readonly comment?: string | undefined
}

/** A set or map without its elements. */
export interface NftContainer {
  readonly kind: 'set' | 'map'
  readonly name: string
  /** `ipv4_addr . inet_proto`, without a map's value type. */
  readonly type: string
  readonly comment?: string | undefined
  /** Seconds after which an element expires; rules fill such a set. */
  readonly timeout?: number | undefined
}
