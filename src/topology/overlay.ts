import { nthAddress, rangeOf } from '../net/ranges.js'
import type { IpFamily } from '../net/ipFamily.js'
import type { NodePlace, PodRange, Topology } from './types.js'
import { macAddress } from './names.js'
import type { Device, Link, Network } from './network.js'

/** flannel's devices: one per family, because a tunnel's outer packets are of one family. */
const devices = {
  IPv4: { name: 'flannel.1', index: 102 },
  IPv6: { name: 'flannel-v6.1', index: 103 },
} as const

/** flannel's VXLAN network identifier, and the port that Linux used before IANA assigned 4789. */
const vni = 1
const port = 8472

/** Bytes that a tunnel adds: the outer IP header, UDP 8, VXLAN 8, the inner frame's header 14. */
export const tunnelOverhead = { IPv4: 20 + 8 + 8 + 14, IPv6: 40 + 8 + 8 + 14 } as const
const fabricMtu = 1500

/** Interface indexes and names that the overlay adds to each node. */
export function overlayInterfaces(families: readonly IpFamily[]): (readonly [number, string])[] {
  return families.map((family) => [devices[family].index, devices[family].name])
}

/** The MTU of a pod's link that fits the tunnel, in bytes; undefined without a tunnel. */
export function podMtu({ network, families }: Topology): number | undefined {
  if (network.mode !== 'vxlan') return undefined
  return fabricMtu - Math.max(...families.map((family) => tunnelOverhead[family]))
}

/** The tunnel devices of a node, and the addresses of its tunnel ends: the pod range's first, which no pod gets. */
export function overlayOf(node: NodePlace): Partial<Network> {
  const { netns, podRanges } = node
  return {
    links: podRanges.map((range): Link => {
      const { name, index } = devices[range.family]
      const local = nodeAddress(node, range.family)
      return {
        ...{ netns, name, index, mac: macAddress(tunnelEnd(range)) },
        type: { kind: 'vxlan', id: vni, local, device: 'eth0', port },
      }
    }),
    devices: podRanges.map((range): Device => {
      const { family } = range
      const address = { family, address: tunnelEnd(range), prefixLength: family === 'IPv4' ? 32 : 128 }
      const linkLocal = family === 'IPv6' ? 'none' : undefined
      return { netns, name: devices[family].name, linkLocal, addresses: [address] }
    }),
  }
}

/** Routes from a node to another node's pods: through the tunnel, with its other end as the next hop. */
export function tunnelTo({ netns }: NodePlace, other: NodePlace): Partial<Network> {
  const ends = other.podRanges.map((range) => ({
    ...{ range, address: tunnelEnd(range), mac: macAddress(tunnelEnd(range)) },
    device: devices[range.family].name,
  }))
  return {
    neighbours: ends.map(({ address, mac, device }) => ({ netns, address, mac, device })),
    routes: ends.map(({ range, address, device }) => ({
      ...{ netns, to: range.cidr, via: address, device, onlink: true },
    })),
    forwarding: ends.map(({ range, mac, device }) => ({
      ...{ netns, mac, device, to: nodeAddress(other, range.family) },
    })),
  }
}

/** The address of a tunnel end: the first of its pod range, which no pod gets. */
export function tunnelEnd({ cidr }: PodRange): string {
  return nthAddress(rangeOf(cidr), 0)
}

/** Every node has an address of each of the lab's families. */
function nodeAddress({ addresses }: NodePlace, family: IpFamily): string {
  return addresses.find((one) => one.family === family)?.address ?? ''
}
