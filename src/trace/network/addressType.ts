import { familyOf } from '../../net/ipFamily.js'
import type { Host } from './host.js'

/** What an address is for the routing of a host, by the names of nft(8), `fib … type`. */
export type AddressType =
  | 'unicast'
  | 'local'
  | 'broadcast'
  | 'anycast'
  | 'multicast'
  | 'blackhole'
  | 'unreachable'
  | 'prohibit'
  | 'throw'

/** The type of an address, of one interface if it is given; undefined if it is not known (inet_dev_addr_type, nft_fib6_eval_type of Linux). */
export function addressType(host: Host, address: string, device?: string): AddressType | undefined {
  if (familyOf(address) === 'IPv6') return typeOfIPv6(host, address, device)
  if (address.startsWith('0.') || address === '255.255.255.255') return 'broadcast'
  if (isMulticast(address)) return 'multicast'
  if (host.isLocal(address, device)) return 'local'
  return host.isBroadcast(address, device) ? 'broadcast' : 'unicast'
}

function typeOfIPv6(host: Host, address: string, device: string | undefined): AddressType | undefined {
  const { isLocal, isAnycast, dead } = routedIPv6(host, address, device)
  if (dead === 'unknown') return undefined
  if (dead !== undefined) return dead
  if (isAnycast && !(device !== undefined && isLocal)) return 'anycast'
  if (isLocal) return 'local'
  return isMulticast(address) ? 'multicast' : 'unicast'
}

/** What the route of an address of IPv6 says of it; `dead` where the route leads nowhere. */
export function routedIPv6(
  host: Host,
  address: string,
  device: string | undefined,
): {
  readonly isLocal: boolean
  readonly isAnycast: boolean
  readonly dead?: 'blackhole' | 'unreachable' | 'prohibit' | 'throw' | 'unknown' | undefined
} {
  const route = host.routeTo(address)
  const isLocal = host.isLocal(address, device)
  if (isMulticast(address)) return { isLocal, isAnycast: false }
  if (route === undefined) return { isLocal, isAnycast: false, dead: 'unreachable' }
  const { kind, via, to } = route
  // the first address of a network is that of all its routers (ipv6_anycast_destination of Linux)
  const isAnycast = kind === 'unicast' && via === undefined && to.prefixLength < 127 && to.base === address
  const dead = kind === 'unicast' || kind === 'local' || kind === 'broadcast' ? undefined : kind
  return { isLocal, isAnycast, dead }
}

/** Whether an address is that of a group. */
export function isMulticast(address: string): boolean {
  return /^(22[4-9]|23\d)\.|^ff/i.test(address)
}
