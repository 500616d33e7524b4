import { nthAddress, rangeOf } from '../cluster/addresses.js'
import type { IpFamily } from '../cluster/types.js'
import type { NodePlace, PodRange, Topology } from './layOut.js'
import { macAddress } from './names.js'
import type { SandboxFile, Stage } from './types.js'

const folder = '/run/vethlab/overlay'

/** flannel's devices: one a family, for a tunnel's own packets are of one family. */
const devices = {
  IPv4: { name: 'flannel.1', index: 102 },
  IPv6: { name: 'flannel-v6.1', index: 103 },
} as const

/** flannel's VXLAN network identifier, and the port that Linux took before IANA gave out 4789. */
const vni = 1
const port = 8472

/** Bytes that a tunnel adds: the outer IP header, UDP 8, VXLAN 8, the inner frame's header 14. */
const overhead = { IPv4: 20 + 8 + 8 + 14, IPv6: 40 + 8 + 8 + 14 } as const
const fabricMtu = 1500

/** Interface indexes and names that the overlay adds to each node. */
export function overlayInterfaces(families: readonly IpFamily[]): (readonly [number, string])[] {
  return families.map((family) => [devices[family].index, devices[family].name])
}

/** The words that give a pod's link an MTU that fits the tunnel; none where there is no tunnel. */
export function podMtu({ network, families }: Topology): string {
  if (network.mode !== 'vxlan') return ''
  return ` mtu ${fabricMtu - Math.max(...families.map((family) => overhead[family]))}`
}

/** The tunnel devices of the nodes: they need the nodes' links, and sysctls need them. */
export function planOverlay({ nodes }: Topology): Stage {
  return {
    title: 'VXLAN devices of the nodes',
    files: nodes.map((node) => batch(`${folder}/links/${node.netns}`, node.podRanges.map(deviceOf(node)))),
    commands: inEach(nodes, ['ip', '-batch', `${folder}/links/{}`]),
  }
}

/** Which node has which tunnel end: nothing is learned from packets, flannel reads it off the Node objects. */
export function planForwarding({ nodes }: Topology): Stage {
  return {
    title: 'forwarding entries of the VXLAN devices',
    files: nodes.map((node) =>
      batch(`${folder}/fdb/${node.netns}`, nodes.filter((other) => other !== node).flatMap(forwardingTo)),
    ),
    commands: inEach(nodes, ['bridge', '-batch', `${folder}/fdb/{}`]),
  }
}

/** The lines of a node's `ip -batch` that give its tunnel ends their addresses: the pod range's first, which no pod gets. */
export function overlayAddresses({ podRanges }: NodePlace): string[] {
  return podRanges.flatMap((range) => {
    const { name } = devices[range.family]
    const lines =
      range.family === 'IPv4'
        ? [`addr add ${tunnelEnd(range)}/32 dev ${name}`]
        : [`link set ${name} addrgenmode none`, `addr add ${tunnelEnd(range)}/128 dev ${name} nodad`]
    return [...lines, `link set ${name} up`]
  })
}

/** The lines that lead to another node's pods: through the tunnel, with its other end as the next hop. */
export function overlayRoutesTo({ podRanges }: NodePlace): string[] {
  return podRanges.flatMap((range) => {
    const { name } = devices[range.family]
    const end = tunnelEnd(range)
    return [
      `neigh add ${end} lladdr ${macAddress(end)} dev ${name} nud permanent`,
      `route add ${range.cidr} via ${end} dev ${name} onlink`,
    ]
  })
}

function deviceOf(node: NodePlace): (range: PodRange) => string {
  return (range) => {
    const { name, index } = devices[range.family]
    const local = nodeAddress(node, range.family)
    return (
      `link add name ${name} index ${index} address ${macAddress(tunnelEnd(range))}` +
      ` type vxlan id ${vni} local ${local} dev eth0 dstport ${port} nolearning`
    )
  }
}

function forwardingTo(other: NodePlace): string[] {
  return other.podRanges.map(
    (range) =>
      `fdb add ${macAddress(tunnelEnd(range))} dev ${devices[range.family].name}` +
      ` dst ${nodeAddress(other, range.family)} self permanent`,
  )
}

/** The address of a tunnel end: the first of its pod range, which no pod gets. */
export function tunnelEnd({ cidr }: PodRange): string {
  return nthAddress(rangeOf(cidr), 0)
}

/** Every node has an address of each of the lab's families. */
function nodeAddress({ addresses }: NodePlace, family: IpFamily): string {
  return addresses.find((one) => one.family === family)?.address ?? ''
}

function batch(path: string, lines: readonly string[]): SandboxFile {
  return { path, text: lines.map((line) => `${line}\n`).join('') }
}

function inEach(nodes: readonly NodePlace[], argv: readonly string[]): Stage['commands'] {
  return [{ argv: ['nsenter', '--net=/run/netns/{}', ...argv], each: nodes.map(({ netns }) => netns) }]
}
