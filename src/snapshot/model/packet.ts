import type { RequestHead } from '../../ingress/matchingRoutes.js'
import type { Range } from '../../netfilter/rules/formats.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { hostText } from '../../net/hostText.js'

/** Protocols that a prediction knows; `icmp` is ICMPv6 in family IPv6. */
export type TracedProtocol = 'tcp' | 'udp' | 'sctp' | 'icmp'

/** An address with its port; a port that is not known is the range of those that it can be. No port for ICMP. */
export interface TracedSocket {
  readonly address: string
  readonly port?: Range | undefined
}

/** Both ends of a packet. */
export interface Tuple {
  readonly source: TracedSocket
  readonly destination: TracedSocket
}

/** Type and code of a message of ICMP or ICMPv6. */
export interface IcmpHeader {
  readonly type: number
  readonly code: number
}

/** What only who asks knows about the sender of a request; rules of its host can ask for it. */
export interface StatedSender {
  /** The user and group of the program. */
  readonly uid?: number | undefined
  readonly gid?: number | undefined
  /** The interface by which it arrives, if another host sends it. */
  readonly arrives?: string | undefined
}

/**
 * The first packet of a connection (`request`), or the one that answers it: `reset` from a host where nothing listens, `error` of
 * ICMP about a request.
 */
export interface TracedPacket extends Tuple {
  readonly family: IpFamily
  readonly protocol: TracedProtocol
  readonly kind: 'request' | 'answer' | 'reset' | 'error'
  /** A packet after the first ones of a connection of TCP, in the direction of its kind. */
  readonly later?: 'ack' | 'data' | undefined
  /** Of an error, with the packet that it is about, as it was where it ended. */
  readonly icmp?: IcmpHeader | undefined
  readonly about?: (Tuple & { readonly protocol: TracedProtocol }) | undefined
  /** The time to live or hop limit, if a rule has set it; with which one a host sends is not known. */
  readonly ttl?: number | undefined
  /** What is stated about who sends it. */
  readonly sender?: StatedSender | undefined
  /** The packet mark; 0 on each new host. */
  readonly mark: number
  /** Bytes of the largest packets that hosts send after it on this path; undefined before it leaves its sender. */
  readonly largest?: number | undefined
  /** The HTTP request that its connection carries, if it is known: a proxy selects a backend by it. */
  readonly head?: RequestHead | undefined
  /** The client in the header of the PROXY protocol with which its connection begins, if a load balancer sends one. */
  readonly proxyHeader?: string | undefined
  /** The packet inside, for the outer packet of a tunnel, with the tunnel’s network identifier. */
  readonly inner?: { readonly tunnel: number; readonly packet: TracedPacket } | undefined
}

/** The ports from which programs call if they choose none (net.ipv4.ip_local_port_range). */
export const ephemeralPorts: Range = { first: 32768, last: 60999 }

/** The packet that answers another one. */
export function replyTo(packet: TracedPacket, kind: 'answer' | 'reset'): TracedPacket {
  const { source, destination } = packet
  const reply = { ...packet, source: destination, destination: source, kind, mark: 0 }
  return { ...reply, largest: undefined, ttl: undefined, sender: undefined }
}

/** One port as a range. */
export function onePort(port: number): Range {
  return { first: port, last: port }
}

/** The port of a range of one; undefined for several, and for none. */
export function onlyPort(port: Range | undefined): number | undefined {
  return port?.first === port?.last ? port?.first : undefined
}

/** Whether two sockets are the same, with the same possible ports. */
export function sameSocket(a: TracedSocket, b: TracedSocket): boolean {
  return a.address === b.address && samePorts(a, b)
}

/** Whether two sockets have the same possible ports. */
export function samePorts({ port: a }: TracedSocket, { port: b }: TracedSocket): boolean {
  return a?.first === b?.first && a?.last === b?.last
}

/** Whether two packets have the same ends. */
export function sameTuple(a: Tuple, b: Tuple): boolean {
  return sameSocket(a.source, b.source) && sameSocket(a.destination, b.destination)
}

/** `10.244.1.2:80`; `:*` for a port that can be several. */
export function tracedSocketText({ address, port }: TracedSocket): string {
  if (port === undefined) return address
  return `${hostText(address)}:${port.first === port.last ? port.first : '*'}`
}

/** `172.18.1.2:* → 172.18.0.2:30080` */
export function tupleText({ source, destination }: Tuple): string {
  return `${tracedSocketText(source)} → ${tracedSocketText(destination)}`
}
