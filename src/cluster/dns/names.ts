import { addressFamily, addressNumber } from '../../net/ranges.js'
import type { DnsRecord } from './types.js'

/** An address as a label: `10-244-1-2`, `fd00-244--2`. */
export function dashed(address: string): string {
  return address.replaceAll(/[.:]/g, '-')
}

/** The A or AAAA record of a name. */
export function addressRecord(name: string, address: string): DnsRecord {
  return { name, type: addressFamily(address) === 'IPv6' ? 'AAAA' : 'A', address }
}

/** The PTR record of an address. */
export function pointer(address: string, target: string): DnsRecord {
  return { name: reverseName(address), type: 'PTR', target }
}

/** The reverse name of an address: below in-addr.arpa, or nibble by nibble below ip6.arpa. */
export function reverseName(address: string): string {
  if (addressFamily(address) !== 'IPv6') return `${address.split('.').reverse().join('.')}.in-addr.arpa`
  const nibbles = addressNumber(address).toString(16).padStart(32, '0')
  return `${[...nibbles].reverse().join('.')}.ip6.arpa`
}
