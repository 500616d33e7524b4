import type { SizeLimit } from '../model/steps.js'
import type { Links, Reached } from '../network/links.js'
import type { Visit } from './visit.js'

/** Bytes that a link takes beyond its MTU (VLAN_HLEN). */
const vlanTag = 4

/**
 * The first interface on a link that is too small for what a host sends to it: a bridge and a veth pair drop larger frames, and
 * send no ICMP error, as a router does (is_skb_forwardable of Linux). Undefined if all packets pass.
 */
export function sizeLimit(
  { host, packet: { inner, kind } }: Visit,
  links: Links,
  { crossed, place, device }: Reached,
  largest: number,
): SizeLimit | undefined {
  const ports = crossed.flatMap(({ place: own, from, to }) =>
    [from, to].flatMap((port) => (port === undefined ? [] : { place: own, device: port })),
  )
  const small = [...ports, { place, device }].find((one) => links.mtuOf(one) + vlanTag < largest)
  if (small === undefined) return undefined
  const packet = inner === undefined ? kind : 'tunnel'
  return { ...small, bytes: links.mtuOf(small), largest, sender: host.name, packet }
}
