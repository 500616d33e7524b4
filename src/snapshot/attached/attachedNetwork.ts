import { serviceAddresses } from '../../cluster/serviceType.js'
import type { Service } from '../../cluster/types.js'
import { parseNetwork } from '../../net/address.js'
import { familyOf, type IpFamily } from '../../net/ipFamily.js'
import { macAddress } from '../../topology/names.js'
import {
  together,
  withRoutesOfAddresses,
  type Device,
  type Link,
  type LinkEnd,
  type Network,
  type Route,
} from '../../topology/network.js'
import type { LabModel } from '../model/snapshot.js'
import type { NodePlace, PodPlace, Topology } from '../../topology/types.js'
import { bitsOf, lengthOf, mainRoute } from './mainRoute.js'
import type { NodeParts } from './nodeParts.js'

/** The next hop of pods whose node shows no address for it (as Calico and the VPC CNI of AWS have it). */
const podGateway = { IPv4: '169.254.1.1', IPv6: 'fe80::1:1' } as const

/** The router, as nodes see it of which no routes were read. */
const router = { IPv4: '169.254.2.1', IPv6: 'fe80::2:1' } as const

/**
 * The network of a cluster: what was read of nodes, and what is assumed of all others. Nodes and clients are on one link with a router,
 * which has the next hops of the nodes; pods are behind the interfaces of their nodes’ routes.
 */
export function attachedNetwork(
  { topology, cluster, kubeProxy }: LabModel,
  read: ReadonlyMap<string, NodeParts>,
): Network {
  const clusterIPs =
    kubeProxy.kind === 'none'
      ? []
      : cluster.services.flatMap(({ spec }) => (spec.clusterIPs ?? []).filter(isAddress))
  const gateways = new Set(topology.nodes.flatMap((node) => nextHops(read.get(node.name))))
  return together([
    routerOf(topology, [...gateways], clusterIPs),
    ...topology.clients.map((client) => clientOf(client, topology, cluster.services)),
    ...topology.nodes.map((node) => {
      const parts = read.get(node.name)
      return hasNetwork(parts) ? readNode(node, parts, topology) : assumedNode(node, topology)
    }),
    ...topology.pods.map((pod) => podOf(pod, topology, read)),
  ])
}

/** Whether the interfaces and routes of a node were read. */
export function hasNetwork(parts: NodeParts | undefined): parts is NodeParts {
  return (parts?.devices ?? []).some(({ name }) => name !== 'lo') && (parts?.routes ?? []).length > 0
}

function nextHops(parts: NodeParts | undefined): string[] {
  return (parts?.routes ?? []).flatMap(({ to, via }) =>
    via !== undefined && /^(default|0\.0\.0\.0\/0|::\/0)$/.test(to) ? [via] : [],
  )
}

const isAddress = (text: string) => parseNetwork(`${text}/${bitsOf(text)}`) !== undefined

const host = (address: string) => ({ family: familyOf(address), address, prefixLength: bitsOf(address) })

/** The router that joins nodes, clients and what is outside. No host has a cluster IP; who has others is not known. */
function routerOf(
  { nodes, clients, pods }: Topology,
  gateways: readonly string[],
  clusterIPs: readonly string[],
): Partial<Network> {
  const onLink = [...nodes, ...clients].flatMap(({ addresses }) => addresses)
  const isNode = new Set(onLink.map(({ address }) => address))
  const nodeOf = new Map(nodes.map((node) => [node.name, node]))
  return withRoutesOfAddresses({
    ...together([]),
    links: [{ netns: undefined, name: 'fabric', type: { kind: 'bridge' } }],
    devices: [
      { netns: undefined, name: 'lo', addresses: [] },
      {
        netns: undefined,
        name: 'fabric',
        addresses: [...gateways, ...Object.values(router)]
          .filter((address) => !isNode.has(address))
          .map(host),
      },
    ],
    routes: [
      ...onLink.map(({ address }): Route => ({ netns: undefined, to: address, device: 'fabric' })),
      ...pods.flatMap((pod) => routesToPod(undefined, pod, nodeOf.get(pod.node), 'fabric')),
      ...clusterIPs.map((to): Route => ({ netns: undefined, to, device: '', kind: 'unreachable' })),
      { netns: undefined, to: 'default', device: 'fabric', kind: 'unknown' },
    ],
  })
}

