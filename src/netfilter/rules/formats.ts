import type { Format } from './option.js'
import { quote, unquote } from './words.js'

/** A word that is kept as it is: an address, an interface, a name. */
export const word: Format<string> = { words: 1, read: (text) => text, print: (text) => text }

/** A text of any characters; the field holds it without quotes. */
export const text: Format<string> = { words: 1, read: unquote, print: quote }

/** A name before which iptables 1.8.9 prints a second space: that of `--nfacct-name`. */
export const spacedName: Format<string> = { ...word, print: (name) => ` ${name}` }

/** Words with commas between them. */
export const list: Format<readonly string[]> = {
  words: 1,
  read: (text) => text.split(','),
  print: (all) => all.join(','),
}

/** A decimal number. */
export const integer: Format<number> = {
  words: 1,
  read: (text) => (/^\d+$/.test(text) ? Number(text) : undefined),
  print: String,
}

/** `0x10` */
export const hexadecimal: Format<number> = {
  words: 1,
  read: (text) => (/^0x[0-9a-f]+$/.test(text) ? Number(text) : undefined),
  print: hex,
}

/** A probability, of which iptables-save prints 11 decimals. */
export const probability: Format<number> = {
  words: 1,
  read: (text) => (/^[01]\.\d+$/.test(text) ? Number(text) : undefined),
  print: (number) => number.toFixed(11),
}

/** Numbers from `first` to `last`, both included. */
export interface Range {
  readonly first: number
  readonly last: number
}

/** `80`, `1024:65535` */
export const range: Format<Range> = rangeWith(':')

/** `80`, `1024-65535` */
export const dashedRange: Format<Range> = rangeWith('-')

/** Ranges with commas between them: `80,443,8000:8080`. */
export const ranges: Format<readonly Range[]> = {
  words: 1,
  read(text) {
    const all = text.split(',').map((one) => range.read(one, ''))
    return all.every((one) => one !== undefined) ? all : undefined
  },
  print: (all) => all.map((one) => range.print(one)).join(','),
}

function rangeWith(separator: string): Format<Range> {
  const shape = new RegExp(`^(\\d+)(?:${separator}(\\d+))?$`)
  return {
    words: 1,
    read(text) {
      const [, first, last = first] = shape.exec(text) ?? []
      return first === undefined ? undefined : { first: Number(first), last: Number(last) }
    },
    print: ({ first, last }) => (first === last ? String(first) : `${first}${separator}${last}`),
  }
}

/** Bits of a mark: those of `mask` are compared, or written. */
export interface Mark {
  readonly value: number
  readonly mask: number
}

const allBits = 0xffffffff

/** A mark to compare with; a mask of all bits is not printed. */
export const mark: Format<Mark> = {
  words: 1,
  read(text) {
    const [, value, mask = hex(allBits)] = /^(0x[0-9a-f]+)(?:\/(0x[0-9a-f]+))?$/.exec(text) ?? []
    return value === undefined ? undefined : { value: Number(value), mask: Number(mask) }
  },
  print: ({ value, mask }) => (mask === allBits ? hex(value) : `${hex(value)}/${hex(mask)}`),
}

/** A mark to write: the bits of `mask` are cleared, then those of `value` flipped. */
export const xmark: Format<Mark> = {
  ...mark,
  print: ({ value, mask }) => `${hex(value)}/${hex(mask)}`,
}

/** How often, as an average. */
export interface Rate {
  readonly packets: number
  readonly per: 'sec' | 'min' | 'hour' | 'day'
}

/** `5/min` */
export const rate: Format<Rate> = {
  words: 1,
  read(text) {
    const [, packets, per] = /^(\d+)\/(sec|min|hour|day)$/.exec(text) ?? []
    return packets === undefined ? undefined : { packets: Number(packets), per: per as Rate['per'] }
  },
  print: ({ packets, per }) => `${packets}/${per}`,
}

function hex(number: number): string {
  return `0x${number.toString(16)}`
}
