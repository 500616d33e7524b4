import type { SocketAddress } from '../net/socketAddress.js'
import type { RequestHead } from './requestHead.js'

export type TransportProtocol = 'tcp' | 'udp' | 'icmp' | 'icmpv6' | 'sctp' | 'other'

/** How the capturing namespace saw the packet (sll_pkttype of LINUX_SLL2). */
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

/** What an ICMP error tells of the packet that caused it; NAT rewrites its addresses, but not the rest. */
export interface QuotedPacket extends Pick<Packet, 'protocol' | 'source' | 'destination'> {
  readonly identification?: number
  /** TCP sequence number, or the sequence number of an ICMP echo. */
  readonly sequence?: number
  /** ICMP echo identifier. */
  readonly identifier?: number
}

/** One packet as one interface of one namespace saw it. */
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
  /** Bytes of the whole IP packet, as its header says. */
  readonly length: number
  readonly tcp?: TcpHeader
  readonly icmp?: IcmpHeader
  /** The first bytes of the transport payload as captured, hex. */
  readonly payload: string
  /** The HTTP request that begins with this packet. */
  readonly request?: RequestHead
  /** Set where the packet was inside another: everything else is then about the inner one. */
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

/** The packets that one capture in one namespace holds, with the names of its interfaces. */
export interface Capture {
  readonly netns: string
  readonly packets: readonly Packet[]
  /** Interface index to name, as the namespace had them when the capture ran. */
  readonly interfaces: ReadonlyMap<number, string>
}

/** One sighting of the packet that opens a flow, or of the one that answers it, in order of time. */
export interface Hop {
  readonly netns: string
  readonly interface: string
  readonly direction: 'in' | 'out'
  /** Seconds since the flow's first packet. */
  readonly at: number
  readonly source: SocketAddress
  readonly destination: SocketAddress
  /** Set where the packet was seen inside a tunnel's packet. */
  readonly tunnel?: Tunnel
  /** What the namespace changed since the hop before: the addresses as they were then. */
  readonly rewritten?: { readonly source?: SocketAddress; readonly destination?: SocketAddress }
}

/** A rewrite that the packets show: between two sightings inside one namespace. */
export interface NatFact {
  readonly kind: 'DNAT' | 'SNAT'
  readonly netns: string
  readonly from: SocketAddress
  readonly to: SocketAddress
}

export type FlowOutcome = 'answered' | 'refused' | 'reset' | 'unreachable' | 'unanswered'

/** One connection (TCP), exchange (UDP) or echo (ICMP) with all its sightings, joined across namespaces. */
export interface Flow {
  readonly protocol: TransportProtocol
  /** As the originating namespace sent it. */
  readonly source: SocketAddress
  readonly destination: SocketAddress
  /** The way of the first packet (a TCP SYN, the first datagram, the echo request). */
  readonly hops: readonly Hop[]
  /** The way of the first answer (SYN-ACK, RST, datagram, echo reply, ICMP error); empty when none came. */
  readonly replyHops: readonly Hop[]
  /** Rewrites of the request, in order; the reverse ones of the answer are implied by conntrack and not repeated. */
  readonly nat: readonly NatFact[]
  /** Rewrites seen on the answer's way back, in order. */
  readonly replyNat: readonly NatFact[]
  readonly outcome: FlowOutcome
  /** True where the server accepted the connection, and then got a reset before anything else ended it. */
  readonly aborted?: true
  /** What proxies made of a request that came over it; absent where none was seen to pass it on. */
  readonly passedOn?: readonly PassedOn[]
}

/** A request as a proxy passed it on, over a connection of its own. */
export interface PassedOn {
  /** Where the proxy is. */
  readonly netns: string
  /** What ties it to the request that the proxy was asked: the X-Request-ID of both. */
  readonly requestId: string
  readonly request: RequestHead
  /** As the proxy called it. */
  readonly destination: SocketAddress
  /** The connection; absent where it was opened before anybody looked. */
  readonly flow?: Flow
}
