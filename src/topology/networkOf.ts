import { familyOf } from '../net/ipFamily.js'
import { defaultGateway } from './fabric.js'
import { interfaceIndex } from './layOut.js'
import { interfaceName, macAddress } from './names.js'
import { together, type Device, type Link, type Neighbour, type Network, type Route } from './network.js'
import { overlayOf, podMtu, tunnelTo } from './overlay.js'
import type { NodePlace, Place, PodPlace, Topology } from './types.js'

/** The whole network of a lab: the fabric, nodes and clients on it, and the pods behind their nodes' bridges. */
export function networkOf(topology: Topology): Network {
  return together([
    fabricOf(topology),
    ...[...topology.nodes, ...topology.clients].map(cableOf),
    ...topology.nodes.map(bridgeOf),
    ...topology.nodes.map((node) => nodeNetwork(node, topology)),
    ...topology.clients.map((client) => clientNetwork(client, topology)),
    ...topology.pods.map((pod) => podNetwork(pod, topology)),
  ])
}

/** A pod's network: its veth pair, its own namespace, and its node's routes and neighbours. */
export function podNetwork(pod: PodPlace, topology: Topology): Partial<Network> {
  const { netns, veth, vethIndex } = pod
  const node = topology.nodes.find(({ name }) => name === pod.node)
  const ranges = node?.podRanges ?? []
  const mtu = podMtu(topology)
  return {
    links: [
      {
        ...{ netns, name: 'eth0', index: interfaceIndex.eth0, mac: placeMac(pod), mtu },
        type: { kind: 'veth', peer: { netns: pod.node, name: veth, index: vethIndex, mtu } },
      },
    ],
    devices: ethernetOf(pod, topology),
    // hairpin: a pod that connects to its own Service gets its packet back through its port
    ports: [{ netns: pod.node, device: veth, bridge: 'cni0', hairpin: true }],
    neighbours: [
      ...ranges.map(({ gateway: { address } }) => ({
        ...{ netns, address, mac: bridgeMac(node), device: 'eth0' },
      })),
      ...neighbours(pod.node, pod, 'cni0'),
    ],
    routes: defaultRoutes(
      netns,
      ranges.map(({ gateway }) => gateway.address),
      topology,
    ),
  }
}

/** The fabric's end of a node's or a client's cable, in the sandbox's first namespace. */
export function fabricPortName(place: Pick<Place, 'netns'>): string {
  return interfaceName('to-', place.netns)
}

/** The MAC address of a place's eth0. */
export function placeMac(place: Place): string {
  return macAddress(place.addresses[0]?.address ?? place.netns)
}

function fabricOf({ families, ranges }: Topology): Partial<Network> {
  const addresses = families.map((family) => defaultGateway(ranges, family))
  const linkLocal = families.includes('IPv6') ? 'fe80::1' : undefined
  return {
    links: [{ netns: undefined, name: 'fabric', type: { kind: 'bridge' } }],
    devices: [
      { netns: undefined, name: 'lo', addresses: [] },
      { netns: undefined, name: 'fabric', linkLocal, addresses },
    ],
  }
}

/** Connects a node or client to the fabric. Indexes and MAC addresses are fixed, so that runs are identical. */
function cableOf(place: Place): Partial<Network> {
  const { netns } = place
  const port = fabricPortName(place)
  const cable: Link = {
    ...{ netns, name: 'eth0', index: interfaceIndex.eth0, mac: placeMac(place) },
    type: { kind: 'veth', peer: { netns: undefined, name: port } },
  }
  return {
    links: [cable],
    ports: [{ netns: undefined, device: port, bridge: 'fabric', hairpin: false }],
  }
}

function bridgeOf(node: NodePlace): Partial<Network> {
  const mac = node.podRanges.length === 0 ? undefined : bridgeMac(node)
  const { netns } = node
  return {
    links: [{ netns, name: 'cni0', index: interfaceIndex.cni0, mac, type: { kind: 'bridge' } }],
  }
}

