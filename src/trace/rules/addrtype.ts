import type { Match } from '../../netfilter/rules/model.js'
import type { Negatable } from '../../netfilter/rules/option.js'
import { addressType, isMulticast, routedIPv6 } from '../network/addressType.js'
import type { Host } from '../network/host.js'
import { all, said, unknown, yes, type Answer } from './answer.js'
import type { Seen } from './seen.js'

/** Compares the types of the packet’s addresses. */
export function addrtype(match: Extract<Match, { readonly kind: 'addrtype' }>, seen: Seen): Answer {
  const { srcType, dstType, limitIfaceIn, limitIfaceOut } = match
  const device = limitIfaceIn ? seen.in : limitIfaceOut ? seen.out : undefined
  return all(ofSide(seen, 'source', srcType, device), () => ofSide(seen, 'destination', dstType, device))
}

function ofSide(
  { packet, host }: Seen,
  side: 'source' | 'destination',
  types: Negatable<readonly string[]> | undefined,
  device: string | undefined,
): Answer {
  if (types === undefined) return yes
  const { address } = packet[side]
  const type = addressType(host, address, device)
  if (type === undefined) return unknown(`where the route to ${address} leads is not predicted`)
  const isOneOf =
    packet.family === 'IPv4'
      ? types.value.includes(type.toUpperCase())
      : isOneOfIPv6(host, address, device, types.value)
  const whose =
    type === 'local'
      ? `${address} is ${host.name}’s own address`
      : type === 'unicast'
        ? `${address} is not an address of ${host.name}`
        : `${address} is ${type} on ${host.name}`
  return said(types, isOneOf, whose)
}

/** IPv6 requires MULTICAST and UNICAST, and one of the others (match_type6 of Linux). */
function isOneOfIPv6(
  host: Host,
  address: string,
  device: string | undefined,
  types: readonly string[],
): boolean {
  if (types.includes('MULTICAST') && !isMulticast(address)) return false
  if (types.includes('UNICAST') && isMulticast(address)) return false
  if (types.includes('UNSPEC') && address !== '::') return false
  const routed = ['LOCAL', 'ANYCAST', 'UNREACHABLE'].filter((type) => types.includes(type))
  if (routed.length === 0) return true
  const { isLocal, isAnycast, dead } = routedIPv6(host, address, device)
  const found =
    dead !== undefined ? ['UNREACHABLE'] : [...(isLocal ? ['LOCAL'] : []), ...(isAnycast ? ['ANYCAST'] : [])]
  return routed.some((type) => found.includes(type))
}
