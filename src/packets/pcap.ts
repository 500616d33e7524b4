import { InputError } from '../errors.js'
import { createAddressReader, type AddressReader } from './addresses.js'
import { linkReader } from './linkLayer.js'
import { readNetwork, type NetworkHeader } from './network.js'
import { readTransport } from './transport.js'
import type { Packet } from './types.js'
import { readVxlan } from './vxlan.js'

const fileHeaderLength = 24
const recordHeaderLength = 16

/** libpcap's MAXIMUM_SNAPLEN: a longer record is damaged, whatever the file header says. */
const longestRecord = 262_144

/**
 * The IP packets of a classic pcap file (pcap-savefile(5)), in the order of the file; frames of other protocols are
 * ignored. A truncated last record is ignored too, because a capture may end within a record.
 * Throws an InputError when the file header or a record header is damaged.
 */
export function parsePcap(data: Uint8Array): { packets: Packet[]; linkType: number } {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const { littleEndian, tick, linkType } = readFileHeader(bytes)
  const readLink = linkReader(linkType)
  if (readLink === undefined) throw damaged(`link type ${linkType} is not LINUX_SLL2, LINUX_SLL or EN10MB`)
  const addresses = createAddressReader()
  const packets: Packet[] = []
  let offset = fileHeaderLength
  while (offset + recordHeaderLength <= bytes.length) {
    const word = (at: number) =>
      littleEndian ? bytes.readUInt32LE(offset + at) : bytes.readUInt32BE(offset + at)
    const captured = word(8)
    if (captured > longestRecord)
      throw damaged(`the record at byte ${offset} has a length of ${captured} bytes`)
    const start = offset + recordHeaderLength
    const end = start + captured
    if (end > bytes.length) break
    const link = readLink(bytes, start, end)
    const network = link && readNetwork(link.etherType, bytes, link.offset, end, addresses)
    if (link && network) {
      const { interfaceIndex, type } = link
      packets.push({
        ...{ time: word(0) + word(4) * tick, interfaceIndex, type },
        ...(readTunnelled(bytes, network, addresses) ?? readPacket(bytes, network, addresses)),
      })
    }
    offset = end
  }
  return { packets, linkType }
}

type Contents = Omit<Packet, 'time' | 'interfaceIndex' | 'type'>

function readPacket(bytes: Buffer, network: NetworkHeader, addresses: AddressReader): Contents {
  const { ttl, identification, length } = network
  return { ttl, identification, length, ...readTransport(bytes, network, addresses) }
}

/** The IP packet inside a VXLAN packet; undefined if it contains something else (ARP). */
function readTunnelled(bytes: Buffer, outer: NetworkHeader, addresses: AddressReader): Contents | undefined {
  const found = readVxlan(bytes, outer)
  const inner = found && readNetwork(found.link.etherType, bytes, found.link.offset, outer.end, addresses)
  return inner && { ...readPacket(bytes, inner, addresses), tunnel: found.tunnel }
}

interface FileHeader {
  readonly littleEndian: boolean
  /** Unit of the second half of a timestamp, in seconds. */
  readonly tick: number
  readonly linkType: number
}

function readFileHeader(bytes: Buffer): FileHeader {
  if (bytes.length < fileHeaderLength) {
    throw damaged(`it has ${bytes.length} bytes, a pcap file starts with a header of ${fileHeaderLength}`)
  }
  const magic = bytes.readUInt32BE(0)
  const kind = magics.get(magic)
  if (kind === undefined) {
    const what =
      magic === 0x0a0d0d0a ? 'it is a pcapng file' : `it starts with ${bytes.toString('hex', 0, 4)}`
    throw damaged(`${what}; only classic pcap can be read`)
  }
  const network = kind.littleEndian ? bytes.readUInt32LE(20) : bytes.readUInt32BE(20)
  // The upper bits are flags about a frame check sequence.
  return { ...kind, linkType: network & 0xffff }
}

/** Byte order and unit of timestamps by the first four bytes of a file. */
const magics: ReadonlyMap<number, { littleEndian: boolean; tick: number }> = new Map([
  [0xa1b2c3d4, { littleEndian: false, tick: 1e-6 }],
  [0xd4c3b2a1, { littleEndian: true, tick: 1e-6 }],
  [0xa1b23c4d, { littleEndian: false, tick: 1e-9 }],
  [0x4d3cb2a1, { littleEndian: true, tick: 1e-9 }],
])

function damaged(what: string): InputError {
  return new InputError([{ message: `the packet capture cannot be read: ${what}` }])
}