function routesToPod(
  netns: string | undefined,
  pod: PodPlace,
  node: NodePlace | undefined,
  device: string,
): Route[] {
  return pod.addresses.flatMap(({ family, address }) => {
    const via = node?.addresses.find((one) => one.family === family)?.address
    return via === undefined ? [] : [{ netns, to: address, via, device }]
  })
}

/** An interface with a cable to the router. */
function cable(end: LinkEnd): Partial<Network> {
  const port = `to-${end.netns}-${end.name}`
  return {
    links: [{ ...end, type: { kind: 'veth', peer: { netns: undefined, name: port } } }],
    ports: [{ netns: undefined, device: port, bridge: 'fabric', hairpin: false }],
  }
}

/** A client reaches the addresses of Services through the first node, if a route of the cluster says nothing else, and all others by the router. */
function clientOf(
  { netns, addresses }: Topology['clients'][number],
  { nodes, families }: Topology,
  services: readonly Service[],
): Network {
  const devices: Device[] = [
    { netns, name: 'lo', addresses: [] },
    { netns, name: 'eth0', addresses: addresses.map(({ address }) => host(address)) },
  ]
  const ofNodes = nodes.flatMap((node) => node.addresses)
  return withRoutesOfAddresses(
    together([
      cable({ netns, name: 'eth0', mac: macAddress(addresses[0]?.address ?? netns) }),
      {
        devices,
        routes: [
          ...ofNodes.map(({ address }): Route => ({ netns, to: address, device: 'eth0' })),
          ...services
            .flatMap(serviceAddresses)
            .filter(isAddress)
            .flatMap((to): Route[] => {
              const via = ofNodes.find(({ family }) => family === familyOf(to))?.address
              return via === undefined ? [] : [{ netns, to, via, device: 'eth0' }]
            }),
          ...defaultByRouter(netns, families),
        ],
      },
    ]),
  )
}

function defaultByRouter(netns: string, families: readonly IpFamily[]): Route[] {
  return families.flatMap((family): Route[] => [
    { netns, to: router[family], device: 'eth0' },
    { netns, to: 'default', via: router[family], device: 'eth0' },
  ])
}

/** A node of which nothing was read: one interface, and a route to each pod. */
function assumedNode(node: NodePlace, topology: Topology): Network {
  const { netns, addresses } = node
  const others = topology.nodes.filter((one) => one !== node)
  const onLink = [...others, ...topology.clients].flatMap((one) => one.addresses)
  return withRoutesOfAddresses(
    together([
      cable({ netns, name: 'eth0', mac: macAddress(addresses[0]?.address ?? netns) }),
      {
        devices: [
          { netns, name: 'lo', addresses: [] },
          { netns, name: 'eth0', addresses: addresses.map(({ address }) => host(address)) },
        ],
        routes: [
          ...onLink.map(({ address }): Route => ({ netns, to: address, device: 'eth0' })),
          ...defaultByRouter(netns, topology.families),
          ...topology.pods
            .filter((pod) => pod.node !== node.name)
            .flatMap((pod) =>
              routesToPod(
                netns,
                pod,
                others.find(({ name }) => name === pod.node),
                'eth0',
              ),
            ),
        ],
      },
    ]),
  )
}

