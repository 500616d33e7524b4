import { defaultGateway } from './fabric.js'
import { interfaceIndex, type NodePlace, type PodPlace, type Topology } from './layOut.js'
import { interfaceName, macAddress } from './names.js'
import { overlayAddresses, overlayRoutesTo, podMtu } from './overlay.js'
import type { Place, SandboxFile, Stage } from './types.js'

const folder = '/run/vethlab/ip'

/** The namespaces alone: captures are slow to start, and need no more than these. */
export function planNamespaces(topology: Topology): Stage {
  const lines = everyPlace(topology).map((place) => `netns add ${place.netns}`)
  return oneBatch('network namespaces', `${folder}/namespaces`, lines)
}

/**
 * Veth pairs and bridges: one `ip -batch` in the sandbox's first namespace, where the fabric is. Every link gets its
 * index and, inside a place, its MAC address here, so that two runs look the same.
 */
export function planLinks(topology: Topology): Stage {
  return oneBatch('veth pairs and bridges', `${folder}/links`, [
    'link add name fabric type bridge mcast_snooping 0',
    ...topology.families.map((family) => {
      const { address, prefixLength } = defaultGateway(topology.ranges, family)
      return `addr add ${address}/${prefixLength} dev fabric${family === 'IPv6' ? ' nodad' : ''}`
    }),
    ...linkLocal(topology, 'fabric', () => '1'),
    'link set lo up',
    'link set fabric up',
    ...[...topology.nodes, ...topology.clients].flatMap(fabricPort),
    ...topology.nodes.flatMap(bridgeOf),
    ...topology.pods.map((pod) => podPair(pod, topology)),
  ])
}

function oneBatch(title: string, path: string, lines: readonly string[]): Stage {
  return { title, files: [{ path, text: batch(lines) }], commands: [{ argv: ['ip', '-batch', path] }] }
}

function everyPlace(topology: Topology): Place[] {
  return [...topology.nodes, ...topology.clients, ...topology.pods]
}

/** Addresses and routes: one `ip -batch` per namespace, all at once. */
export function planAddresses(topology: Topology): Stage {
  const files: SandboxFile[] = [
    ...topology.nodes.map((node) => batchFile(node, nodeLines(node, topology))),
    ...topology.clients.map((client) => batchFile(client, clientLines(client, topology))),
    ...topology.pods.map((pod) => batchFile(pod, podLines(pod, topology))),
  ]
  const each = everyPlace(topology).map((place) => place.netns)
  return {
    title: 'addresses and routes',
    files,
    // `ip -n` would copy every mount of the sandbox for each call: with many namespaces that is most of the time
    commands: [{ argv: ['nsenter', '--net=/run/netns/{}', 'ip', '-batch', `${folder}/ns/{}`], each }],
  }
}

/** The fabric's end of a node's or a client's cable, in the sandbox's first namespace. */
export function fabricPortName(place: Place): string {
  return interfaceName('to-', place.netns)
}

function fabricPort(place: Place): string[] {
  const port = fabricPortName(place)
  return [
    `link add name eth0 index ${interfaceIndex.eth0} address ${placeMac(place)} netns ${place.netns} type veth peer name ${port}`,
    `link set dev ${port} master fabric up`,
  ]
}

function bridgeOf(node: NodePlace): string[] {
  const address = node.podRanges.length === 0 ? '' : ` address ${bridgeMac(node)}`
  return [
    `link add name cni0 index ${interfaceIndex.cni0}${address} netns ${node.netns} type bridge mcast_snooping 0`,
  ]
}

/** The line that makes a pod's veth pair, both ends where they belong. */
export function podPair(pod: PodPlace, topology: Topology): string {
  const mtu = podMtu(topology)
  return (
    `link add name eth0 index ${interfaceIndex.eth0} address ${placeMac(pod)}${mtu} netns ${pod.netns}` +
    ` type veth peer name ${pod.veth} index ${pod.vethIndex}${mtu} netns ${pod.node}`
  )
}

function nodeLines(node: NodePlace, topology: Topology): string[] {
  const pods = topology.pods.filter((pod) => pod.node === node.name)
  return [
    ...ethernetLines(node, topology),
    ...linkLocal(topology, 'cni0', () => `1:${hostPart(node, topology)}`),
    ...node.podRanges.map(({ gateway }) => addAddress(gateway, 'cni0')),
    'link set cni0 up',
    ...(topology.network.mode === 'vxlan' ? overlayAddresses(node) : []),
    ...pods.flatMap(bridgePort),
    ...topology.nodes
      .filter((other) => other !== node)
      .flatMap((other) => [
        ...neighbours(other, 'eth0'),
        ...(topology.network.mode === 'vxlan' ? overlayRoutesTo(other) : routesTo(other)),
      ]),
    ...routesToHosts(node, topology),
    ...defaultRoutes(topology, (family) => defaultGateway(topology.ranges, family).address),
  ]
}

