import ipaddr from 'ipaddr.js'
import { addressText } from './socketText.js'

/** The first address of each of a node's pod ranges: its `cni0` bridge has it. */
export function bridgeAddresses(podCIDRs: readonly string[]): string[] {
  return podCIDRs.flatMap((cidr) => {
    if (!ipaddr.isValidCIDR(cidr)) return []
    const bytes = ipaddr.parseCIDR(cidr)[0].toByteArray()
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) + 1
    return [addressText(ipaddr.fromByteArray(bytes).toString())]
  })
}
