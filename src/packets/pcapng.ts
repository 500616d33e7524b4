/*
 * Blocks of a pcapng file (draft-ietf-opsawg-pcapng), little-endian, with times in microseconds. A file is a section header,
 * then interface blocks and packets; an interface block comes before its first packet.
 */

const codes = { comment: 1, name: 2, description: 3, application: 4, packetFlags: 2 } as const

/** The link of packets: an interface of a network namespace. */
export interface PcapngInterface {
  readonly name: string
  readonly description: string
  readonly linkType: number
}

/** One captured frame. */
interface PcapngPacket {
  /** Number of its interface block, from 0. */
  readonly interface: number
  /** Since the epoch. */
  readonly microseconds: number
  readonly frame: Buffer
  readonly originalLength: number
  readonly direction: 'in' | 'out'
  readonly comment?: string | undefined
}

/** Writes the blocks of a file in order. */
export interface PcapngWriter {
  /** Writes the block of an interface, unless it was written already; returns its number. */
  declare(link: PcapngInterface): number
  packet(link: PcapngInterface, packet: Omit<PcapngPacket, 'interface'>): void
}

/** Starts a file; interfaces are distinguished by their names. */
export function pcapngWriter(write: (block: Buffer) => void): PcapngWriter {
  const numbers = new Map<string, number>()
  const declare = (link: PcapngInterface): number => {
    const known = numbers.get(link.name)
    if (known !== undefined) return known
    write(interfaceBlock(link))
    numbers.set(link.name, numbers.size)
    return numbers.size - 1
  }
  write(sectionHeader())
  return { declare, packet: (link, packet) => write(packetBlock({ ...packet, interface: declare(link) })) }
}

/** The first block of a file. */
function sectionHeader(): Buffer {
  const body = Buffer.alloc(16)
  body.writeUInt32LE(0x1a2b3c4d)
  body.writeUInt16LE(1, 4)
  // the length of the section is not known
  body.writeBigInt64LE(-1n, 8)
  return block(0x0a0d0d0a, [body, options([[codes.application, Buffer.from('vethlab')]])])
}

/** The block of an interface. */
function interfaceBlock({ name, description, linkType }: PcapngInterface): Buffer {
  const body = Buffer.alloc(8)
  body.writeUInt16LE(linkType)
  const texts = options([
    [codes.name, Buffer.from(name)],
    [codes.description, Buffer.from(description)],
  ])
  return block(1, [body, texts])
}

/** The block of a packet (enhanced packet block). */
function packetBlock(packet: PcapngPacket): Buffer {
  const { microseconds, frame, originalLength, direction, comment } = packet
  const body = Buffer.alloc(20)
  body.writeUInt32LE(packet.interface)
  body.writeUInt32LE(Math.floor(microseconds / 2 ** 32), 4)
  body.writeUInt32LE(microseconds % 2 ** 32, 8)
  body.writeUInt32LE(frame.length, 12)
  body.writeUInt32LE(originalLength, 16)
  const flags = Buffer.alloc(4)
  flags.writeUInt32LE(direction === 'in' ? 1 : 2)
  const extra: [number, Buffer][] = comment === undefined ? [] : [[codes.comment, Buffer.from(comment)]]
  return block(6, [body, padded(frame), options([...extra, [codes.packetFlags, flags]])])
}

function block(type: number, parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 12)
  const head = Buffer.alloc(8)
  head.writeUInt32LE(type)
  head.writeUInt32LE(length, 4)
  return Buffer.concat([head, ...parts, head.subarray(4)], length)
}

function options(list: readonly (readonly [number, Buffer])[]): Buffer {
  const written = list.flatMap(([code, value]) => {
    const head = Buffer.alloc(4)
    head.writeUInt16LE(code)
    head.writeUInt16LE(value.length, 2)
    return [head, padded(value)]
  })
  return Buffer.concat([...written, Buffer.alloc(4)])
}

/** With zeros up to a multiple of four bytes. */
function padded(bytes: Buffer): Buffer {
  const rest = bytes.length % 4
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - rest)])
}
