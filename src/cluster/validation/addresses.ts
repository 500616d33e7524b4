import { addressFamily, isIPv4Mapped, parseRange, rangeContains, rangeOf } from '../../net/ranges.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { type FieldError, type Path, invalid } from './fieldErrors.js'

const leadingZeros = /(^|\.)0\d/
const special: readonly (readonly [readonly string[], string])[] = [
  [['0.0.0.0/32', '::/128'], 'may not be unspecified (0.0.0.0 or ::)'],
  [['127.0.0.0/8', '::1/128'], 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [['169.254.0.0/16', 'fe80::/10'], 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  [['224.0.0.0/24', 'ff02::/16'], 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
]

/** Errors of the text of an IP address (IsValidIP). */
export function validateAddress(path: Path, text: string): FieldError[] {
  if (addressFamily(text) === undefined) {
    // 010 is 8 for some parsers and 10 for others: the API server has a separate message for it.
    const plain = text.replace(/(^|\.)0+(?=\d)/g, '$1')
    const detail =
      leadingZeros.test(text) && addressFamily(plain) === 'IPv4'
        ? 'must not have leading 0s'
        : 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
    return [invalid(path, text, detail)]
  }
  return isIPv4Mapped(text) ? [invalid(path, text, 'must not be an IPv4-mapped IPv6 address')] : []
}

/** Addresses that mean "this host" or "this link" cannot be endpoints (ValidateEndpointIP, ValidateNonSpecialIP). */
export function validateNonSpecialAddress(path: Path, text: string): FieldError[] {
  return special.flatMap(([ranges, detail]) =>
    ranges.some((range) => rangeContains(rangeOf(range), text)) ? [invalid(path, text, detail)] : [],
  )
}

/** Errors of the text of a CIDR. */
export function validateCIDR(path: Path, text: string): FieldError[] {
  if (parseRange(text) !== undefined) return []
  return [invalid(path, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')]
}

/** Requires an address of a family. */
export function validateFamily(path: Path, text: string, family: IpFamily): FieldError[] {
  return addressFamily(text) === family ? [] : [invalid(path, text, `must be an ${family} address`)]
}
