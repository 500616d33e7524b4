import { namespacedName } from '../../../cluster/namespacedName.js'
import type { Node, Service } from '../../../cluster/types.js'
import { familyOf } from '../../../net/ipFamily.js'
import { parseRange, rangeContains, rangeOf, type AddressRange } from '../../../net/ranges.js'
import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import { some, type Fact } from './fact.js'

/** Ranges of pods that overlap, or that have addresses of Services or nodes. */
export function ranges(snapshot: Snapshot): Fact[] {
  const own = snapshot.model.cluster.nodes.flatMap((node) => podRanges(node).map((cidr) => ({ node, cidr })))
  return [...overlaps(own), ...otherAddresses(snapshot, own), ...closeSources(snapshot)]
}

interface Owned {
  readonly node: Node
  readonly cidr: string
}

function podRanges({ spec }: Node): string[] {
  const all = spec?.podCIDRs ?? (spec?.podCIDR === undefined ? [] : [spec.podCIDR])
  return all.filter((cidr) => parseRange(cidr) !== undefined)
}

function overlaps(own: readonly Owned[]): Fact[] {
  const sorted = own
    .map((one) => ({ ...one, range: rangeOf(one.cidr) }))
    .toSorted((a, b) => (a.range.first < b.range.first ? -1 : a.range.first > b.range.first ? 1 : 0))
  return sorted.flatMap((one, index) => {
    const next = sorted[index + 1]
    if (next === undefined || next.node === one.node || !overlap(one.range, next.range)) return []
    const [a, b] = [one.node.metadata.name, next.node.metadata.name]
    return [
      {
        code: 'ranges-overlap',
        says: `the ranges of pods of ${a} (${one.cidr}) and ${b} (${next.cidr}) overlap: routes to the pods of one lead to the other`,
        object: { kind: 'Node', name: b, field: 'spec.podCIDR' },
        fixes: [{ says: 'each node has its own range: the node is deleted and joins again' }],
      },
    ]
  })
}

/** Ranges are nested or disjoint. */
function overlap(a: AddressRange, b: AddressRange): boolean {
  return a.family === b.family && (holds(a, b.first) || holds(b, a.first))
}

function holds({ family, first, prefixLength }: AddressRange, number: bigint): boolean {
  const shift = BigInt((family === 'IPv4' ? 32 : 128) - prefixLength)
  return number >> shift === first >> shift
}

/** Cluster IPs and addresses of nodes in the ranges of pods. */
function otherAddresses({ model }: Snapshot, own: readonly Owned[]): Fact[] {
  const { services, nodes } = model.cluster
  const inside = (address: string) =>
    own.find(({ cidr }) => familyOf(cidr) === familyOf(address) && rangeContains(rangeOf(cidr), address))
  const ofServices = services.flatMap((service) =>
    clusterIPs(service).flatMap((address) => {
      const found = inside(address)
      return found === undefined ? [] : [{ service, address, found }]
    }),
  )
  const [first] = ofServices
  return [
    ...(first === undefined
      ? []
      : [
          {
            code: 'ranges-overlap',
            says: `the cluster IP ${first.address} of ${first.service.metadata.name}${ofServices.length > 1 ? ` (and of ${ofServices.length - 1} more Services)` : ''} is in ${first.found.cidr}, the range of pods of ${first.found.node.metadata.name}: the ranges of Services and pods overlap`,
            object: objectOf(first.service, 'spec.clusterIP'),
            fixes: [{ says: 'the ranges of Services and pods are different' }],
          } satisfies Fact,
        ]),
    ...nodes.flatMap((node) =>
      (node.status?.addresses ?? []).flatMap(({ type, address }): Fact[] => {
        const found =
          type === 'InternalIP' && parseRange(`${address}/32`) !== undefined ? inside(address) : undefined
        return found === undefined
          ? []
          : [
              {
                code: 'ranges-overlap',
                says: `the address ${address} of node ${node.metadata.name} is in ${found.cidr}, the range of pods of ${found.node.metadata.name}: the ranges of nodes and pods overlap`,
                object: { kind: 'Node', name: node.metadata.name, field: 'status.addresses' },
                fixes: [{ says: 'the ranges of pods and of the network of the nodes are different' }],
              },
            ]
      }),
    ),
  ]
}

/** Clients that loadBalancerSourceRanges leave out, and that are in the same /24 as one of the ranges, which is no single host: its length is possibly wrong. */
function closeSources({ basis, model }: Snapshot): Fact[] {
  if (basis === 'attached') return []
  return model.cluster.services.flatMap((service) => {
    const { loadBalancerSourceRanges: written = [] } = service.spec
    const allowed = written.flatMap((cidr) => parseRange(cidr.trim()) ?? [])
    const left = model.topology.clients.flatMap(({ name, addresses }) =>
      addresses.flatMap(({ family, address }) => {
        const own = allowed.filter((range) => range.family === family)
        const isClose = own.some(
          (range) =>
            family === 'IPv4' &&
            range.prefixLength > 24 &&
            range.prefixLength < 32 &&
            rangeContains(around(range), address),
        )
        return isClose && !own.some((range) => rangeContains(range, address)) ? [`${name} (${address})`] : []
      }),
    )
    if (left.length === 0) return []
    return [
      {
        code: 'source-range',
        says: `loadBalancerSourceRanges of Service ${namespacedName(service)} (${written.join(', ')}) leave out ${some(left)}, in the same network as one of the ranges: is its length right?`,
        object: objectOf(service, 'spec.loadBalancerSourceRanges'),
        note: true,
        fixes: [{ says: 'the ranges hold all clients that may call the load balancer' }],
      },
    ]
  })
}

/** The /24 around a smaller range of IPv4. */
function around({ family, first }: AddressRange): AddressRange {
  return { family, first: (first >> 8n) << 8n, prefixLength: 24 }
}

function clusterIPs({ spec }: Service): string[] {
  return (spec.clusterIPs ?? []).filter((address) => address !== 'None' && address !== '')
}

function objectOf({ kind, metadata }: Service, field: string) {
  return { kind, namespace: metadata.namespace ?? 'default', name: metadata.name, field }
}
