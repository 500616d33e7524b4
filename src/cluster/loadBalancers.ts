import { createHash } from 'node:crypto'
import { rangeContains, rangeOf } from '../net/ranges.js'
import { isNodeReady } from './nodeStatus.js'
import { familyOf, type IpFamily } from '../net/ipFamily.js'
import type { Cluster, Endpoint, EndpointSlice, LoadBalancer, Node, Service } from './types.js'

/** An address of a Service and the node that answers for it. */
export interface Announcement {
  readonly family: IpFamily
  readonly address: string
  readonly node: string
}

const excluded = 'node.kubernetes.io/exclude-from-external-load-balancers'

/** Whether a Service is one that the load balancer of the cluster looks after. */
export function isBalanced({ spec }: Service, balancer: LoadBalancer): boolean {
  return spec.type === 'LoadBalancer' && spec.loadBalancerClass === balancer.class
}

/** The addresses that a Service has of its load balancer. */
export function balancerAddresses({ status }: Service): string[] {
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? [])
}

/** The addresses of a Service that this load balancer looks after, and not another whose status was written by hand. */
export function ownAddresses(service: Service, balancer: LoadBalancer): Omit<Announcement, 'node'>[] {
  if (!isBalanced(service, balancer)) return []
  return balancerAddresses(service).flatMap((address) => {
    const family = familyOf(address)
    return rangeContains(rangeOf(balancer.ranges[family]), address) ? [{ family, address }] : []
  })
}

/**
 * Which node answers for which address, in layer-2 mode: of the nodes that may, the one whose name and the address have
 * the smallest hash. All speakers come to the same, and an address moves only when its node goes or a better one comes
 * (MetalLB, layer2_controller.go). Nobody answers for a Service without endpoints.
 */
export function announcements(cluster: Cluster): Announcement[] {
  const balancer = cluster.loadBalancer
  if (balancer?.mode !== 'layer2') return []
  const up = balancedNodes(cluster)
  return cluster.services.flatMap((service) => {
    const addresses = ownAddresses(service, balancer)
    if (addresses.length === 0) return []
    const endpoints = servingEndpoints(cluster.endpointSlices, service)
    const local = service.spec.externalTrafficPolicy === 'Local'
    const mayServe = ({ metadata }: Node) =>
      local ? endpoints.some(({ nodeName }) => nodeName === metadata.name) : endpoints.length > 0
    const candidates = up.filter(mayServe).map(({ metadata }) => metadata.name)
    return addresses.flatMap((one) => {
      const [node] = candidates.sort((a, b) => (hash(a, one.address) < hash(b, one.address) ? -1 : 1))
      return node === undefined ? [] : [{ ...one, node }]
    })
  })
}

/** The nodes to which load balancers send: those that are ready and not taken out by their label. */
export function balancedNodes({ nodes }: Cluster): Node[] {
  return nodes.filter((node) => isNodeReady(node) && node.metadata.labels?.[excluded] === undefined)
}

function servingEndpoints(slices: readonly EndpointSlice[], { metadata }: Service): Endpoint[] {
  return slices
    .filter(
      (slice) =>
        slice.metadata.namespace === metadata.namespace &&
        slice.metadata.labels?.['kubernetes.io/service-name'] === metadata.name,
    )
    .flatMap(({ endpoints }) => endpoints)
    .filter(({ conditions = {} }) => conditions.serving ?? conditions.ready !== false)
}

function hash(node: string, address: string): string {
  return createHash('sha256').update(`${node}#${address}`).digest('hex')
}