function nodeNetwork(node: NodePlace, topology: Topology): Network {
  const { netns, podRanges } = node
  const isOverlay = topology.network.mode === 'vxlan'
  const linkLocal = withIPv6(topology, () => `fe80::1:${hostPart(node, topology)}`)
  const others = topology.nodes.filter((other) => other !== node)
  return together([
    {
      devices: [
        ...ethernetOf(node, topology),
        { netns, name: 'cni0', linkLocal, addresses: podRanges.map(({ gateway }) => gateway) },
      ],
    },
    ...(isOverlay ? [overlayOf(node)] : []),
    ...others.flatMap((other) => [
      { neighbours: neighbours(netns, other, 'eth0') },
      isOverlay ? tunnelTo(node, other) : { routes: routesTo(node, other) },
    ]),
    { routes: [...routesToHosts(node, topology), ...fabricRoutes(netns, topology)] },
  ])
}

function clientNetwork(client: Place, topology: Topology): Partial<Network> {
  const { netns } = client
  const families = new Set(foreign(client).map(({ family }) => family))
  return {
    devices: ethernetOf(client, topology),
    routes: [
      ...[...families].map((family) => ({ netns, to: topology.ranges.fabric[family], device: 'eth0' })),
      ...routesToHosts(client, topology),
      ...fabricRoutes(netns, topology),
    ],
  }
}

function ethernetOf(place: Place, topology: Topology): Device[] {
  const { netns, addresses } = place
  const linkLocal = withIPv6(topology, () => `fe80::${hostPart(place, topology)}`)
  return [
    { netns, name: 'lo', addresses: [] },
    { netns, name: 'eth0', linkLocal, addresses },
  ]
}

function withIPv6<Value>({ families }: Topology, value: () => Value): Value | undefined {
  return families.includes('IPv6') ? value() : undefined
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

function routesTo({ netns }: NodePlace, other: NodePlace): Route[] {
  return other.podRanges.flatMap(({ family, cidr }) => {
    const via = other.addresses.find((address) => address.family === family)
    return via === undefined ? [] : [{ netns, to: cidr, via: via.address, device: 'eth0' }]
  })
}

/** Addresses of a client that are not of the fabric's range; nodes and clients have the fabric's prefix, these none. */
function foreign(client: Place): Place['addresses'] {
  return client.addresses.filter(
    ({ family, prefixLength }) => prefixLength === (family === 'IPv4' ? 32 : 128),
  )
}

/** Hosts with their own addresses are on the same link: no router is needed to reach them. */
function routesToHosts(from: Place, topology: Topology): Route[] {
  return topology.clients
    .filter((other) => other !== from)
    .flatMap((other) =>
      foreign(other).map(({ address }) => ({ netns: from.netns, to: address, device: 'eth0' })),
    )
}

function fabricRoutes(netns: string, topology: Topology): Route[] {
  const gateways = topology.families.map((family) => defaultGateway(topology.ranges, family).address)
  return defaultRoutes(netns, gateways, topology)
}

/** One for each family of the lab that has a gateway. */
function defaultRoutes(netns: string, gateways: readonly string[], { families }: Topology): Route[] {
  return families.flatMap((family) => {
    const via = gateways.find((gateway) => familyOf(gateway) === family)
    return via === undefined ? [] : [{ netns, to: 'default', via, device: 'eth0' }]
  })
}

/**
 * Permanent neighbours of nodes and pods. The kernel allows all namespaces of a host together about a
 * thousand learned ones (gc_thresh3, arp(7)); permanent ones do not count, so that a thousand pods can communicate.
 */
function neighbours(netns: string, place: Place, device: string): Neighbour[] {
  return place.addresses.map(({ address }) => ({ netns, address, mac: placeMac(place), device }))
}

function bridgeMac(node: NodePlace | undefined): string {
  return macAddress(node?.podRanges[0]?.gateway.address ?? '')
}
