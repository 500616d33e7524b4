import { addressOfWords, addressWords } from '../../net/address.js'

/** What decides which address of a range a connection gets. */
interface Asked {
  /** The side that is rewritten. */
  readonly side: 'source' | 'destination'
  /** The addresses of its packets before this translation. */
  readonly source: string
  readonly destination: string
  /** `--persistent`: the destination does not count. */
  readonly persistent: boolean
  /** The zone of connection tracking. */
  readonly zone: number
}

/**
 * The address that NAT chooses from a range: the same for each connection of a client to a server (find_best_ips_proto of Linux).
 * The hash has no secret, and reads words of 32 bits as processors with little-endian numbers do.
 */
export function natAddress(
  { first, last }: { readonly first: string; readonly last: string },
  { side, source, destination, persistent, zone }: Asked,
): string {
  const called = addressWords(destination).map(swapped)
  const [low, high] = [addressWords(first), addressWords(last)]
  let hash = jhash(addressWords(source).map(swapped), persistent ? 0 : ((called.at(-1) ?? 0) ^ zone) >>> 0)
  let isFull = false
  return addressOfWords(
    low.map((from, index) => {
      const to = high[index] ?? 0
      const [lowest, count] = isFull ? [0, 0xffffffff] : [from, (to - from + 1) >>> 0]
      const word = (lowest + Number((BigInt(hash) * BigInt(count)) >> 32n)) >>> 0
      if (word !== to) isFull = true
      // a destination is already the new one
      const mixed = side === 'source' ? (called[index] ?? 0) : swapped(word)
      if (!persistent) hash = (hash ^ mixed) >>> 0
      return word
    }),
  )
}

function swapped(word: number): number {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(word)
  return bytes.readUInt32LE()
}

/** jhash2 of Linux, over the four words in which connection tracking keeps an address. */
function jhash([first = 0, second = 0, third = 0, fourth = 0]: readonly number[], initial: number): number {
  let [a, b, c] = Array<number>(3).fill((0xdeadbeef + 16 + initial) >>> 0) as [number, number, number]
  a = (a + first) >>> 0
  b = (b + second) >>> 0
  c = (c + third) >>> 0
  // __jhash_mix
  const mix = (by: number) => {
    const mixed = ((a - c) ^ rotated(c, by)) >>> 0
    const sum = (c + b) >>> 0
    ;[a, b, c] = [b, sum, mixed]
  }
  for (const by of [4, 6, 8, 16, 19, 4]) mix(by)
  a = (a + fourth) >>> 0
  // __jhash_final
  const end = (by: number) => {
    const mixed = ((c ^ b) - rotated(b, by)) >>> 0
    ;[a, b, c] = [b, mixed, a]
  }
  for (const by of [14, 11, 25, 16, 4, 14, 24]) end(by)
  return b
}

function rotated(word: number, by: number): number {
  return ((word << by) | (word >>> (32 - by))) >>> 0
}
