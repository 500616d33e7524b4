import type { Meaning } from '../../agents/meaning.js'
import type {
  IcmpHeader,
  TracedPacket,
  TracedProtocol,
  TracedSocket,
  Tuple,
} from '../../snapshot/model/packet.js'

/** Where a packet meets rules; those of netfilter, in lower case. */
export type Hook = 'prerouting' | 'input' | 'forward' | 'output' | 'postrouting'

/** Whether a rule or match applies to a packet; `unknown` if the state does not decide it. */
export type Holds = 'yes' | 'no' | 'unknown'

/** A rule that was evaluated. */
export interface RuleStep extends Meaning {
  readonly kind: 'rule'
  readonly hook: Hook
  readonly table: string
  readonly chain: string
  /** Position in its chain, from 1. */
  readonly number: number
  /** The rule as the mode's tool lists it, without its chain. */
  readonly spec: string
  readonly holds: Holds
  /** For `no` and `unknown`: the condition that decided. */
  readonly condition?: string | undefined
  /** What the packet has instead; why it is not known; how likely a random choice is. */
  readonly because?: string | undefined
  /** What the rule does if it applies: `KUBE-SEP-…`, `mark 0x0 ⇒ 0x4000`, `DROP`. */
  readonly effect?: string | undefined
  /** The element of a set or map of nftables that was found: `10.96.0.10 . tcp . 80`. */
  readonly element?: string | undefined
}

/** One thing that happens to a packet on a host. */
export type Step =
  | RuleStep
  /** No rule of a built-in chain decided. */
  | {
      readonly kind: 'policy'
      readonly hook: Hook
      readonly table: string
      readonly chain: string
      readonly policy: string
    }
  /** What connection tracking knows of the packet: `NEW`, `ESTABLISHED`, `INVALID`, `UNTRACKED`. */
  | {
      readonly kind: 'conntrack'
      readonly hook: Hook
      readonly state: string
      /** The entry of an earlier packet: no rule of nat is evaluated. */
      readonly entry?: { readonly original: Tuple; readonly reply: Tuple } | undefined
    }
  /** An address was rewritten: by a rule, or by the connection's entry. */
  | {
      readonly kind: 'nat'
      readonly hook: Hook
      readonly side: 'source' | 'destination'
      readonly by: 'rule' | 'connection'
      readonly from: TracedSocket
      readonly to: TracedSocket
      /** Why the connection changed the source port of its first packet, which no rule chose. */
      readonly why?: string | undefined
    }
  /** IPVS: a virtual server picks a real server, or the connection of an answer rewrites its source. */
  | ({
      readonly kind: 'balance'
      readonly hook: Hook
      /** `10.96.0.10:80/TCP` */
      readonly server: string
      readonly scheduler: string
      readonly side: 'source' | 'destination'
      readonly by: 'scheduler' | 'connection'
      readonly from: TracedSocket
      /** Undefined if no real server gets new connections. */
      readonly to?: TracedSocket | undefined
      /** The probability of a random choice. */
      readonly probability?: number | undefined
    } & Meaning)
  /** The entry that connection tracking keeps for the packets that follow. */
  | { readonly kind: 'entry'; readonly original: Tuple; readonly reply: Tuple }
  | {
      readonly kind: 'route'
      readonly to: string
      /** The route as `ip route` prints it; `local` for the host's own address. */
      readonly route: string
      /** The priority of the rule of policy routing by which it was found; undefined for the main table. */
      readonly policy?: number | undefined
      /** The route to the address that the packet had before DNAT, or `no route`. */
      readonly withoutDnat?: string | undefined
    }
  /** A fact about the link: the bridge, the tunnel. */
  | { readonly kind: 'link'; readonly text: string }

/** A packet on one host. */
export interface Hop {
  /** The network namespace: the name of a node, client or pod; `fabric` for the router between nodes and clients. */
  readonly place: string
  readonly packet: 'request' | 'answer' | 'reset' | 'error' | 'tunnel'
  /** The interface on which it arrives; undefined for packets that the host sends. */
  readonly in?: string | undefined
  /** The interface on which it leaves; undefined for packets that end here. */
  readonly out?: string | undefined
  /** As it arrives or is sent. */
  readonly before: Tuple
  /** As it leaves, or is received. */
  readonly after: Tuple
  /** The packet mark as it leaves, or is received. */
  readonly mark: number
  readonly steps: readonly Step[]
}

/** What would let a packet pass where no rule stops it. */
export type Missing =
  /** A sysctl with another value. */
  | { readonly kind: 'sysctl'; readonly name: string; readonly value: number }
  | { readonly kind: 'route'; readonly to: string }
  /** A host with an address on the link of a device. */
  | { readonly kind: 'neighbour'; readonly device: string; readonly address: string }
  /** A process that listens; `program` runs there, and its ports are not known. No port for ICMP. */
  | {
      readonly kind: 'listener'
      readonly protocol: TracedProtocol
      readonly address: string
      readonly port?: number | undefined
      readonly program?: string | undefined
    }
  /** A program that speaks the protocol with which the caller begins, or a caller that speaks that of the program. */
  | { readonly kind: 'protocol'; readonly spoken: 'HTTP/1.1' | 'TLS' }
  /** An interface that passes packets of `largest` bytes; now it passes at most `bytes`. */
  | { readonly kind: 'mtu'; readonly device: string; readonly bytes: number; readonly largest: number }
  /** A source port of an address that no other connection uses. */
  | { readonly kind: 'sourcePort'; readonly address: string }
  /** The hairpin flag of a port of a bridge. */
  | { readonly kind: 'hairpin'; readonly bridge: string; readonly port: string }