/** The node's end of a pod's veth pair. hairpin: a pod that calls its own Service gets its packet back through its port. */
export function bridgePort(pod: PodPlace): string[] {
  return [
    `link set dev ${pod.veth} master cni0 up`,
    `link set dev ${pod.veth} type bridge_slave hairpin on`,
    ...neighbours(pod, 'cni0'),
  ]
}

function routesTo(other: NodePlace): string[] {
  return other.podRanges.flatMap(({ family, cidr }) => {
    const via = other.addresses.find((address) => address.family === family)
    return via === undefined ? [] : [`route add ${cidr} via ${via.address} dev eth0`]
  })
}

/** Addresses of a client that are not of the fabric's range; nodes and clients have the fabric's prefix, these none. */
function foreign(client: Place): Place['addresses'] {
  return client.addresses.filter(
    ({ family, prefixLength }) => prefixLength === (family === 'IPv4' ? 32 : 128),
  )
}

/** Hosts with addresses of their own are on the same wire all the same: no router is needed to reach them. */
function routesToHosts(from: Place, topology: Topology): string[] {
  return topology.clients
    .filter((other) => other !== from)
    .flatMap((other) => foreign(other).map(({ address }) => `route add ${address} dev eth0`))
}

function clientLines(client: Place, topology: Topology): string[] {
  return [
    ...ethernetLines(client, topology),
    ...[...new Set(foreign(client).map(({ family }) => family))].map(
      (family) => `route add ${topology.ranges.fabric[family]} dev eth0`,
    ),
    ...routesToHosts(client, topology),
    ...defaultRoutes(topology, (family) => defaultGateway(topology.ranges, family).address),
  ]
}

/** What a pod's own namespace is given: addresses, the neighbour that its bridge is, routes. */
export function podLines(pod: PodPlace, topology: Topology): string[] {
  const node = topology.nodes.find(({ name }) => name === pod.node)
  const gateway = (family: string) =>
    node?.podRanges.find((range) => range.family === family)?.gateway.address
  const bridge = (node?.podRanges ?? []).map((range) => range.gateway)
  return [
    ...ethernetLines(pod, topology),
    ...bridge.map(({ address }) => neighbour(address, bridgeMac(node), 'eth0')),
    ...defaultRoutes(topology, gateway),
  ]
}

/**
 * Neighbours that nodes and pods know from the start. The kernel allows all namespaces of a machine together about a
 * thousand that were found out (gc_thresh3, arp(7)); permanent ones do not count, so that a thousand pods can talk.
 */
function neighbours(place: Place, device: string): string[] {
  return place.addresses.map(({ address }) => neighbour(address, placeMac(place), device))
}

function neighbour(address: string, hardware: string, device: string): string {
  return `neigh add ${address} lladdr ${hardware} dev ${device} nud permanent`
}

function bridgeMac(node: NodePlace | undefined): string {
  return macAddress(node?.podRanges[0]?.gateway.address ?? '')
}

/**
 * Link-local addresses of vethlab's own: those that the kernel makes up are checked for duplicates first, and until then
 * nothing is forwarded over IPv6 for a second or two.
 */
function linkLocal(topology: Topology, device: string, host: () => string): string[] {
  if (!topology.families.includes('IPv6')) return []
  return [`link set dev ${device} addrgenmode none`, `addr add fe80::${host()}/64 dev ${device} nodad`]
}

/** Unlike on every link that two places share: a pod's is its veth's index, those on the fabric count from 2. */
function hostPart(place: Place, topology: Topology): string {
  const onFabric: readonly Place[] = [...topology.nodes, ...topology.clients]
  const number = isPod(place) ? place.vethIndex : onFabric.indexOf(place) + 2
  return number.toString(16)
}

function isPod(place: Place): place is PodPlace {
  return 'vethIndex' in place
}

function ethernetLines(place: Place, topology: Topology): string[] {
  return [
    'link set lo up',
    ...linkLocal(topology, 'eth0', () => hostPart(place, topology)),
    ...place.addresses.map((address) => addAddress(address, 'eth0')),
    'link set eth0 up',
  ]
}

function addAddress({ family, address, prefixLength }: Place['addresses'][number], device: string): string {
  return `addr add ${address}/${prefixLength} dev ${device}${family === 'IPv6' ? ' nodad' : ''}`
}

function defaultRoutes(
  topology: Topology,
  gateway: (family: 'IPv4' | 'IPv6') => string | undefined,
): string[] {
  return topology.families.flatMap((family) => {
    const via = gateway(family)
    return via === undefined ? [] : [`route add default via ${via} dev eth0`]
  })
}

/** The MAC address of a place's eth0. */
export function placeMac(place: Place): string {
  return macAddress(place.addresses[0]?.address ?? place.netns)
}

function batchFile(place: Place, lines: readonly string[]): SandboxFile {
  return { path: `${folder}/ns/${place.netns}`, text: batch(lines) }
}

function batch(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
