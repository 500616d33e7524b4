import { nthAddress, rangeOf, rangeSize } from '../net/ranges.js'
import { podHostname } from '../cluster/dns/podFiles.js'
import { familyOf, type IpFamily } from '../net/ipFamily.js'
import type { Cluster, Node, Pod } from '../cluster/types.js'
import { podNetnsNames, podVethName } from './names.js'
import { overlayInterfaces } from './overlay.js'
import type { AddressRanges } from '../net/addressRanges.js'
import type {
  InterfaceAddress,
  OutsideHost,
  NodePlace,
  Place,
  PodNetwork,
  Topology,
  PodPlace,
} from './types.js'

/** Interface indexes are fixed, so that a capture can name its interfaces without another process. */
export const interfaceIndex = {
  lo: 1,
  eth0: 100,
  cni0: 101,
  announced: 104,
  ipvs: 105,
  firstPodVeth: 110,
} as const

/** The place of the first outside client in the range of nodes, which count up from .2: after 256 of them, or halfway in a small range. */
function firstClient(range: string): number {
  const half = rangeSize(rangeOf(range)) / 2n
  return Number(half < 256n ? half : 256n) + 2
}

/** Lays out a cluster and its outside clients in network namespaces; pure. */
export function layOut(
  cluster: Cluster,
  clients: readonly OutsideHost[],
  ranges: AddressRanges,
  families: readonly IpFamily[],
  network: PodNetwork = { mode: 'routes', masquerade: true },
): Topology {
  const clientPlaces = clients.map((client, index) => layOutClient(client, index, ranges, families))
  const taken = [
    ...cluster.nodes.map((node) => node.metadata.name),
    ...clientPlaces.map((client) => client.name),
  ]
  const netnsNames = podNetnsNames(
    cluster.pods.map((pod) => ({ namespace: pod.metadata.namespace ?? 'default', name: pod.metadata.name })),
    taken,
  )
  const vethCounts = new Map<string, number>()
  const pods: PodPlace[] = []
  const hostPods: Place[] = []
  cluster.pods.forEach((pod, index) => {
    const node = pod.spec.nodeName ?? ''
    if (pod.spec.hostNetwork === true) {
      hostPods.push(hostNetworkPlace(pod, node))
      return
    }
    const count = vethCounts.get(node) ?? 0
    vethCounts.set(node, count + 1)
    pods.push(
      layOutPod(
        pod,
        node,
        netnsNames[index] ?? pod.metadata.name,
        interfaceIndex.firstPodVeth + count,
        families,
      ),
    )
  })
  const overlay = network.mode === 'vxlan' ? overlayInterfaces(families) : []
  const nodes = cluster.nodes.map((node) => layOutNode(node, pods, ranges, families, overlay))
  return {
    families,
    ranges,
    network,
    nodes,
    clients: clientPlaces,
    pods,
    places: [...nodes, ...clientPlaces, ...pods, ...hostPods],
  }
}

function layOutClient(
  client: OutsideHost,
  index: number,
  ranges: AddressRanges,
  families: readonly IpFamily[],
): Place {
  const { name } = client
  const addresses = clientAddresses(client, index, ranges, families)
  return { kind: 'client', name, hostname: name, netns: name, addresses, interfaces: ethernetOnly() }
}

/** The addresses of the client at this index of the list. */
export function clientAddresses(
  { addresses: given = [] }: OutsideHost,
  index: number,
  ranges: AddressRanges,
  families: readonly IpFamily[],
): InterfaceAddress[] {
  return families.flatMap((family) => {
    const own = given.filter((address) => familyOf(address) === family)
    if (own.length === 0)
      return onRange(ranges.fabric[family], family, firstClient(ranges.fabric[family]) + index)
    return own.map((address) => ({ family, address, prefixLength: family === 'IPv4' ? 32 : 128 }))
  })
}

function layOutNode(
  node: Node,
  pods: readonly PodPlace[],
  ranges: AddressRanges,
  families: readonly IpFamily[],
  overlay: readonly (readonly [number, string])[],
): NodePlace {
  const name = node.metadata.name
  const internal = (node.status?.addresses ?? []).filter(({ type }) => type === 'InternalIP')
  const addresses = internal
    .map(({ address }) => ({ address, family: familyOf(address) }))
    .filter(({ family }) => families.includes(family))
    .map(({ address, family }) => ({
      family,
      address,
      prefixLength: rangeOf(ranges.fabric[family]).prefixLength,
    }))
  const cidrs = node.spec?.podCIDRs ?? (node.spec?.podCIDR === undefined ? [] : [node.spec.podCIDR])
  const podRanges = cidrs
    .map((cidr) => ({ family: familyOf(cidr), cidr }))
    .filter(({ family }) => families.includes(family))
    .map(({ family, cidr }) => ({ family, cidr, gateway: onRange(cidr, family, 1) }))
  const interfaces = new Map([
    ...ethernetOnly(),
    [interfaceIndex.cni0, 'cni0'] as const,
    [interfaceIndex.announced, 'announced'] as const,
    ...overlay,
    ...pods.filter((pod) => pod.node === name).map((pod) => [pod.vethIndex, pod.veth] as const),
  ])
  return {
    ...{ kind: 'node', name, hostname: name, netns: name, addresses, interfaces },
    ...{ podRanges, clusterPodRange: ranges.pods },
  }
}

/** The namespace of a pod with its own network. */
export function layOutPod(
  pod: Pod,
  node: string,
  netns: string,
  vethIndex: number,
  families: readonly IpFamily[],
): PodPlace {
  const { name, namespace = 'default' } = pod.metadata
  const addresses = podAddresses(pod)
    .map((address) => ({ family: familyOf(address), address }))
    .filter(({ family }) => families.includes(family))
    .map(({ family, address }) => ({ family, address, prefixLength: family === 'IPv4' ? 24 : 64 }))
  const veth = podVethName(namespace, name)
  return {
    ...{ kind: 'pod', name, namespace, hostname: podHostname(pod), netns, addresses, node },
    ...{ interfaces: ethernetOnly(), veth, vethIndex },
  }
}

/** Where a hostNetwork pod is: in its node's namespace. */
export function hostNetworkPlace(pod: Pod, node: string): Place {
  const { name, namespace = 'default' } = pod.metadata
  const addresses = podAddresses(pod).map((address) => {
    const family = familyOf(address)
    return { family, address, prefixLength: family === 'IPv4' ? 32 : 128 }
  })
  return {
    kind: 'pod',
    name,
    namespace,
    hostname: node,
    netns: node,
    addresses,
    node,
    interfaces: ethernetOnly(),
  }
}

function podAddresses(pod: Pod): string[] {
  return (pod.status?.podIPs ?? []).map(({ ip }) => ip)
}

function onRange(cidr: string, family: IpFamily, n: number): InterfaceAddress {
  const range = rangeOf(cidr)
  return { family, address: nthAddress(range, n), prefixLength: range.prefixLength }
}

function ethernetOnly(): Map<number, string> {
  return new Map([
    [interfaceIndex.lo, 'lo'],
    [interfaceIndex.eth0, 'eth0'],
  ])
}