/** How a path ends. */
export interface End {
  /**
   * `answered`: the answer reaches the caller from the address that it called. `refused`: nothing listens. `rejected`:
   * a REJECT rule, or a virtual server without a real server. `dropped`: a DROP rule or policy, or the kernel. `unroutable`: no route. `unreachable`: no host has the
   * address. `misrouted`: the answer does not reach the caller as expected. `untraceable`: what follows is not known.
   */
  readonly kind:
    | 'answered'
    | 'refused'
    | 'rejected'
    | 'dropped'
    | 'unroutable'
    | 'unreachable'
    | 'misrouted'
    | 'untraceable'
  readonly place: string
  /** One sentence. */
  readonly reason: string
  /** The rule that decided. */
  readonly rule?: RuleStep | undefined
  /** The base chain whose policy dropped it. */
  readonly policy?: string | undefined
  /** What is missing at `place`, if no rule decided. */
  readonly missing?: Missing | undefined
  /** Whether it goes to a host of which nothing was attached: what happens there is not known. */
  readonly leaves?: true | undefined
  /** Whether it is about packets after the first ones of a connection that opens. */
  readonly later?: true | undefined
  /** With what a rule rejects it: `icmp-port-unreachable`, `tcp-reset`. */
  readonly rejects?: string | undefined
  /** Where and why the error about it is lost before it reaches the caller, and the rule that drops it. */
  readonly lost?: { readonly place: string; readonly reason: string; readonly rule?: RuleStep } | undefined
  /** The answer of a proxy that answers itself: its route, and the backend (`namespace/service:port`), if it has one; no status inside TLS that it passes on. */
  readonly http?: { readonly status?: number; readonly route?: string; readonly backend?: string } | undefined
  /** What the caller notices. `protocol error`: the connection opens, and what is received over it is not of the protocol: TLS fails. */
  readonly caller:
    'answer' | 'connection refused' | 'unreachable' | 'reset' | 'timeout' | 'protocol error' | 'unknown'
}

/** A choice that a path took. */
export interface Choice {
  /** `random`: its probability is known. `unknown`: the state does not decide it. */
  readonly kind: 'random' | 'unknown'
  readonly place: string
  /** What is chosen: `KUBE-SVC-… 2: random 0.5`. */
  readonly question: string
  readonly taken: string
  /** Of a random choice. */
  readonly probability?: number | undefined
}

/** One possible path of a request and its answer. */
export interface Path {
  /** Product of its random choices; unknown ones do not change it. */
  readonly probability: number
  readonly choices: readonly Choice[]
  readonly hops: readonly Hop[]
  /** The pod, host or program that received the request, if one did. */
  readonly receiver?:
    | {
        readonly name: string
        readonly socket: TracedSocket
        /** Whether what it answers is known: it is a server of vethlab. */
        readonly known?: true | undefined
      }
    | undefined
  /** What is sent back where the request ends before a program receives it; a port of TCP that is closed answers in `hops`. */
  readonly error?: ErrorPath | undefined
  /** How the request ends; `relayed` has how its connection to a proxy ends. */
  readonly end: End
  /** What the program that has accepted the connection does with it, if it is a proxy. */
  readonly relayed?: Relayed | undefined
  /** Links that lose larger packets without notice: hosts send them after the first packets. */
  readonly limits?: readonly SizeLimit[] | undefined
}

/** An ICMP error or a reset, from the host that sends it to the caller, or to where it is lost. */
export interface ErrorPath {
  /** `ICMP port unreachable`, `TCP reset` */
  readonly name: string
  /** Of an ICMP error. */
  readonly icmp?: IcmpHeader | undefined
  readonly hops: readonly Hop[]
}

/** A connection that a proxy opens for another one. */
export interface Relayed {
  /** The proxy: `kube-proxy of node-a`. */
  readonly by: string
  readonly place: string
  /** How the connection to the proxy ends. */
  readonly end: End
  /** The first packet of its own connection, and its path; absent if it opens none. */
  readonly packet?: TracedPacket | undefined
  readonly path?: Path | undefined
  /** The route of HTTP that selected its receiver. */
  readonly route?: string | undefined
}

/** A link between two hosts that passes only smaller packets than they send. */
export interface SizeLimit {
  /** The namespace of the interface that does not take larger packets. */
  readonly place: string
  readonly device: string
  /** Bytes: its MTU. */
  readonly bytes: number
  /** Bytes of the largest packets that are sent to it. */
  readonly largest: number
  /** The host that sends them. */
  readonly sender: string
  readonly packet: Hop['packet']
}

/** Every path that is possible. */
export interface Prediction {
  readonly paths: readonly Path[]
  /** False if there are more paths than these. */
  readonly complete: boolean
}

/** Why the kernel drops a packet, and what would make it pass. */
export interface KernelReason {
  readonly reason: string
  readonly missing?: Missing | undefined
}
