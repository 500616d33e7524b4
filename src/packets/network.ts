import type { AddressReader } from './addresses.js'

/** The fields of an IP header, and where the transport layer starts and ends. */
export interface NetworkHeader {
  /** Protocol number (IPv4) or the next header after all extension headers (IPv6). */
  readonly protocol: number
  readonly source: string
  readonly destination: string
  readonly ttl: number
  readonly identification: number
  /** Bytes of the whole IP packet, from its header. */
  readonly length: number
  /** True for all fragments except the first, which has the transport header. */
  readonly laterFragment: boolean
  readonly offset: number
  /** End of the captured part of the packet, without link-layer padding. */
  readonly end: number
}

const etherTypes = { IPv4: 0x0800, IPv6: 0x86dd } as const

/** Reads an IP header of `bytes[start, end)`; undefined for other protocols and for truncated or damaged headers. */
export function readNetwork(
  etherType: number,
  bytes: Buffer,
  start: number,
  end: number,
  addresses: AddressReader,
): NetworkHeader | undefined {
  if (etherType === etherTypes.IPv4) return readIPv4(bytes, start, end, addresses)
  if (etherType === etherTypes.IPv6) return readIPv6(bytes, start, end, addresses)
  return undefined
}

/** Reads an IP header without an EtherType, of the version in its first four bits, as in ICMP errors. */
export function readQuotedNetwork(
  bytes: Buffer,
  start: number,
  end: number,
  addresses: AddressReader,
): NetworkHeader | undefined {
  if (start >= end) return undefined
  const version = bytes.readUInt8(start) >>> 4
  return version === 6 ? readIPv6(bytes, start, end, addresses) : readIPv4(bytes, start, end, addresses)
}

function readIPv4(
  bytes: Buffer,
  start: number,
  end: number,
  addresses: AddressReader,
): NetworkHeader | undefined {
  if (end - start < 20) return undefined
  const first = bytes.readUInt8(start)
  const headerLength = (first & 15) * 4
  if (first >>> 4 !== 4 || headerLength < 20 || headerLength > end - start) return undefined
  // Zero with segmentation offload; then the captured length is used.
  const length = bytes.readUInt16BE(start + 2) || end - start
  if (length < headerLength) return undefined
  return {
    protocol: bytes.readUInt8(start + 9),
    source: addresses.ipv4(bytes, start + 12),
    destination: addresses.ipv4(bytes, start + 16),
    ttl: bytes.readUInt8(start + 8),
    identification: bytes.readUInt16BE(start + 4),
    length,
    laterFragment: (bytes.readUInt16BE(start + 6) & 0x1fff) !== 0,
    offset: start + headerLength,
    end: Math.min(end, start + length),
  }
}

const extension = {
  hopByHop: 0,
  routing: 43,
  fragment: 44,
  authentication: 51,
  destination: 60,
  mobility: 135,
} as const

function readIPv6(
  bytes: Buffer,
  start: number,
  end: number,
  addresses: AddressReader,
): NetworkHeader | undefined {
  if (end - start < 40 || bytes.readUInt8(start) >>> 4 !== 6) return undefined
  // Zero for a jumbogram, whose length is in an option (RFC 2675).
  const payload = bytes.readUInt16BE(start + 4) || end - start - 40
  const last = Math.min(end, start + 40 + payload)
  let protocol = bytes.readUInt8(start + 6)
  let offset = start + 40
  let laterFragment = false
  for (;;) {
    const size = extensionLength(protocol, bytes, offset, last)
    if (size === 0) break
    if (size === undefined || offset + size > last) return undefined
    if (protocol === extension.fragment) laterFragment = (bytes.readUInt16BE(offset + 2) & 0xfff8) !== 0
    protocol = bytes.readUInt8(offset)
    offset += size
    // A later fragment contains no further header.
    if (laterFragment) break
  }
  return {
    protocol,
    source: addresses.ipv6(bytes, start + 8),
    destination: addresses.ipv6(bytes, start + 24),
    ttl: bytes.readUInt8(start + 7),
    identification: 0,
    length: 40 + payload,
    laterFragment,
    offset,
    end: last,
  }
}

/** Bytes of the extension header at `offset`; 0 if `protocol` is not an extension header, undefined if the packet ends before it. */
function extensionLength(protocol: number, bytes: Buffer, offset: number, end: number): number | undefined {
  switch (protocol) {
    case extension.hopByHop:
    case extension.routing:
    case extension.destination:
    case extension.mobility:
      return end - offset < 2 ? undefined : (bytes.readUInt8(offset + 1) + 1) * 8
    case extension.fragment:
      return 8
    case extension.authentication:
      return end - offset < 2 ? undefined : (bytes.readUInt8(offset + 1) + 2) * 4
    default:
      return 0
  }
}
