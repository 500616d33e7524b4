import {
  addressFamily,
  addressNumber,
  addressText,
  canonicalAddress,
  isIPv4Mapped,
  parseRange,
  rangeOf,
  rangesWith,
} from '../../net/ranges.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { type FieldError, type Path, invalid } from './fieldErrors.js'

// The details of ValidateNonSpecialIP; `%` is the address as written.
const details = [
  ['0.0.0.0/32', '::/128', 'may not be unspecified (%)'],
  ['127.0.0.0/8', '::1/128', 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  ['169.254.0.0/16', 'fe80::/10', 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  ['224.0.0.0/24', 'ff02::/16', 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
] as const
const special = details.flatMap(([ipv4, ipv6, detail]) =>
  [ipv4, ipv6].map((range) => ({ ...rangeOf(range), detail })),
)

// 010 is 8 for some parsers and 10 for others: the API server has separate messages for it.
/** An address or a range as parsers read it that ignore leading zeros (ParseIPSloppy of k8s.io/utils). */
export const withoutLeadingZeros = (text: string): string => text.replace(/(^|[./])0+(?=\d)/g, '$1')

/** Errors of the text of an IP address (IsValidIPForLegacyField). */
export function validateAddress(path: Path, text: string): FieldError[] {
  if (addressFamily(text) !== undefined)
    return isIPv4Mapped(text) ? [invalid(path, text, 'must not be an IPv4-mapped IPv6 address')] : []
  const detail =
    addressFamily(withoutLeadingZeros(text)) === 'IPv4'
      ? 'must not have leading 0s'
      : 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
  return [invalid(path, text, detail)]
}

/** The same for fields in which the text must be the one that Go prints (IsValidIP). */
export function validateCanonicalAddress(path: Path, text: string): FieldError[] {
  const errors = validateAddress(path, text)
  if (errors.length > 0 || canonicalAddress(text) === text) return errors
  return [invalid(path, text, `must be in canonical form (${JSON.stringify(canonicalAddress(text))})`)]
}

/** Addresses that mean "this host" or "this link" cannot be endpoints (ValidateEndpointIP, ValidateNonSpecialIP). */
export function validateNonSpecialAddress(path: Path, text: string): FieldError[] {
  return rangesWith(special, text).map(({ detail }) => invalid(path, text, detail.replace('%', text)))
}

/** Errors of the text of a CIDR (IsValidCIDRForLegacyField). */
export function validateCIDR(path: Path, text: string): FieldError[] {
  const detail = rangeProblem(text)
  return detail === undefined ? [] : [invalid(path, text, detail)]
}

/** The same for fields in which the text must be the one that Go prints (IsValidCIDR). */
export function validateCanonicalCIDR(path: Path, text: string): FieldError[] {
  const errors = validateCIDR(path, text)
  const range = parseRange(text)
  if (errors.length > 0 || range === undefined) return errors
  const canonical = `${addressText(range.family, range.first)}/${range.prefixLength}`
  return canonical === text
    ? []
    : [invalid(path, text, `must be in canonical form (${JSON.stringify(canonical)})`)]
}

function rangeProblem(text: string): string | undefined {
  const range = parseRange(text)
  const [address = ''] = text.split('/')
  if (range === undefined)
    return parseRange(withoutLeadingZeros(text)) === undefined
      ? 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'
      : 'must not have leading 0s in IP or prefix length'
  if (isIPv4Mapped(address)) return 'must not have an IPv4-mapped IPv6 address'
  return addressNumber(address) === range.first
    ? undefined
    : 'must not have bits set beyond the prefix length'
}

/** Requires an address of a family. */
export function validateFamily(path: Path, text: string, family: IpFamily): FieldError[] {
  return addressFamily(text) === family ? [] : [invalid(path, text, `must be an ${family} address`)]
}
