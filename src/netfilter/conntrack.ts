import { addressText } from '../net/socketText.js'
import ipaddr from 'ipaddr.js'
import { InputError } from '../errors.js'
import type { SocketAddress } from '../net/socketAddress.js'
import type { ConntrackEntry } from './types.js'

/**
 * Parses the output of `conntrack -L`, with or without `-o extended`, IPv4 and IPv6; /proc/net/nf_conntrack too.
 *
 * @throws InputError with the line number if a line is not a conntrack entry.
 */
export function parseConntrack(text: string): ConntrackEntry[] {
  return scanConntrack(text.split('\n'), (line, message) => {
    throw new InputError([{ message, at: { file: 'conntrack -L', line, column: 1 } }])
  })
}

/** The entries, and each line that is none, with its number from 1. */
export function scanConntrack(
  lines: readonly string[],
  unread: (line: number, message: string) => void,
): ConntrackEntry[] {
  return lines.flatMap((raw, index) => {
    const line = raw.trim()
    if (line === '' || line.startsWith('conntrack v')) return []
    const entry = parseEntry(line)
    if (!entry) unread(index + 1, `expected a conntrack entry, found "${line.slice(0, 60)}"`)
    return entry ?? []
  })
}

function parseEntry(line: string): ConntrackEntry | undefined {
  const words = line.split(/\s+/)
  // `-o extended` puts the layer 3 protocol and its number in front.
  const start = words[0] === 'ipv4' || words[0] === 'ipv6' ? 2 : 0
  const protocol = words[start]
  const firstTuple = words.findIndex((word) => word.startsWith('src='))
  const secondTuple = words.findIndex((word, index) => index > firstTuple && word.startsWith('src='))
  if (protocol === undefined || firstTuple < 0 || secondTuple < 0) return undefined
  const original = tuple(words.slice(firstTuple, secondTuple))
  const reply = tuple(words.slice(secondTuple))
  if (!original || !reply) return undefined
  const state = words.slice(start + 1, firstTuple).find((word) => /^[A-Z]/.test(word))
  return {
    protocol,
    ...(state === undefined ? {} : { state }),
    original,
    reply,
    unreplied: words.includes('[UNREPLIED]'),
    assured: words.includes('[ASSURED]'),
  }
}

function tuple(words: readonly string[]): ConntrackEntry['original'] | undefined {
  const fields = new Map<string, string>()
  for (const word of words) {
    const equals = word.indexOf('=')
    const name = word.slice(0, Math.max(0, equals))
    if (name !== '' && !fields.has(name)) fields.set(name, word.slice(equals + 1))
  }
  const source = socket(fields.get('src'), fields.get('sport'))
  const destination = socket(fields.get('dst'), fields.get('dport'))
  return source && destination ? { source, destination } : undefined
}

function socket(address: string | undefined, port: string | undefined): SocketAddress | undefined {
  if (address === undefined || !ipaddr.isValid(address)) return undefined
  const text = addressText(address)
  return port === undefined ? { address: text } : { address: text, port: Number(port) }
}
