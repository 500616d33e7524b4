import type { IpFamily } from '../../net/ipFamily.js'
import { addressOfFamily, isLoopback } from '../../net/address.js'
import type { ProxyInput } from '../input.js'
import { nodePortAddresses } from '../nodeAddresses.js'

/** The node's addresses of one family, on all interfaces except kube-ipvs0. */
export function ownAddresses({ node, localAddresses }: ProxyInput, family: IpFamily): readonly string[] {
  const all = localAddresses ?? (node.status?.addresses ?? []).map(({ address }) => address)
  return [...new Set(all.map((address) => addressOfFamily(address, family)).filter(isText))]
}

/** Addresses that accept node ports, each with its own virtual server; never loopback or link-local ones. */
export function nodePortIPs(input: ProxyInput, family: IpFamily): readonly string[] {
  const { matchAll, addresses } = nodePortAddresses(input, family)
  const found = matchAll ? ownAddresses(input, family) : addresses
  return found.filter((address) => !isLoopback(address) && !isLinkLocalIPv6(address))
}

function isLinkLocalIPv6(address: string): boolean {
  return /^fe[89ab][0-9a-f]:/.test(address)
}

function isText(text: string | undefined): text is string {
  return text !== undefined
}
