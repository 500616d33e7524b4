import type { Problem } from '../errors.js'
import type { AddressRanges } from '../net/addressRanges.js'
import { addressFamily, nthAddress, nthSubnet, parseRange, rangeOf } from '../net/ranges.js'
import type { LocatedObject } from './manifests/locatedObject.js'
import { didYouMean } from '../text/nearestName.js'
import type { IpFamily } from '../net/ipFamily.js'
import type { Node, NodeAddress } from './types.js'

/** A node of the lab's topology. */
export interface NodeSpec {
  readonly name: string
  readonly zone?: string | undefined
  readonly labels: Readonly<Record<string, string>>
}

export interface NodeOptions {
  readonly nodes: readonly NodeSpec[]
  readonly ranges: AddressRanges
  readonly families: readonly IpFamily[]
}

/** The architecture of this host, in the names of Go. */
export const architecture = process.arch === 'x64' ? 'amd64' : process.arch

/** The label with a node's zone. */
export const zoneLabel = 'topology.kubernetes.io/zone'

// The subnet size that kubeadm assigns to a node from the pod range.
const nodePrefix = { IPv4: 24, IPv6: 64 } as const
// The first address of the fabric is the host's end of the bridge.
const firstNodeAddress = 2

// Nothing limits pods to these amounts: the EndpointSlice controller compares the CPU of zones.
const amounts = { cpu: '4', memory: '8Gi', pods: '110' }
const resources = { capacity: amounts, allocatable: amounts }

/**
 * Creates the nodes of the topology and applies Node objects to them; with an empty topology the objects define the
 * nodes.
 */
export function buildNodes(
  located: readonly LocatedObject[],
  options: NodeOptions,
): { nodes: readonly Node[]; problems: readonly Problem[] } {
  const objects = new Map(located.map((item) => [item.object.metadata.name, item]))
  const specs: readonly NodeSpec[] =
    options.nodes.length > 0 ? options.nodes : [...objects.keys()].map((name) => ({ name, labels: {} }))
  const names = specs.map((spec) => spec.name)
  const problems: Problem[] = located
    .filter((item) => !names.includes(item.object.metadata.name))
    .map((item) => ({
      message: `Node "${item.object.metadata.name}" is not a node of the lab`,
      at: item.at(['metadata', 'name']),
      hint: didYouMean(item.object.metadata.name, names) ?? `the lab has ${names.join(', ')}`,
    }))
  if (specs.length === 0)
    problems.push({ message: 'the cluster has no nodes', hint: 'name them in the topology' })
  const nodes = specs.map((spec, index) =>
    overlay(makeNode(spec, index, options), objects.get(spec.name)?.object as Node | undefined),
  )
  problems.push(...addressClashes(nodes, objects))
  return { nodes, problems }
}

function makeNode(spec: NodeSpec, index: number, { families, ranges }: NodeOptions): Node {
  const addresses = families.map((family): NodeAddress => ({
    type: 'InternalIP',
    address: nthAddress(rangeOf(ranges.fabric[family]), firstNodeAddress + index),
  }))
  // Subnet 0 is not used, like with kubeadm.
  const podCIDRs = families.flatMap(
    (family) => nthSubnet(rangeOf(ranges.pods[family]), nodePrefix[family], index + 1) ?? [],
  )
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: spec.name,
      labels: {
        'beta.kubernetes.io/arch': architecture,
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': architecture,
        'kubernetes.io/hostname': spec.name,
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': 'vethlab',
        ...(spec.zone === undefined ? {} : { [zoneLabel]: spec.zone }),
        ...spec.labels,
      },
    },
    spec: { podCIDRs, ...(podCIDRs[0] === undefined ? {} : { podCIDR: podCIDRs[0] }) },
    status: { addresses: [...addresses, { type: 'Hostname', address: spec.name }], ...resources },
  }
}

function overlay(made: Node, written: Node | undefined): Node {
  if (written === undefined) return made
  const family = (range: string): IpFamily | undefined => parseRange(range)?.family
  const podCIDRs = byFamily(written.spec?.podCIDRs ?? [], made.spec?.podCIDRs ?? [], family)
  const { metadata } = made
  return {
    ...made,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...written.metadata.labels },
      ...(written.metadata.annotations === undefined ? {} : { annotations: written.metadata.annotations }),
    },
    spec: {
      ...made.spec,
      ...written.spec,
      podCIDRs,
      ...(podCIDRs[0] === undefined ? {} : { podCIDR: podCIDRs[0] }),
    },
    status: {
      ...made.status,
      ...resourcesOf(written),
      addresses: overlayAddresses(made, written.status?.addresses ?? []),
    },
  }
}

function resourcesOf({ status: { capacity, allocatable } = {} }: Node): Node['status'] {
  return {
    ...(capacity === undefined ? {} : { capacity }),
    ...(allocatable === undefined ? {} : { allocatable }),
  }
}

// Families that the object does not set are kept from the topology; the object's order wins.
function byFamily<Item>(
  written: readonly Item[],
  made: readonly Item[],
  familyOf: (item: Item) => IpFamily | undefined,
): Item[] {
  const named = new Set(written.map(familyOf))
  return [...written, ...made.filter((item) => !named.has(familyOf(item)))]
}

function overlayAddresses(made: Node, written: readonly NodeAddress[]): NodeAddress[] {
  const isInternal = (item: NodeAddress): boolean => item.type === 'InternalIP'
  const own = made.status?.addresses ?? []
  const internal = byFamily(written.filter(isInternal), own.filter(isInternal), (item) =>
    addressFamily(item.address),
  )
  const others = written.filter((item) => !isInternal(item))
  const kept = own.filter((item) => !isInternal(item) && !others.some((other) => other.type === item.type))
  return [...internal, ...others, ...kept]
}

function addressClashes(nodes: readonly Node[], objects: ReadonlyMap<string, LocatedObject>): Problem[] {
  const users = new Map<string, string>()
  const problems: Problem[] = []
  for (const node of nodes) {
    const { name } = node.metadata
    for (const text of [...nodeAddresses(node), ...(node.spec?.podCIDRs ?? [])]) {
      const other = users.get(text)
      const located = objects.get(name) ?? objects.get(other ?? '')
      if (other !== undefined)
        problems.push({
          message: `nodes "${other}" and "${name}" both have ${text}`,
          at: located?.at(['metadata', 'name']),
        })
      users.set(text, name)
    }
  }
  return problems
}

/** The addresses of a node on the fabric, primary family first. */
export function nodeAddresses(node: Node): string[] {
  return (node.status?.addresses ?? [])
    .filter((item) => item.type === 'InternalIP')
    .map((item) => item.address)
}
