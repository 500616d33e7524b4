import { joinConnections } from '../../packets/flows.js'
import { packetReader } from '../../packets/pcap.js'
import { pcapngWriter } from '../../packets/pcapng.js'
import { readPcap } from '../../packets/pcapRecords.js'
import type { Packet } from '../../packets/types.js'
import type { Place } from '../../topology/types.js'
import { connectionBook } from './connectionBook.js'
import { stepAt, type Journal } from './journal.js'
import { linksOf, type Link } from './links.js'

/** A classic pcap file with the packets of one place. */
export interface PlaceCapture {
  readonly place: Place
  readonly bytes: Buffer
}

export interface PcapngOptions {
  readonly journal: Journal
  /** Namespaces of proxies. */
  readonly proxies: ReadonlySet<string>
  /** Also packets of bridges, and of both ends of the links of pods. */
  readonly every: boolean
}

interface Frame {
  readonly link: Link
  readonly linkType: number
  readonly microseconds: number
  readonly frame: Buffer
  readonly originalLength: number
  readonly packet: Packet
}

/** The blocks of one pcapng file with the packets of all places of a lab, in order of time. */
export function pcapngOf(
  captures: readonly PlaceCapture[],
  { journal, proxies, every }: PcapngOptions,
): Buffer[] {
  const linkOf = linksOf(
    captures.map(({ place }) => place),
    every,
  )
  const frames: Frame[] = []
  const read = captures.map(({ place, bytes }) => {
    const packets: Packet[] = []
    const file = readPcap(bytes)
    const readPacket = packetReader(bytes, file)
    file.each((record) => {
      const packet = readPacket(record)
      if (packet === undefined) return
      packets.push(packet)
      const link = linkOf(place, packet.interfaceIndex)
      if (link === undefined) return
      const { seconds, fraction, start, end, originalLength } = record
      const microseconds = seconds * 1e6 + Math.round(fraction * file.tick * 1e6)
      const frame = bytes.subarray(start, end)
      frames.push({ link, linkType: file.linkType, microseconds, frame, originalLength, packet })
    })
    return { netns: place.netns, packets, interfaces: place.interfaces }
  })
  // a stable sort: frames of one place keep their order
  frames.sort((a, b) => a.microseconds - b.microseconds)
  const connections = joinConnections(read, { requested: journal.requested, proxies })
  const book = connectionBook()
  book.know(connections, { stepAt: (seconds) => stepAt(journal, seconds) })
  const blocks: Buffer[] = []
  const writer = pcapngWriter((block) => blocks.push(block))
  for (const { link, linkType, packet, ...frame } of frames) {
    const direction = packet.type === 'outgoing' ? 'out' : 'in'
    writer.packet({ ...link, linkType }, { ...frame, direction, comment: book.commentOf(packet) })
  }
  return blocks
}
