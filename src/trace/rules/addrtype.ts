import type { Match } from '../../netfilter/rules/model.js'
import type { Negatable } from '../../netfilter/rules/option.js'
import { all, said, unknown, yes, type Answer } from './answer.js'
import type { Seen } from './seen.js'

/** The types of addresses that are predicted. */
const known = ['LOCAL', 'UNICAST', 'MULTICAST']

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
  const { value } = types
  if (!value.every((type) => known.includes(type)))
    return unknown(`of the types only ${known.join(', ')} are predicted`)
  const own = packet[side].address
  const isLocal = host.isLocal(own, device)
  const whose = isLocal ? `${own} is ${host.name}’s own address` : `${own} is not an address of ${host.name}`
  // packets to groups are not traced
  const isOneOf =
    packet.family === 'IPv4'
      ? value.includes(isLocal ? 'LOCAL' : 'UNICAST')
      : // IPv6 requires each type, and an own address is unicast too (match_type6 of Linux)
        !value.includes('MULTICAST') && (isLocal || !value.includes('LOCAL'))
  return said(types, isOneOf, whose)
}
