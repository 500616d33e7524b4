/** A classic pcap file (LINUX_SLL2) with frames of another file. */
export function writePcapOf(
  packets: readonly { readonly microseconds: number; readonly frame: Buffer }[],
): Buffer {
  const words = (...values: number[]) => {
    const bytes = Buffer.alloc(values.length * 4)
    values.forEach((value, index) => bytes.writeUInt32LE(value, index * 4))
    return bytes
  }
  const header = words(0xa1b2c3d4, 0x00040002, 0, 0, 262_144, 276)
  const records = packets.flatMap(({ microseconds, frame }) => [
    words(Math.floor(microseconds / 1e6), microseconds % 1e6, frame.length, frame.length),
    frame,
  ])
  return Buffer.concat([header, ...records])
}
