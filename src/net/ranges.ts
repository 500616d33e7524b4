import ipaddr from 'ipaddr.js'
import { bitsOf, plainIPv4 } from './address.js'
import type { IpFamily } from './ipFamily.js'

/** A CIDR range: its first address as a number, and how many leading bits are fixed. */
export interface AddressRange {
  readonly family: IpFamily
  readonly first: bigint
  readonly prefixLength: number
}

const bits = { IPv4: 32, IPv6: 128 } as const

/**
 * Family of an address that the API server would accept; undefined for anything else. ipaddr.js also reads 10.1,
 * 0x0a.1.1.1 and zones: Go's net.ParseIP, and so the API server, rejects them.
 */
export function addressFamily(text: string): IpFamily | undefined {
  if (plainIPv4.test(text)) return 'IPv4'
  return text.includes(':') && !text.includes('%') && ipaddr.IPv6.isValid(text) ? 'IPv6' : undefined
}

/** The text that Go's net.IP prints (RFC 5952; an IPv4-mapped address as IPv4); throws on invalid text. */
export function canonicalAddress(text: string): string {
  const family = familyOrThrow(text)
  if (family === 'IPv4') return text
  const address = ipaddr.IPv6.parse(text)
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toRFC5952String()
}

/** True for `::ffff:a.b.c.d`, which the API server rejects in new objects. */
export function isIPv4Mapped(text: string): boolean {
  return addressFamily(text) === 'IPv6' && ipaddr.IPv6.parse(text).isIPv4MappedAddress()
}

/** An address as a number; throws when the text is not an address. */
export function addressNumber(text: string): bigint {
  if (familyOrThrow(text) === 'IPv4') return BigInt(bitsOf(text) >>> 0)
  return ipaddr.IPv6.parse(text)
    .toByteArray()
    .reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
}

/** The canonical text of an address, from its number. */
export function addressText(family: IpFamily, value: bigint): string {
  const bytes: number[] = []
  for (let shift = BigInt(bits[family] - 8); shift >= 0n; shift -= 8n)
    bytes.push(Number((value >> shift) & 255n))
  const address = ipaddr.fromByteArray(bytes)
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString()
}

/** Parses `address/length`; undefined for other text. Bits beyond the prefix are cleared, as net.ParseCIDR does. */
export function parseRange(text: string): AddressRange | undefined {
  const [, address, length] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? []
  const family = address === undefined ? undefined : addressFamily(address)
  if (address === undefined || family === undefined || Number(length) > bits[family]) return undefined
  const hostBits = BigInt(bits[family] - Number(length))
  return { family, first: (addressNumber(address) >> hostBits) << hostBits, prefixLength: Number(length) }
}

/** True for an address and for a CIDR. */
export function isAddressOrRange(text: string): boolean {
  return addressFamily(text) !== undefined || parseRange(text) !== undefined
}

/** Parses a range; throws when the text is not a CIDR. */
export function rangeOf(text: string): AddressRange {
  const range = parseRange(text)
  if (range === undefined) throw new RangeError(`not a CIDR: ${text}`)
  return range
}

/** Number of addresses in a range. */
export function rangeSize(range: AddressRange): bigint {
  return 1n << BigInt(bits[range.family] - range.prefixLength)
}

/** The address `index` places after the first one; throws when it is outside the range. */
export function nthAddress(range: AddressRange, index: number | bigint): string {
  if (BigInt(index) < 0n || BigInt(index) >= rangeSize(range))
    throw new RangeError('address outside its range')
  return addressText(range.family, range.first + BigInt(index))
}

/** The `index`th subnet of length `prefixLength` in a range, as text; undefined when there is none. */
export function nthSubnet(range: AddressRange, prefixLength: number, index: number): string | undefined {
  const first = range.first + (BigInt(index) << BigInt(bits[range.family] - prefixLength))
  if (prefixLength < range.prefixLength || first >= range.first + rangeSize(range)) return undefined
  return `${addressText(range.family, first)}/${prefixLength}`
}

/** The position of an address in a range, counted from 0; undefined when it is outside. */
export function offsetIn(range: AddressRange, address: string): bigint | undefined {
  return addressFamily(address) === range.family ? offsetOf(range, addressNumber(address)) : undefined
}

function offsetOf(range: AddressRange, address: bigint): bigint | undefined {
  const offset = address - range.first
  return offset >= 0n && offset < rangeSize(range) ? offset : undefined
}

/** Those of some ranges that contain the address. */
export function rangesWith<Range extends AddressRange>(ranges: readonly Range[], address: string): Range[] {
  const family = addressFamily(address)
  if (family === undefined) return []
  const number = addressNumber(address)
  return ranges.filter((range) => range.family === family && offsetOf(range, number) !== undefined)
}

/** True when two ranges share an address. */
export function rangesOverlap(a: AddressRange, b: AddressRange): boolean {
  const [wide, narrow] = a.prefixLength <= b.prefixLength ? [a, b] : [b, a]
  return wide.family === narrow.family && offsetOf(wide, narrow.first) !== undefined
}

/** True when the range contains the address. */
export function rangeContains(range: AddressRange, address: string): boolean {
  return offsetIn(range, address) !== undefined
}

function familyOrThrow(text: string): IpFamily {
  const family = addressFamily(text)
  if (family === undefined) throw new RangeError(`not an IP address: ${text}`)
  return family
}
