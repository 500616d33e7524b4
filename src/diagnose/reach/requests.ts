import { hostPortsOf } from '../../cluster/pods/hostPorts.js'
import { namespacedName } from '../../cluster/namespacedName.js'
import { familyOf } from '../../net/ipFamily.js'
import { addressFamily, nthAddress, parseRange, rangeSize } from '../../net/ranges.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { hostsOf } from '../../trace/network/host.js'
import type { NodePlace } from '../../topology/types.js'
import { serviceAddresses } from '../../cluster/serviceType.js'
import type { Cell } from './cell.js'
import type { Constants } from './cuts.js'
import type { NodeGroup, NodeGroups } from './nodeGroups.js'
import { canCall, Sources, type SourceClass } from './sources.js'
import { otherNodeAddresses, protocolOf, serviceTargets, type Target, type TargetKind } from './targets.js'

/** One cell of the matrix: a class of senders that calls an address and port. */
export interface ReachRequest {
  readonly source: SourceClass
  readonly target: Target
  /** The node that an address outside sends it to, if its host is not part of the snapshot. */
  readonly by?: NodePlace | undefined
}

/** A request that is predicted to end in these ways. */
export interface PredictedRequest {
  readonly request: ReachRequest
  readonly cell: Cell
}

/** The same cell in another snapshot. */
export function requestKey({ source, target, by }: ReachRequest): string {
  const { kind, service = '', port, protocol, node = '' } = target
  const address = service === '' ? target.address : familyOf(target.address)
  return [source.key, by?.name ?? '', kind, service, port, protocol, node, address].join(' ; ')
}

/** Which requests are asked. */
export interface ReachScope {
  /** Nodes that nothing distinguishes are asked once; without, each node is asked. */
  readonly groups?: NodeGroups | undefined
  /** `namespace/name`; all by default. */
  readonly service?: string | undefined
  /** How many of the requests that are decided, and end alike where two snapshots are compared, are returned; none by default. */
  readonly sample?: number | undefined
}

/** Every request to every address and port that Services have, from every class of senders, Service by Service. */
export function* reachRequests(
  snapshot: Snapshot,
  constants: Constants,
  { service: only, groups }: ReachScope = {},
): Generator<ReachRequest> {
  const { cluster, topology } = snapshot.model
  const { nodes } = topology
  const sources = new Sources(snapshot, constants)
  const othersOf = otherNodeAddresses(snapshot)
  const askedFor = (name: string | undefined): Asked => {
    const own = groups?.of(name) ?? nodes.map((first): NodeGroup => ({ first, size: 1 }))
    const sendersOf = (some: readonly NodePlace[]) => [...sources.pods(some, name), ...sources.nodes(some)]
    const firsts = own.map(({ first }) => first)
    const sizes = new Map(own.map(({ first, size }) => [first.name, size]))
    const seconds = new Map(
      own.map(({ first, second }) => [first.name, second === undefined ? [] : sendersOf([second])]),
    )
    return {
      nodes: firsts,
      inside: sendersOf(firsts).map((source) => forAll(source, sizes.get(source.node ?? '') ?? 1)),
      fromOthers: (node) => seconds.get(node) ?? [],
    }
  }
  for (const service of cluster.services) {
    const name = namespacedName(service)
    if (only !== undefined && only !== name) continue
    if (serviceTargets(service, []).length === 0) continue
    const asked = askedFor(name)
    for (const target of serviceTargets(service, asked.nodes, othersOf))
      yield* toTarget(snapshot, target, asked, sources)
  }
  if (only !== undefined) return
  const asked = askedFor(undefined)
  for (const target of [...unallocated(snapshot), ...podTargets(snapshot, asked.nodes)])
    yield* toTarget(snapshot, target, asked, sources)
}

/** The nodes that are asked about, and the senders inside of the cluster. */
interface Asked {
  readonly nodes: readonly NodePlace[]
  readonly inside: readonly SourceClass[]
  /** The senders of another node of the same group. */
  readonly fromOthers: (node: string) => readonly SourceClass[]
}