function readNode(node: NodePlace, parts: NodeParts, topology: Topology): Network {
  const { netns } = node
  const { devices = [], links = [], routes = [], ports = [], neighbours = [], forwarding = [] } = parts
  const own = <Value extends object>(all: readonly Value[]) => all.map((one) => ({ ...one, netns }))
  const uplinks = uplinksOf(node, parts)
  const isLocalRead = routes.some(({ table }) => table === 'local')
  const network: Network = {
    links: links.flatMap((link): Link[] => {
      const { name, index, mac, mtu, up, answersArp, kind, vxlan } = link
      const end = {
        netns,
        name,
        index,
        mac,
        mtu,
        ...(!up && { down: true as const }),
        ...(!answersArp && { silent: true as const }),
      }
      if (vxlan !== undefined) return [{ ...end, type: { kind: 'vxlan', ...vxlan } }]
      return kind === 'bridge' || ports.some(({ bridge }) => bridge === name)
        ? [{ ...end, type: { kind: 'bridge' } }]
        : []
    }),
    devices: own(devices),
    ports: [],
    neighbours: own(neighbours.filter(({ learned }) => learned !== true)),
    routes: own(routes),
    forwarding: own(forwarding),
  }
  const cables = uplinks.map((name) => {
    const link = links.find((one) => one.name === name)
    const { mac = macAddress(`${netns}-${name}`), mtu } = link ?? {}
    return cable({ netns, name, mac, mtu, ...(link?.up === false && { down: true as const }) })
  })
  const bridges = new Set(network.links.map(({ name }) => name))
  const implied = podBridges(topology, node, parts).filter((name) => !bridges.has(name))
  return together([
    network,
    ...(isLocalRead ? [] : [{ routes: localRoutes(network) }]),
    { routes: aroundTunnels(node, network, uplinks, topology) },
    ...cables,
    {
      links: implied.map((name): Link => ({
        netns,
        name,
        mac: macAddress(`${netns}-${name}`),
        type: { kind: 'bridge' },
      })),
    },
  ])
}

/** Routes to pods of other nodes by tunnels whose links were not read with their settings: those are assumed to work. */
function aroundTunnels(
  node: NodePlace,
  network: Network,
  uplinks: readonly string[],
  topology: Topology,
): Route[] {
  const [uplink] = uplinks
  if (uplink === undefined) return []
  const known = new Set([
    ...uplinks,
    ...network.links.flatMap(({ name, type }) => (type.kind === 'bridge' ? [name] : [])),
  ])
  return topology.pods
    .filter((pod) => pod.node !== node.name)
    .flatMap((pod) => {
      const other = topology.nodes.find(({ name }) => name === pod.node)
      return pod.addresses.flatMap(({ family, address }) => {
        const found = mainRoute(network.routes, family, address)
        const isTunnel = found !== undefined && found.to !== 'default' && !known.has(found.device)
        return isTunnel
          ? routesToPod(
              node.netns,
              { ...pod, addresses: [{ family, address, prefixLength: 32 }] },
              other,
              uplink,
            )
          : []
      })
    })
}

function localRoutes(network: Network): Route[] {
  return withRoutesOfAddresses({ ...network, routes: [] }).routes.filter(({ kind }) => kind === 'local')
}

/** The interfaces that lead out of a node: those with its address or a default route. */
function uplinksOf(node: NodePlace, { devices = [], routes = [] }: NodeParts): string[] {
  const own = new Set(node.addresses.map(({ address }) => address))
  const byRoute = new Set(
    routes.flatMap(({ to, device, via }) => (to === 'default' || via !== undefined ? [device] : [])),
  )
  const found = devices.filter(
    ({ name, addresses }) =>
      name !== 'lo' &&
      !/^(flannel|vxlan|cilium|tunl|wireguard|wg|docker|cni|br-|nodelocaldns|kube-ipvs)/.test(name) &&
      (byRoute.has(name) || addresses.some(({ address }) => own.has(address))),
  )
  return found.map(({ name }) => name)
}

