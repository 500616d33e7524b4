import { createAddressReader, type AddressReader } from './addresses.js'
import { linkReader } from './linkLayer.js'
import { damaged, readPcap, type PcapFile, type PcapRecord } from './pcapRecords.js'
import { readNetwork, type NetworkHeader } from './network.js'
import { readTransport } from './transport.js'
import type { Packet } from './types.js'
import { readVxlan } from './vxlan.js'

/**
 * The IP packets of a classic pcap file (pcap-savefile(5)), in the order of the file; frames of other protocols are
 * ignored. A truncated last record is ignored too, because a capture may end within a record.
 * `records` counts all frames, and `length` the bytes to the end of the last whole one. Throws an InputError when the file
 * header or a record header is damaged.
 */
export function parsePcap(data: Uint8Array): {
  packets: Packet[]
  linkType: number
  records: number
  length: number
} {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const file = readPcap(bytes)
  const readPacket = packetReader(bytes, file)
  const packets: Packet[] = []
  let records = 0
  const length = file.each((record) => {
    records += 1
    const packet = readPacket(record)
    if (packet !== undefined) packets.push(packet)
  })
  return { packets, linkType: file.linkType, records, length }
}

/** Reads the IP packet of a record; undefined for frames of other protocols. Throws InputError for an unknown link type. */
export function packetReader(
  bytes: Buffer,
  { linkType, tick }: Pick<PcapFile, 'linkType' | 'tick'>,
): (record: PcapRecord) => Packet | undefined {
  const readLink = linkReader(linkType)
  if (readLink === undefined) throw damaged(`link type ${linkType} is not LINUX_SLL2, LINUX_SLL or EN10MB`)
  const addresses = createAddressReader()
  return ({ seconds, fraction, start, end }) => {
    const link = readLink(bytes, start, end)
    const network = link && readNetwork(link.etherType, bytes, link.offset, end, addresses)
    if (link === undefined || network === undefined) return undefined
    const { interfaceIndex, type } = link
    return {
      ...{ time: seconds + fraction * tick, interfaceIndex, type },
      ...(readTunnelled(bytes, network, addresses) ?? readPacket(bytes, network, addresses)),
    }
  }
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