/** A class that its node shares with others. */
function forAll(source: SourceClass, size: number): SourceClass {
  if (size === 1) return source
  const { label, members } = source
  return { ...source, label: `${label} and ${size - 1} nodes like it`, members: members && members * size }
}

/** What hosts outside have no way to. */
const insideOnly: ReadonlySet<TargetKind> = new Set([
  'node port on loopback',
  'node port on another address',
  'pod',
  'unallocated cluster IP',
])

function* toTarget(
  snapshot: Snapshot,
  target: Target,
  { nodes, inside, fromOthers }: Asked,
  sources: Sources,
): Generator<ReachRequest> {
  const { kind, node, address, service } = target
  for (const source of node === undefined ? inside : [...inside, ...fromOthers(node)]) {
    if (!hasFamily(snapshot, source, address)) continue
    // loopback addresses are those of the caller
    if (kind === 'node port on loopback' && (source.kind !== 'node' || source.node !== node)) continue
    yield { source, target }
  }
  if (insideOnly.has(kind)) return
  for (const source of sources.outside(service, familyOf(address))) {
    if (!canCall(source, address)) continue
    if (source.from !== undefined && (node !== undefined || isRouted(snapshot, source.from, address))) {
      yield { source, target }
      continue
    }
    for (const by of nodes) if (node === undefined || by.name === node) yield { source, target, by }
  }
}

/** Whether a host outside of a lab knows the way to an address; what a host outside of a cluster knows was not attached. */
function isRouted({ basis, state }: Snapshot, from: string, address: string): boolean {
  const route = basis === 'attached' ? undefined : hostsOf(state)(from).routeTo(address)
  return route !== undefined && route.to.prefixLength > 0
}

function hasFamily({ state }: Snapshot, { from }: SourceClass, address: string): boolean {
  const family = familyOf(address)
  return from !== undefined && hostsOf(state)(from).addresses.some((own) => own.family === family)
}

/** An address of each range of Services that no Service has. */
function unallocated({ model }: Snapshot): Target[] {
  const used = new Set(model.cluster.services.flatMap(serviceAddresses))
  return model.topology.families.flatMap((family) => {
    const range = parseRange(model.topology.ranges.services[family])
    if (range === undefined) return []
    const size = rangeSize(range)
    for (let at = size > 4096n ? size - 2n : size - 1n, tries = 0; at > 0n && tries < 4096; at--, tries++) {
      const address = nthAddress(range, at)
      if (used.has(address)) continue
      return [
        { kind: 'unallocated cluster IP', port: '80', protocol: 'tcp', address, number: 80 },
        { kind: 'unallocated cluster IP', port: '', protocol: 'icmp', address },
      ] satisfies Target[]
    }
    return []
  })
}

/** A pod of each node, and the ports of nodes that the CNI plugin forwards to pods. */
function podTargets({ model }: Snapshot, nodes: readonly NodePlace[]): Target[] {
  const { cluster, topology } = model
  const pings = nodes.flatMap((node) => {
    const pod = topology.pods.find((one) => one.node === node.name && one.addresses.length > 0)
    return (pod?.addresses ?? []).map(({ address }): Target => ({
      ...{ kind: 'pod', port: '', protocol: 'icmp', address, node: node.name },
    }))
  })
  const hostPorts = cluster.pods.flatMap((pod) => {
    const node = topology.nodes.find(({ name }) => name === pod.spec.nodeName)
    if (node === undefined || pod.spec.hostNetwork === true) return []
    return hostPortsOf(pod).flatMap(({ hostIP, hostPort, protocol }) =>
      node.addresses
        .map(({ address }) => address)
        .filter(
          (address) => addressFamily(address) !== undefined && (hostIP === undefined || hostIP === address),
        )
        .map((address): Target => ({
          ...{ kind: 'host port', port: `${hostPort}`, protocol: protocolOf({ protocol }), address },
          ...{ number: hostPort, node: node.name },
        })),
    )
  })
  return [...pings, ...hostPorts]
}
