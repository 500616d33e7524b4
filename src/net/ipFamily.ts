/** An address family, as `spec.ipFamilies` of a Service names it. */
export type IpFamily = 'IPv4' | 'IPv6'

/** The family of a valid address. */
export function familyOf(address: string): IpFamily {
  return address.includes(':') ? 'IPv6' : 'IPv4'
}
