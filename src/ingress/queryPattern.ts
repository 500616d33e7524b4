import type { Match } from './model.js'
import { escapePattern } from './pathPattern.js'

/** A regular expression for the raw query: each byte of a name and of an exact value may be percent-encoded. */
export function queryPattern({ type, name, value }: Match): string {
  const wanted = type === 'Exact' ? encodedPattern(value) : `(?:${value})`
  return `(?:^|&)${encodedPattern(name)}=${wanted}(?:&|\\z)`
}

function encodedPattern(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const encoded = `%(?i:${byte.toString(16).padStart(2, '0')})`
      if (byte === 0x20) return `(?:\\+|${encoded})`
      return byte < 0x80 ? `(?:${escapePattern(String.fromCharCode(byte))}|${encoded})` : encoded
    })
    .join('')
}

/** A regular expression for a whole value. */
export function valuePattern({ type, value }: Pick<Match, 'type' | 'value'>): string {
  return `^${type === 'Exact' ? escapePattern(value) : `(?:${value})`}\\z`
}