/** The interface by which a node reaches a pod of its own, and whether other pods are behind it too. */
function podDevice(
  pod: PodPlace,
  family: IpFamily,
  parts: NodeParts,
):
  | {
      readonly name: string
      readonly isShared: boolean
      readonly prefixLength: number
      readonly gateway: string | undefined
    }
  | undefined {
  const address = pod.addresses.find((one) => one.family === family)?.address
  if (address === undefined) return undefined
  const covering = mainRoute(
    (parts.routes ?? []).filter(({ via }) => via === undefined),
    family,
    address,
  )
  if (covering === undefined) return undefined
  const isShared = lengthOf(covering.to) < bitsOf(address)
  const gateway = (parts.devices ?? [])
    .find(({ name }) => name === covering.device)
    ?.addresses.find((one) => one.family === family)?.address
  return {
    name: covering.device,
    isShared,
    prefixLength: lengthOf(covering.to),
    gateway: isShared ? gateway : undefined,
  }
}

function podBridges(topology: Topology, node: NodePlace, parts: NodeParts): string[] {
  const names = topology.pods.flatMap((pod) =>
    pod.node !== node.name
      ? []
      : topology.families.flatMap((family) => {
          const device = podDevice(pod, family, parts)
          return device?.isShared === true ? [device.name] : []
        }),
  )
  return [...new Set(names)]
}

/** A pod: its own namespace, and its end on the node. */
function podOf(pod: PodPlace, topology: Topology, read: ReadonlyMap<string, NodeParts>): Partial<Network> {
  const { netns, veth, addresses } = pod
  const parts = read.get(pod.node)
  const node = topology.nodes.find(({ name }) => name === pod.node)
  const [mac, nodeMac] = [macAddress(addresses[0]?.address ?? netns), macAddress(`node of ${netns}`)]
  const own = addresses.map(({ family, address }) => {
    const device = hasNetwork(parts)
      ? podDevice(pod, family, parts)
      : { name: veth, isShared: false, prefixLength: bitsOf(address), gateway: undefined }
    return { family, address, device, gateway: device?.gateway ?? podGateway[family] }
  })
  const device = own.find((one) => one.device !== undefined)?.device
  // a node whose routes do not lead to its pod has no link to it either
  const isShared = device?.isShared === true
  const mtu = parts?.links?.find(({ name }) => name === device?.name)?.mtu
  const end: LinkEnd = { netns: pod.node, name: isShared ? veth : (device?.name ?? veth), mac: nodeMac, mtu }
  const inPod = withRoutesOfAddresses(
    together([
      {
        devices: [
          { netns, name: 'lo', addresses: [] },
          {
            ...{ netns, name: 'eth0' },
            // pods behind one bridge reach each other without a router
            addresses: own.map(({ family, address, device: by }) => ({
              ...{ family, address },
              prefixLength: by?.prefixLength ?? bitsOf(address),
            })),
          },
        ],
        routes: own.flatMap(({ gateway }): Route[] => [
          { netns, to: gateway, device: 'eth0' },
          { netns, to: 'default', via: gateway, device: 'eth0' },
        ]),
        neighbours: own
          .filter((one) => one.device?.gateway === undefined)
          .map(({ gateway }) => ({ netns, address: gateway, mac: nodeMac, device: 'eth0' })),
      },
    ]),
  )
  if (node === undefined) return inPod
  return together([
    inPod,
    { links: [{ netns, name: 'eth0', mac, mtu, type: { kind: 'veth', peer: end } }] },
    isShared ? { ports: [{ netns: pod.node, device: veth, bridge: device.name, hairpin: true }] } : {},
    hasNetwork(parts)
      ? {}
      : withRoutesOfAddresses(
          together([
            {
              devices: [{ netns: pod.node, name: veth, addresses: [] }],
              routes: addresses.map(({ address }): Route => ({ netns: pod.node, to: address, device: veth })),
            },
          ]),
        ),
  ])
}
