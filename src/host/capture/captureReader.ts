import { fstatSync, readSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parsePcap } from '../../packets/pcap.js'
import type { Packet } from '../../packets/types.js'
import { askAgainMs, patienceMs } from './patience.js'

/** A pcap file starts with a header of 24 bytes. */
const fileHeaderBytes = 24

/** Reads the pcap file that a running tcpdump writes. */
export function createFileReader(file: number): {
  /** The packets after those of the last call, when the file has this many records in all; a text says that it has fewer. */
  take(records: number): Promise<Packet[] | string>
  /** The file so far. */
  whole(): Buffer
} {
  let offset = fileHeaderBytes
  let taken = 0
  return {
    async take(records) {
      const deadline = performance.now() + patienceMs
      for (;;) {
        const data = Buffer.concat([read(file, 0, fileHeaderBytes), read(file, offset)])
        const part = parsePcap(data)
        if (taken + part.records >= records) {
          taken += part.records
          offset += part.length - fileHeaderBytes
          return part.packets
        }
        if (performance.now() > deadline)
          return `has written ${taken + part.records} of ${records} packets after ${patienceMs / 1000} s`
        await delay(askAgainMs)
      }
    },
    whole: () => read(file, 0),
  }
}

/** The bytes of a file from a position, to its end by default: a file in memory, so asking the thread pool would cost more. */
function read(file: number, from: number, length = Math.max(0, fstatSync(file).size - from)): Buffer {
  const data = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const count = readSync(file, data, filled, length - filled, from + filled)
    if (count === 0) break
    filled += count
  }
  return data.subarray(0, filled)
}
