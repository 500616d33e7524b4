/** Converts address bytes to text, with a cache, because addresses recur in a capture. */
export interface AddressReader {
  ipv4(bytes: Buffer, offset: number): string
  ipv6(bytes: Buffer, offset: number): string
}

/** A reader with an empty cache. */
export function createAddressReader(): AddressReader {
  const four = new Map<number, string>()
  const six = new Map<string, string>()
  return {
    ipv4(bytes, offset) {
      const key = bytes.readUInt32BE(offset)
      let text = four.get(key)
      if (text === undefined) {
        text = `${key >>> 24}.${(key >>> 16) & 255}.${(key >>> 8) & 255}.${key & 255}`
        four.set(key, text)
      }
      return text
    },
    ipv6(bytes, offset) {
      const key = bytes.toString('latin1', offset, offset + 16)
      let text = six.get(key)
      if (text === undefined) {
        text = formatIPv6(bytes, offset)
        six.set(key, text)
      }
      return text
    },
  }
}

/** Sixteen bytes in RFC 5952 form: lower case, the longest run of two or more zero groups as `::`. */
export function formatIPv6(bytes: Buffer, offset: number): string {
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(offset + 2 * index))
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return `::ffff:${[...bytes.subarray(offset + 12, offset + 16)].join('.')}`
  }
  const gap = longestZeroRun(groups)
  const hex = (from: number, to: number) =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(':')
  return gap.length < 2 ? hex(0, 8) : `${hex(0, gap.start)}::${hex(gap.start + gap.length, 8)}`
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  let start = 0
  for (const [index, group] of groups.entries()) {
    if (group !== 0) start = index + 1
    else if (index + 1 - start > best.length) best = { start, length: index + 1 - start }
  }
  return best
}
