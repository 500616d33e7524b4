import ipaddr from 'ipaddr.js'
import { addressText } from '../net/socketText.js'

/** In a node's pod range, the first address is its tunnel's end in an overlay, the next its bridge's. */
const ownOffsets = [0, 1]

/** The addresses of a node's `cni0` bridge and, in an overlay, its `flannel.1`. */
export function bridgeAddresses(podCIDRs: readonly string[]): string[] {
  return podCIDRs.flatMap((cidr) => {
    if (!ipaddr.isValidCIDR(cidr)) return []
    return ownOffsets.map((offset) => {
      const bytes = ipaddr.parseCIDR(cidr)[0].toByteArray()
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) + offset
      return addressText(ipaddr.fromByteArray(bytes).toString())
    })
  })
}
