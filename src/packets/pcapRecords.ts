import { InputError } from '../errors.js'

const fileHeaderLength = 24
const recordHeaderLength = 16

/** libpcap's MAXIMUM_SNAPLEN: a longer record is damaged, whatever the file header says. */
const longestRecord = 262_144

/** One frame of a classic pcap file: `bytes[start, end)`. */
export interface PcapRecord {
  readonly seconds: number
  /** In units of the file's `tick`. */
  readonly fraction: number
  readonly start: number
  readonly end: number
  /** Length of the frame before it was cut to the capture's snap length. */
  readonly originalLength: number
}

/** The records of a classic pcap file. */
export interface PcapFile {
  readonly linkType: number
  /** Unit of `fraction`, in seconds. */
  readonly tick: number
  /** Calls a function with each record, in the order of the file; returns where the last whole one ends. */
  each(visit: (record: PcapRecord) => void): number
}

/**
 * Reads a classic pcap file (pcap-savefile(5)). A truncated last record is ignored, because a capture may end within a record.
 * Throws an InputError when the file header or a record header is damaged.
 */
export function readPcap(bytes: Buffer): PcapFile {
  const { littleEndian, tick, linkType } = readFileHeader(bytes)
  return {
    linkType,
    tick,
    each(visit) {
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
        visit({ seconds: word(0), fraction: word(4), start, end, originalLength: word(12) })
        offset = end
      }
      return offset
    },
  }
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

/** The error of a damaged capture. */
export function damaged(what: string): InputError {
  return new InputError([{ message: `the packet capture cannot be read: ${what}` }])
}
