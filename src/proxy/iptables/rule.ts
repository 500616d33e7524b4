import type { ServicePort } from '../servicePort.js'
import type { Reason } from './reason.js'

/** One match of a rule, in the order in which kube-proxy writes them. */
export type Match =
  | { readonly kind: 'comment'; readonly text: string }
  | { readonly kind: 'source'; readonly address: string; readonly negated?: boolean }
  | { readonly kind: 'destination'; readonly address: string; readonly negated?: boolean }
  | { readonly kind: 'inInterface'; readonly name: string; readonly negated?: boolean }
  | {
      /** `-m tcp -p tcp`, with the destination that kube-proxy writes between protocol and port. */
      readonly kind: 'transport'
      readonly protocol: string
      readonly destination?: string
      readonly port?: number
    }
  /** `-p`, without the extension that matches ports. */
  | { readonly kind: 'protocol'; readonly protocol: string }
  | { readonly kind: 'addrtype'; readonly side: 'src' | 'dst'; readonly negated?: boolean }
  /** Came in through a port of a bridge. */
  | { readonly kind: 'physdevIn'; readonly negated?: boolean }
  /** Addresses and ports stand in an ipset; `fields` says which of the packet's, as in `dst,dst`. */
  | { readonly kind: 'set'; readonly name: string; readonly fields: string }
  /** IPVS balances the packet for this virtual server. */
  | { readonly kind: 'ipvs'; readonly address: string; readonly protocol: string; readonly port: number }
  | { readonly kind: 'conntrack'; readonly states: string; readonly negated?: boolean }
  /** The older name of conntrack, which userspace mode asks by. */
  | { readonly kind: 'state'; readonly states: string }
  | { readonly kind: 'mark'; readonly mark: number; readonly negated?: boolean }
  | { readonly kind: 'nfacct'; readonly name: string }
  | { readonly kind: 'recentCheck'; readonly name: string; readonly seconds: number }
  | { readonly kind: 'recentSet'; readonly name: string }
  /** One in `of` packets. */
  | { readonly kind: 'statistic'; readonly of: number }

/** What a rule does with a packet that matches. */
export type Target =
  | { readonly kind: 'jump'; readonly chain: string }
  | { readonly kind: 'verdict'; readonly verdict: 'ACCEPT' | 'DROP' | 'REJECT' | 'RETURN' }
  | { readonly kind: 'mark'; readonly operation: 'or' | 'xor'; readonly mark: number }
  | { readonly kind: 'masquerade'; readonly randomFully: boolean }
  | { readonly kind: 'dnat'; readonly to: string }
  /** To a port of the address of the interface that the packet came in by. */
  | { readonly kind: 'redirect'; readonly port: number }

/** One rule: which packets, what becomes of them, and why it is there. */
export interface Rule<Why extends string = Reason> {
  readonly chain: string
  readonly matches: readonly Match[]
  /** Undefined for a rule that only counts. */
  readonly target: Target | undefined
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
export function jump(chain: string): Target {
  return { kind: 'jump', chain }
}

/** A comment match. */
export function comment(text: string): Match {
  return { kind: 'comment', text }
}
