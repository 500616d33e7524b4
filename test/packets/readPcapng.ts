/** The blocks of a pcapng file that matter for tests. */
export interface PcapngContents {
  readonly interfaces: readonly {
    readonly name: string
    readonly description: string
    readonly linkType: number
  }[]
  readonly packets: readonly {
    readonly interface: number
    readonly microseconds: number
    readonly frame: Buffer
    readonly originalLength: number
    readonly comment: string | undefined
    readonly flags: number | undefined
  }[]
}

/** Reads a little-endian pcapng file of one section; throws for a block that is damaged. */
export function readPcapng(bytes: Buffer): PcapngContents {
  const interfaces: PcapngContents['interfaces'][number][] = []
  const packets: PcapngContents['packets'][number][] = []
  for (let at = 0; at < bytes.length;) {
    const [type, length] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)]
    if (length % 4 !== 0 || length < 12 || bytes.readUInt32LE(at + length - 4) !== length)
      throw new Error(`the block at byte ${at} has a length of ${length} bytes`)
    if ((at === 0) !== (type === 0x0a0d0d0a)) throw new Error('there is one section header, at the start')
    const body = bytes.subarray(at + 8, at + length - 4)
    if (type === 1) {
      const found = options(body.subarray(8))
      interfaces.push({
        name: found.get(2)?.toString() ?? '',
        description: found.get(3)?.toString() ?? '',
        linkType: body.readUInt16LE(0),
      })
    }
    if (type === 6) {
      const captured = body.readUInt32LE(12)
      const found = options(body.subarray(20 + Math.ceil(captured / 4) * 4))
      packets.push({
        interface: body.readUInt32LE(0),
        microseconds: body.readUInt32LE(4) * 2 ** 32 + body.readUInt32LE(8),
        frame: body.subarray(20, 20 + captured),
        originalLength: body.readUInt32LE(16),
        comment: found.get(1)?.toString(),
        flags: found.get(2)?.readUInt32LE(0),
      })
      if (interfaces[body.readUInt32LE(0)] === undefined) throw new Error('a packet of an unknown interface')
    }
    at += length
  }
  return { interfaces, packets }
}

function options(bytes: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>()
  for (let at = 0; ;) {
    const [code, length] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)]
    if (code === 0) return found
    found.set(code, bytes.subarray(at + 4, at + 4 + length))
    at += 4 + Math.ceil(length / 4) * 4
  }
}
