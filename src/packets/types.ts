import type { SocketAddress } from '../net/socketAddress.js'
import type { RequestHead } from './requestHead.js'

export type TransportProtocol = 'tcp' | 'udp' | 'icmp' | 'icmpv6' | 'sctp' | 'other'

/** The packet type in the capturing namespace (sll_pkttype of LINUX_SLL2). */
export type PacketType = 'host' | 'broadcast' | 'multicast' | 'otherhost' | 'outgoing'

export interface TcpHeader {
  readonly sequence: number
  readonly acknowledgement: number
  readonly syn: boolean
  readonly ack: boolean
  readonly fin: boolean
  readonly rst: boolean
  readonly psh: boolean
}

export interface IcmpHeader {
  readonly type: number
  readonly code: number
  readonly identifier?: number
  readonly sequence?: number
  /** The packet that an error message quotes. */
  readonly quoted?: QuotedPacket
}

/** The fields that an ICMP error quotes of the packet that caused it; NAT rewrites only the addresses. */
export interface QuotedPacket extends Pick<Packet, 'protocol' | 'source' | 'destination'> {
  readonly identification?: number
  /** TCP sequence number, or the sequence number of an ICMP echo. */
  readonly sequence?: number
  /** ICMP echo identifier. */
  readonly identifier?: number
}

/** One packet as captured on one interface of one namespace. */
export interface Packet {
  /** Seconds since the epoch, with the capture's resolution. */
  readonly time: number
  readonly interfaceIndex: number
  readonly type: PacketType
  readonly protocol: TransportProtocol
  readonly source: SocketAddress
  readonly destination: SocketAddress
  readonly ttl: number
  /** IPv4 identification; 0 for IPv6. */
  readonly identification: number
  /** Bytes of the whole IP packet, from its header. */
  readonly length: number
  readonly tcp?: TcpHeader
  readonly icmp?: IcmpHeader
  /** The first bytes of the captured transport payload, hex. */
  readonly payload: string
  /** The HTTP request that starts in this packet. */
  readonly request?: RequestHead
  /** Set if the packet was inside another; all other fields are then those of the inner packet. */
  readonly tunnel?: Tunnel
}

/** The outer packet of a tunnel. */
export interface Tunnel {
  readonly protocol: 'vxlan'
  /** VXLAN network identifier. */
  readonly vni: number
  readonly source: SocketAddress
  readonly destination: SocketAddress
}

/** The packets of one capture in one namespace, with the names of its interfaces. */
export interface Capture {
  readonly netns: string
  readonly packets: readonly Packet[]
  /** Interface names by index, at the time of the capture. */
  readonly interfaces: ReadonlyMap<number, string>
}

/** One sighting of the packet that opens a flow, or of its reply. */
export interface Hop {
  readonly netns: string
  readonly interface: string
  readonly direction: 'in' | 'out'
  /** Seconds since the flow's first packet. */
  readonly at: number
  readonly source: SocketAddress
  readonly destination: SocketAddress
  /** Set if the packet was seen inside a VXLAN packet. */
  readonly tunnel?: Tunnel
  /** Of an ICMP error about the flow. */
  readonly icmp?: Pick<IcmpHeader, 'type' | 'code'>
  /** The original addresses, if the namespace has changed them since the hop before. */
  readonly rewritten?: { readonly source?: SocketAddress; readonly destination?: SocketAddress }
}

/** A rewrite between two sightings inside one namespace. */
export interface NatFact {
  readonly kind: 'DNAT' | 'SNAT'
  readonly netns: string
  readonly from: SocketAddress
  readonly to: SocketAddress
}

/** What the program that has sent a request got. */
export interface CallerGot {
  /** `HTTP 200`, or how the request ended: `answered`, `timeout`. */
  readonly outcome: string
  /** Whether that is an answer, and no error of HTTP. */
  readonly passed: boolean
  /** Why it has failed, as its program reports it: `curl: (35) …`. */
  readonly error?: string | undefined
  /** How long an answer of HTTP took. */
  readonly milliseconds?: number | undefined
}

export type FlowOutcome = 'answered' | 'refused' | 'reset' | 'unreachable' | 'unanswered'

/** One connection (TCP), exchange (UDP) or echo (ICMP) with all its sightings, joined across namespaces. */
export interface Flow {
  readonly protocol: TransportProtocol
  /** As the originating namespace sent it. */
  readonly source: SocketAddress
  readonly destination: SocketAddress
  /** The path of the first packet (a TCP SYN, the first datagram, the echo request). */
  readonly hops: readonly Hop[]
  /** The path of the first reply (SYN-ACK, RST, datagram, echo reply, ICMP error); empty if there was none. */
  readonly replyHops: readonly Hop[]
  /** Rewrites of the request, in order. Conntrack reverses them for the reply; this is not repeated. */
  readonly nat: readonly NatFact[]
  /** Rewrites seen on the return path, in order. */
  readonly replyNat: readonly NatFact[]
  readonly outcome: FlowOutcome
  /** Of the request of a step or of `trace`, if it is known which flow is its own. */
  readonly caller?: CallerGot | undefined
  /** True if the server accepted the connection, and a reset from the client ended it. */
  readonly aborted?: true
  /** The request as proxies forwarded it; absent if no proxy was seen to forward it. */
  readonly passedOn?: readonly PassedOn[]
}

/** A request as a proxy forwarded it, over a separate connection. */
export interface PassedOn {
  /** The namespace of the proxy. */
  readonly netns: string
  /** The X-Request-ID of this request and of the one that the proxy received. */
  readonly requestId: string
  readonly request: RequestHead
  /** The address that the proxy called. */
  readonly destination: SocketAddress
  /** The connection; absent if it was opened before the capture. */
  readonly flow?: Flow
}
