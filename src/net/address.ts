import ipaddr from 'ipaddr.js'
import type { IpFamily } from './ipFamily.js'

/** An address as the kernel's tools print it, with its family. */
export interface Address {
  readonly family: IpFamily
  readonly text: string
}

/** Four decimal numbers up to 255 without leading zeros. */
export const plainIPv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?=.)|$)){4}$/
const sloppyIPv4 = /^0*(\d{1,3})\.0*(\d{1,3})\.0*(\d{1,3})\.0*(\d{1,3})$/

/**
 * Parses an address as kube-proxy does: leading zeros are dropped (172.30.0.041 is 172.30.0.41), an IPv4-mapped IPv6
 * address is IPv4. Undefined when the text is not an address.
 */
export function parseAddress(text: string): Address | undefined {
  if (plainIPv4.test(text)) return { family: 'IPv4', text }
  const sloppy = sloppyIPv4.exec(text)
  if (sloppy) {
    const octets = sloppy.slice(1).map(Number)
    return octets.every((octet) => octet <= 255) ? { family: 'IPv4', text: octets.join('.') } : undefined
  }
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined
  const parsed = ipaddr.IPv6.parse(text)
  if (parsed.isIPv4MappedAddress()) return { family: 'IPv4', text: parsed.toIPv4Address().toString() }
  return { family: 'IPv6', text: parsed.toRFC5952String() }
}

/**
 * The canonical text of an address of this family; undefined for the other family and for text that is not an address.
 */
export function addressOfFamily(text: string | undefined, family: IpFamily): string | undefined {
  if (text === undefined || text === '') return undefined
  const address = parseAddress(text)
  return address?.family === family ? address.text : undefined
}

/** A network in masked form: 203.0.113.7/25 becomes 203.0.113.0/25. */
export interface Network {
  readonly family: IpFamily
  readonly prefixLength: number
  readonly base: string
  /** `base/prefixLength` */
  readonly text: string
}

/**
 * Parses CIDR notation, with the leading zeros that kube-proxy tolerates; undefined when the text is not a CIDR. An
 * IPv4-mapped IPv6 network is an IPv4 network whose prefix length is 96 bits shorter.
 */
export function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/')
  const bits = text.slice(slash + 1)
  const written = text.slice(0, Math.max(0, slash))
  const address = /^\d+$/.test(bits) ? parseAddress(written) : undefined
  if (!address) return undefined
  const mapped = address.family === 'IPv4' && written.includes(':')
  const prefixLength = Number(bits) - (mapped ? 96 : 0)
  if (prefixLength < 0 || prefixLength > (address.family === 'IPv4' ? 32 : 128)) return undefined
  const masked = mask(address.text, prefixLength)
  return { family: address.family, prefixLength, base: masked, text: `${masked}/${prefixLength}` }
}

/** True when the network contains the address (of either family). */
export function networkHolds(network: Network, address: string): boolean {
  const own = network.family === 'IPv4' ? plainBits(address) : undefined
  if (own !== undefined) {
    const { base, prefixLength } = network
    // a shift by 32 bits shifts by none
    return prefixLength === 0 || ((plainBits(base) ?? 0) ^ own) >>> (32 - prefixLength) === 0
  }
  const parsed = parseAddress(address)
  return parsed?.family === network.family && mask(parsed.text, network.prefixLength) === network.base
}

// one packet is compared with many routes
const knownBits = new Map<string, number | undefined>()
const mostKnown = 50_000

/** The bits of an IPv4 address without leading zeros; undefined for other text. */
function plainBits(text: string): number | undefined {
  if (knownBits.has(text)) return knownBits.get(text)
  if (knownBits.size >= mostKnown) knownBits.clear()
  const bits = plainIPv4.test(text) ? bitsOf(text) : undefined
  knownBits.set(text, bits)
  return bits
}

/** The first bits of an address as a key: equal for the addresses of one network of this size; undefined for other text. */
export function prefixKey(address: string, prefixLength: number): number | string | undefined {
  const bits = plainBits(address)
  if (bits !== undefined) return prefixLength === 0 ? 0 : bits >>> (32 - prefixLength)
  const parsed = parseAddress(address)
  return (
    parsed &&
    (parsed.text === address ? maskedText(address, prefixLength) : prefixKey(parsed.text, prefixLength))
  )
}

const knownWords = new Map<string, readonly number[]>()

function maskedText(address: string, prefixLength: number): string {
  let words = knownWords.get(address)
  if (words === undefined) {
    if (knownWords.size >= mostKnown) knownWords.clear()
    knownWords.set(address, (words = addressWords(address)))
  }
  return words.map((word, index) => (word & maskWord(prefixLength, index)) >>> 0).join(' ')
}

/** Whether an address is one of those from `first` to `last`, both included. */
export function addressBetween(address: string, first: string, last: string): boolean {
  const [low, own, high] = [first, address, last].map((text) => {
    const parsed = parseAddress(text)
    return parsed && Buffer.from(ipaddr.parse(parsed.text).toByteArray())
  })
  if (low === undefined || own === undefined || high === undefined || low.length !== own.length) return false
  return Buffer.compare(low, own) <= 0 && Buffer.compare(own, high) <= 0
}

/** The words of 32 bits of an address, the first one with its first bytes: one of IPv4, four of IPv6. */
export function addressWords(address: string): number[] {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray())
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32BE(index * 4))
}

/** The address of these words. */
export function addressOfWords(words: readonly number[]): string {
  const bytes = words.flatMap((word) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255])
  const address = ipaddr.fromByteArray(bytes)
  return address.kind() === 'ipv6' ? (address as ipaddr.IPv6).toRFC5952String() : address.toString()
}

/** A plain IPv4 address as a number of 32 bits, which is negative from 128.0.0.0. */
export function bitsOf(address: string): number {
  let [bits, octet] = [0, 0]
  for (let at = 0; at < address.length; at++) {
    const digit = address.charCodeAt(at) - 48
    if (digit >= 0) octet = octet * 10 + digit
    else {
      bits = (bits << 8) | octet
      octet = 0
    }
  }
  return (bits << 8) | octet
}

/** True for 127.0.0.0/8 and ::1. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.')
}

/** The address of another network of the same size at the same place: what NETMAP makes of it. */
export function movedTo({ base, prefixLength }: Network, address: string): string {
  const own = addressWords(address)
  return addressOfWords(
    addressWords(base).map(
      (word, index) => (word | ((own[index] ?? 0) & ~maskWord(prefixLength, index))) >>> 0,
    ),
  )
}

/** The last address of a network. */
export function lastAddress({ base, prefixLength }: Network): string {
  return addressOfWords(
    addressWords(base).map((word, index) => (word | ~maskWord(prefixLength, index)) >>> 0),
  )
}

/** The leading bits of one word of 32 bits. */
function maskWord(prefixLength: number, index: number): number {
  const kept = Math.min(32, Math.max(0, prefixLength - index * 32))
  return kept === 0 ? 0 : (-1 << (32 - kept)) >>> 0
}

function mask(address: string, prefixLength: number): string {
  return addressOfWords(
    addressWords(address).map((word, index) => (word & maskWord(prefixLength, index)) >>> 0),
  )
}
