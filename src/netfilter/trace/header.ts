import ipaddr from 'ipaddr.js'
import type { SocketAddress } from '../../net/socketAddress.js'
import { addressText } from '../../net/socketText.js'

/** The first bytes of a packet, as a trace has them. */
export interface PacketHeader {
  readonly protocol: 'tcp' | 'udp' | 'sctp' | 'icmp' | 'other'
  /** No port if the packet has none, or if it is a later fragment. */
  readonly source: SocketAddress
  readonly destination: SocketAddress
  /** Identification of IPv4, the same on all hosts; undefined in IPv6. */
  readonly identification?: number | undefined
  /** Flow label of IPv6, the same on all hosts; undefined in IPv4. */
  readonly flowLabel?: number | undefined
  /** Time to live, or hop limit. */
  readonly ttl: number
  readonly tcp?: {
    readonly syn: boolean
    readonly ack: boolean
    readonly rst: boolean
    readonly sequence: number
  }
  /** `about`: identification or flow label of the packet that an error is about, as far as the trace has it. */
  readonly icmp?: { readonly type: number; readonly code: number; readonly about?: number | undefined }
}

const protocols: Readonly<Record<number, PacketHeader['protocol']>> = {
  ...{ 1: 'icmp', 6: 'tcp', 17: 'udp', 58: 'icmp', 132: 'sctp' },
}

/** Reads the header of an IP packet and what follows it; undefined if it is not IP. Extension headers are not read. */
export function header(network: Buffer, transport: Buffer | undefined): PacketHeader | undefined {
  const version = (network[0] ?? 0) >> 4
  if (version === 4 && network.length >= 20)
    return withTransport(network[9] ?? 0, transport, {
      source: address(network.subarray(12, 16)),
      destination: address(network.subarray(16, 20)),
      identification: network.readUInt16BE(4),
      ttl: network[8] ?? 0,
    })
  if (version === 6 && network.length >= 40)
    return withTransport(network[6] ?? 0, transport, {
      source: address(network.subarray(8, 24)),
      destination: address(network.subarray(24, 40)),
      flowLabel: network.readUInt32BE(0) & 0xfffff,
      ttl: network[7] ?? 0,
    })
  return undefined
}

function withTransport(
  number: number,
  transport: Buffer = Buffer.alloc(0),
  {
    source,
    destination,
    ...ip
  }: {
    readonly source: string
    readonly destination: string
    readonly identification?: number
    readonly flowLabel?: number
    readonly ttl: number
  },
): PacketHeader {
  const protocol = protocols[number] ?? 'other'
  const ends = { source: { address: source }, destination: { address: destination } }
  if (protocol === 'icmp' && transport.length >= 2)
    return { protocol, ...ip, ...ends, icmp: icmpHeader(transport) }
  if (protocol === 'icmp' || protocol === 'other' || transport.length < 4) return { protocol, ...ip, ...ends }
  const ports = {
    source: { address: source, port: transport.readUInt16BE(0) },
    destination: { address: destination, port: transport.readUInt16BE(2) },
  }
  if (protocol !== 'tcp' || transport.length < 14) return { protocol, ...ip, ...ports }
  const flags = transport[13] ?? 0
  const tcp = {
    ...{ syn: (flags & 2) !== 0, rst: (flags & 4) !== 0, ack: (flags & 16) !== 0 },
    sequence: transport.readUInt32BE(4),
  }
  return { protocol, ...ip, ...ports, tcp }
}

/** The packet that an error is about follows 8 bytes of ICMP; an echo is about none. */
function icmpHeader(transport: Buffer): NonNullable<PacketHeader['icmp']> {
  const own = { type: transport[0] ?? 0, code: transport[1] ?? 0 }
  const version = (transport[8] ?? 0) >> 4
  if (echoTypes.includes(own.type) || transport.length < 14) return own
  const about = version === 4 ? transport.readUInt16BE(12) : transport.readUInt32BE(8) & 0xfffff
  return { ...own, about }
}

const echoTypes = [0, 8, 128, 129]

function address(bytes: Buffer): string {
  return addressText(ipaddr.fromByteArray([...bytes]).toString())
}
