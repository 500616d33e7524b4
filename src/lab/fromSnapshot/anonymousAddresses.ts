import { hash } from 'node:crypto'
import { familyOf, type IpFamily } from '../../net/ipFamily.js'
import { addressNumber, addressText, parseRange, rangeContains, type AddressRange } from '../../net/ranges.js'

/** Ranges whose addresses mean something by themselves: they stay. */
const special = [
  ...['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/3', '::/64', '64:ff9b::/96', '2001:db8::/32', 'fe80::/64', 'ff00::/8'],
].flatMap((text) => parseRange(text) ?? [])

/** The first bits that stay, of ranges for private use, so that addresses stay private; of others 8, or 16 of IPv6. */
const keptBits: readonly (readonly [AddressRange, number])[] = (
  [
    ['172.16.0.0/12', 12],
    ['100.64.0.0/10', 10],
    ['192.168.0.0/16', 16],
    ['fc00::/7', 8],
  ] as const
).flatMap(([text, bits]) => {
  const range = parseRange(text)
  return range === undefined ? [] : [[range, bits] as const]
})

/** Bits from here stay: the number of a host in its network. */
const hostBits = { IPv4: 24, IPv6: 64 } as const

/** Other addresses in place of those of a cluster. */
export interface AnonymousAddresses {
  /** Of an address, or of a range such as `10.96.0.0/12`, without bits behind its prefix if it had none. */
  readonly of: (text: string) => string
  /** A text with all addresses and link-layer addresses in it replaced. */
  readonly in: (text: string) => string
}

const pattern =
  /(?:(?<![\w.:])[\da-f]{2}(?::[\da-f]{2}){5}(?![\w:])|(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2})?(?!\w|\.\d)|(?<![\w.:])(?:[\da-fA-F]{0,4}:){2,7}[\da-fA-F]{0,4}(?:\/\d{1,3})?(?![\w:]))/g

/**
 * Replaces addresses so that two with the same first bits have the same first bits again, however many. `key` decides how; numbers of
 * hosts in the given ranges (those of pods, Services and nodes) stay.
 */
export function anonymousAddresses(key: string, ranges: readonly AddressRange[]): AnonymousAddresses {
  // the way to a range that stays is not changed: an address beside it would share other bits with those in it
  const kept = [...special, ...keptBits.map(([range]) => range)]
  const leadsToKept = (family: IpFamily, prefix: bigint, bits: number) =>
    kept.some(
      (range) =>
        range.family === family &&
        range.prefixLength > bits &&
        range.first >> BigInt((family === 'IPv4' ? 32 : 128) - bits) === prefix,
    )
  const flips = (family: IpFamily, prefix: bigint, bits: number) =>
    leadsToKept(family, prefix, bits)
      ? 0
      : (hash('sha256', `${key} ${family} ${bits} ${prefix}`, 'buffer')[0] ?? 0) & 1
  const mapped = (address: string): bigint => {
    const family = familyOf(address)
    const own = addressNumber(address)
    if (special.some((range) => rangeContains(range, address))) return own
    const length = family === 'IPv4' ? 32 : 128
    const first =
      keptBits.find(([range]) => rangeContains(range, address))?.[1] ?? (family === 'IPv4' ? 8 : 16)
    const within = ranges
      .filter((range) => rangeContains(range, address))
      .map(({ prefixLength }) => prefixLength)
    const last = Math.min(hostBits[family], ...within)
    let result = own
    for (let bit = first; bit < last; bit++) {
      const prefix = own >> BigInt(length - bit)
      if (flips(family, prefix, bit) === 1) result ^= 1n << BigInt(length - bit - 1)
    }
    return result
  }
  const of = (text: string): string => {
    const [address = '', bits] = text.split('/')
    const family = familyOf(address)
    const length = family === 'IPv4' ? 32 : 128
    const behind = bits === undefined ? 0n : (1n << BigInt(Math.max(0, length - Number(bits)))) - 1n
    const isNetwork = bits !== undefined && (addressNumber(address) & behind) === 0n
    const value = isNetwork ? mapped(address) & ~behind : mapped(address)
    return `${addressText(family, value)}${bits === undefined ? '' : `/${bits}`}`
  }
  const mac = (text: string): string => {
    if (/^(?:00:00:00:00:00:00|ff:|01:|33:33:)/.test(text)) return text
    return `02:${(hash('sha256', `${key} ${text}`).slice(0, 10).match(/../g) ?? []).join(':')}`
  }
  const one = (text: string): string => {
    if (/^[\da-f]{2}(?::[\da-f]{2}){5}$/.test(text)) return mac(text)
    const address = text.replace(/\/.*/, '')
    const isAddress = parseRange(`${address}/${address.includes(':') ? 128 : 32}`) !== undefined
    if (!isAddress) return text
    // made of the link-layer address, which it would show
    const [, ownBits] = /^fe80::.*?(?:\/(\d+))?$/i.exec(text) ?? []
    if (/^fe80::[\da-f]+:[\da-f]+ff:fe/i.test(text))
      return `fe80::${(hash('sha256', `${key} ${address}`).slice(0, 16).match(/.{4}/g) ?? []).join(':')}${ownBits === undefined ? '' : `/${ownBits}`}`
    return of(text)
  }
  return { of, in: (text) => text.replace(pattern, one) }
}
