import type { AddressReader } from './addresses.js'
import { readQuotedNetwork, type NetworkHeader } from './network.js'
import { readRequestHead } from './requestHead.js'
import type { SocketAddress } from '../net/socketAddress.js'
import type { IcmpHeader, Packet, QuotedPacket, TcpHeader, TransportProtocol } from './types.js'

/** The part of a Packet above the network layer. */
export type Transport = Pick<
  Packet,
  'protocol' | 'source' | 'destination' | 'tcp' | 'icmp' | 'payload' | 'request'
>

/** Bytes of payload that a Packet keeps. */
const keptPayload = 64

/** Reads the transport header after `network`; a truncated header or a later fragment has no ports. */
export function readTransport(bytes: Buffer, network: NetworkHeader, addresses: AddressReader): Transport {
  const protocol = protocolOf(network.protocol)
  const { offset, end } = network
  const size = network.laterFragment ? Infinity : headerLength(protocol, bytes, offset, end)
  if (offset + size > end) {
    const payload = network.laterFragment ? payloadAt(bytes, offset, end) : ''
    return {
      protocol,
      source: { address: network.source },
      destination: { address: network.destination },
      payload,
    }
  }
  const { source, destination } = socketsOf(protocol, bytes, network)
  const payload = payloadAt(bytes, offset + size, end)
  if (protocol === 'tcp') {
    const request = readRequestHead(bytes, offset + size, end)
    const segment = { protocol, source, destination, tcp: readTcp(bytes, offset), payload }
    return request === undefined ? segment : { ...segment, request }
  }
  if (protocol === 'icmp' || protocol === 'icmpv6') {
    return { protocol, source, destination, icmp: readIcmp(protocol, bytes, offset, end, addresses), payload }
  }
  return { protocol, source, destination, payload }
}

function protocolOf(number: number): TransportProtocol {
  switch (number) {
    case 6:
      return 'tcp'
    case 17:
      return 'udp'
    case 1:
      return 'icmp'
    case 58:
      return 'icmpv6'
    case 132:
      return 'sctp'
    default:
      return 'other'
  }
}

function headerLength(protocol: TransportProtocol, bytes: Buffer, offset: number, end: number): number {
  switch (protocol) {
    case 'tcp':
      return end - offset < 20 ? Infinity : Math.max(20, (bytes.readUInt8(offset + 12) >>> 4) * 4)
    case 'sctp':
      return 12
    case 'other':
      return 0
    default:
      return 8
  }
}

function payloadAt(bytes: Buffer, start: number, end: number): string {
  return start >= end ? '' : bytes.toString('hex', start, Math.min(end, start + keptPayload))
}

function hasPorts(protocol: TransportProtocol): boolean {
  return protocol === 'tcp' || protocol === 'udp' || protocol === 'sctp'
}

function socketsOf(
  protocol: TransportProtocol,
  bytes: Buffer,
  { source, destination, offset }: NetworkHeader,
): { source: SocketAddress; destination: SocketAddress } {
  if (!hasPorts(protocol)) return { source: { address: source }, destination: { address: destination } }
  return {
    source: { address: source, port: bytes.readUInt16BE(offset) },
    destination: { address: destination, port: bytes.readUInt16BE(offset + 2) },
  }
}

function readTcp(bytes: Buffer, offset: number): TcpHeader {
  const flags = bytes.readUInt8(offset + 13)
  return {
    sequence: bytes.readUInt32BE(offset + 4),
    acknowledgement: bytes.readUInt32BE(offset + 8),
    syn: (flags & 2) !== 0,
    ack: (flags & 16) !== 0,
    fin: (flags & 1) !== 0,
    rst: (flags & 4) !== 0,
    psh: (flags & 8) !== 0,
  }
}

/** Types with an identifier and a sequence number: echo request and reply. */
const echoTypes = { icmp: [8, 0], icmpv6: [128, 129] } as const
/** Types that quote the packet that caused them (RFC 792, RFC 4443). */
const errorTypes = { icmp: [3, 4, 5, 11, 12], icmpv6: [1, 2, 3, 4] } as const

function readIcmp(
  protocol: 'icmp' | 'icmpv6',
  bytes: Buffer,
  offset: number,
  end: number,
  addresses: AddressReader,
): IcmpHeader {
  const type = bytes.readUInt8(offset)
  const code = bytes.readUInt8(offset + 1)
  if (includes(echoTypes[protocol], type)) {
    return {
      type,
      code,
      identifier: bytes.readUInt16BE(offset + 4),
      sequence: bytes.readUInt16BE(offset + 6),
    }
  }
  const quoted = includes(errorTypes[protocol], type)
    ? readQuoted(bytes, offset + 8, end, addresses)
    : undefined
  return quoted === undefined ? { type, code } : { type, code, quoted }
}

function includes(list: readonly number[], value: number): boolean {
  return list.includes(value)
}

/** An error quotes at least eight bytes of the transport header, which include the ports. */
function readQuoted(
  bytes: Buffer,
  start: number,
  end: number,
  addresses: AddressReader,
): QuotedPacket | undefined {
  const network = readQuotedNetwork(bytes, start, end, addresses)
  if (network === undefined) return undefined
  const protocol = protocolOf(network.protocol)
  const { offset, identification } = network
  if (network.laterFragment || network.end - offset < 8) {
    const { source, destination } = network
    return { protocol, source: { address: source }, destination: { address: destination }, identification }
  }
  const quoted = { protocol, ...socketsOf(protocol, bytes, network), identification }
  if (protocol === 'tcp') return { ...quoted, sequence: bytes.readUInt32BE(offset + 4) }
  if (protocol !== 'icmp' && protocol !== 'icmpv6') return quoted
  if (!includes(echoTypes[protocol], bytes.readUInt8(offset))) return quoted
  return {
    ...quoted,
    identifier: bytes.readUInt16BE(offset + 4),
    sequence: bytes.readUInt16BE(offset + 6),
  }
}
