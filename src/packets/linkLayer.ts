import type { PacketType } from './types.js'

/** The fields of a link-layer header, and the offset of the network layer. */
export interface LinkHeader {
  readonly etherType: number
  readonly offset: number
  readonly interfaceIndex: number
  readonly type: PacketType
}

/** Supported link types (https://www.tcpdump.org/linktypes.html). */
export const linkTypes = { EN10MB: 1, LINUX_SLL: 113, LINUX_SLL2: 276 } as const

/** Reads a link-layer header in `bytes[start, end)`; undefined if the frame is too short. */
export type ReadLink = (bytes: Buffer, start: number, end: number) => LinkHeader | undefined

/** The reader for a link type; undefined for unsupported ones. */
export function linkReader(linkType: number): ReadLink | undefined {
  switch (linkType) {
    case linkTypes.EN10MB:
      return readEthernet
    case linkTypes.LINUX_SLL:
      return readSll
    case linkTypes.LINUX_SLL2:
      return readSll2
    default:
      return undefined
  }
}

const packetTypes: readonly PacketType[] = ['host', 'broadcast', 'multicast', 'otherhost', 'outgoing']

function readSll2(bytes: Buffer, start: number, end: number): LinkHeader | undefined {
  if (end - start < 20) return undefined
  const type = packetTypes[bytes.readUInt8(start + 10)] ?? 'host'
  return pastVlanTags(bytes, start + 20, end, bytes.readUInt16BE(start), bytes.readUInt32BE(start + 4), type)
}

function readSll(bytes: Buffer, start: number, end: number): LinkHeader | undefined {
  if (end - start < 16) return undefined
  const type = packetTypes[bytes.readUInt16BE(start)] ?? 'host'
  return pastVlanTags(bytes, start + 16, end, bytes.readUInt16BE(start + 14), 0, type)
}

/** An Ethernet header has no direction: all frames are treated as received. */
export function readEthernet(bytes: Buffer, start: number, end: number): LinkHeader | undefined {
  if (end - start < 14) return undefined
  const group = bytes.readUInt8(start) & 1
  const all = bytes.readUInt32BE(start) === 0xffffffff && bytes.readUInt16BE(start + 4) === 0xffff
  const type = all ? 'broadcast' : group ? 'multicast' : 'host'
  return pastVlanTags(bytes, start + 14, end, bytes.readUInt16BE(start + 12), 0, type)
}

/** 802.1Q, 802.1ad and the older stacked tag: four bytes each, the last two hold the next EtherType. */
const vlanTags: readonly number[] = [0x8100, 0x88a8, 0x9100]

function pastVlanTags(
  bytes: Buffer,
  offset: number,
  end: number,
  etherType: number,
  interfaceIndex: number,
  type: PacketType,
): LinkHeader | undefined {
  while (vlanTags.includes(etherType)) {
    if (end - offset < 4) return undefined
    etherType = bytes.readUInt16BE(offset + 2)
    offset += 4
  }
  return { etherType, offset, interfaceIndex, type }
}
