/** The format of a capture file. */
export interface PcapStyle {
  readonly littleEndian: boolean
  readonly nanoseconds: boolean
  readonly link: 'LINUX_SLL2' | 'LINUX_SLL' | 'EN10MB'
  readonly vlanTags: readonly number[]
}

export const plainStyle: PcapStyle = {
  littleEndian: true,
  nanoseconds: false,
  link: 'LINUX_SLL2',
  vlanTags: [],
}

/** One frame: an IP packet with the fields of its link layer. */
export interface Frame {
  readonly seconds: number
  readonly fraction: number
  readonly interfaceIndex: number
  /** sll_pkttype: 0 host, 1 broadcast, 2 multicast, 3 otherhost, 4 outgoing. */
  readonly type: number
  readonly etherType: number
  readonly ip: Buffer
}

const linkTypes = { LINUX_SLL2: 276, LINUX_SLL: 113, EN10MB: 1 } as const

/** A classic pcap file (pcap-savefile(5)). */
export function writePcap(frames: readonly Frame[], style: PcapStyle = plainStyle): Buffer {
  const word = (value: number) => {
    const bytes = Buffer.alloc(4)
    if (style.littleEndian) bytes.writeUInt32LE(value)
    else bytes.writeUInt32BE(value)
    return bytes
  }
  const half = (value: number) => word(value).subarray(...(style.littleEndian ? [0, 2] : [2, 4]))
  const magic = word(style.nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4)
  const header = [magic, half(2), half(4), word(0), word(0), word(262_144), word(linkTypes[style.link])]
  const records = frames.flatMap((frame) => {
    const body = Buffer.concat([linkHeader(frame, style), frame.ip])
    return [word(frame.seconds), word(frame.fraction), word(body.length), word(body.length), body]
  })
  return Buffer.concat([...header, ...records])
}

function linkHeader({ interfaceIndex, type, etherType }: Frame, { link, vlanTags }: PcapStyle): Buffer {
  const types = [...vlanTags, etherType]
  const first = be16(types[0] ?? etherType)
  const tags = types.slice(1).flatMap((next) => [be16(7), be16(next)])
  const address = [0x0a, 0x58, 10, 244, 0, 5]
  switch (link) {
    case 'LINUX_SLL2':
      return Buffer.concat([
        ...[first, be16(0), be32(interfaceIndex), be16(1)],
        Buffer.from([type, 6, ...address, 0, 0]),
        ...tags,
      ])
    case 'LINUX_SLL':
      return Buffer.concat([be16(type), be16(1), be16(6), Buffer.from([...address, 0, 0]), first, ...tags])
    case 'EN10MB':
      return Buffer.concat([Buffer.from([...address, ...address]), first, ...tags])
  }
}

/** The fields of an IP header that tests vary. */
export interface IpFields {
  readonly source: Buffer
  readonly destination: Buffer
  readonly ttl: number
  readonly identification?: number
  /** In units of eight bytes. */
  readonly fragmentOffset?: number
  /** IPv4: words of options. IPv6: kinds of extension headers. */
  readonly options?: number
  readonly extensions?: readonly number[]
}

/** An IPv4 or IPv6 packet, by the length of its addresses. */
export function ipPacket(protocol: number, fields: IpFields, payload: Buffer): Buffer {
  return fields.source.length === 4 ? ipv4(protocol, fields, payload) : ipv6(protocol, fields, payload)
}

function ipv4(protocol: number, fields: IpFields, payload: Buffer): Buffer {
  const options = Buffer.alloc((fields.options ?? 0) * 4, 1)
  const header = Buffer.alloc(20)
  header.writeUInt8(0x40 + 5 + options.length / 4, 0)
  header.writeUInt16BE(20 + options.length + payload.length, 2)
  header.writeUInt16BE(fields.identification ?? 0, 4)
  header.writeUInt16BE(fields.fragmentOffset ?? 0, 6)
  header.writeUInt8(fields.ttl, 8)
  header.writeUInt8(protocol, 9)
  fields.source.copy(header, 12)
  fields.destination.copy(header, 16)
  return Buffer.concat([header, options, payload])
}

function ipv6(protocol: number, fields: IpFields, payload: Buffer): Buffer {
  const kinds = fields.extensions ?? []
  const chain = kinds.map((kind, index) => {
    const next = kinds[index + 1] ?? protocol
    if (kind === 44) return Buffer.from([next, 0, ...be16((fields.fragmentOffset ?? 0) << 3), 0, 0, 0, 9])
    if (kind === 51) return Buffer.concat([Buffer.from([next, 1]), Buffer.alloc(10)])
    return Buffer.concat([Buffer.from([next, 1]), Buffer.alloc(14)])
  })
  const body = Buffer.concat([...chain, payload])
  const header = Buffer.alloc(40)
  header.writeUInt8(0x60, 0)
  header.writeUInt16BE(body.length, 4)
  header.writeUInt8(kinds[0] ?? protocol, 6)
  header.writeUInt8(fields.ttl, 7)
  fields.source.copy(header, 8)
  fields.destination.copy(header, 24)
  return Buffer.concat([header, body])
}

export function tcpSegment(
  ports: readonly [number, number],
  sequence: number,
  acknowledgement: number,
  flags: number,
  payload: Buffer,
): Buffer {
  const rest = Buffer.from([0x50, flags, 0xff, 0xff, 0, 0, 0, 0])
  return Buffer.concat([be16(ports[0]), be16(ports[1]), be32(sequence), be32(acknowledgement), rest, payload])
}

export function udpDatagram(ports: readonly [number, number], payload: Buffer): Buffer {
  return Buffer.concat([be16(ports[0]), be16(ports[1]), be16(8 + payload.length), be16(0), payload])
}

export function sctpPacket(ports: readonly [number, number], chunks: Buffer): Buffer {
  return Buffer.concat([be16(ports[0]), be16(ports[1]), be32(0), be32(0), chunks])
}

/** An echo when `rest` is the identifier and the sequence number; an error when it is four zero bytes and a packet. */
export function icmpMessage(type: number, code: number, rest: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type, code, 0, 0]), rest])
}

export function be16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value & 0xffff)
  return bytes
}

export function be32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
