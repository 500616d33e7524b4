import { createHash } from 'node:crypto'
import { rangeContains, rangeOf } from '../net/ranges.js'
import { isNodeReady } from './nodeStatus.js'
import { familyOf, type IpFamily } from '../net/ipFamily.js'
import type { Cluster, Endpoint, EndpointSlice, LoadBalancer, Node, Service } from './types.js'

/** An address of a Service and the node that announces it. */
export interface Announcement {
  readonly family: IpFamily
  readonly address: string
  readonly node: string
}

/** A node with this label gets nothing from load balancers. */
export const excluded = 'node.kubernetes.io/exclude-from-external-load-balancers'

/** Whether the cluster's load balancer serves a Service. */
export function isBalanced({ spec }: Service, balancer: LoadBalancer): boolean {
  return spec.type === 'LoadBalancer' && spec.loadBalancerClass === balancer.class
}

/** The addresses in the load-balancer status of a Service. */
export function balancerAddresses({ status }: Service): string[] {
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? [])
}

/** The addresses of a Service that this load balancer serves; not of one whose status was written by hand. */
export function ownAddresses(service: Service, balancer: LoadBalancer): Omit<Announcement, 'node'>[] {
  if (!isBalanced(service, balancer)) return []
  return balancerAddresses(service).flatMap((address) => {
    const family = familyOf(address)
    return rangeContains(rangeOf(balancer.ranges[family]), address) ? [{ family, address }] : []
  })
}

/**
 * Which node announces which address, in layer-2 mode: the eligible node with the smallest hash of its name and the
 * address. All speakers choose the same node, and an address moves only when its node is removed or a better one is
 * added (MetalLB, layer2_controller.go). No node announces a Service without endpoints.
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
    const isEligible = ({ metadata }: Node) =>
      local ? endpoints.some(({ nodeName }) => nodeName === metadata.name) : endpoints.length > 0
    const candidates = up.filter(isEligible).map(({ metadata }) => metadata.name)
    return addresses.flatMap((one) => {
      const [node] = candidates.sort((a, b) => (hash(a, one.address) < hash(b, one.address) ? -1 : 1))
      return node === undefined ? [] : [{ ...one, node }]
    })
  })
}

/** The nodes to which load balancers send: ready nodes that are not excluded by label. */
export function balancedNodes({ nodes }: Cluster): Node[] {
  return nodes.filter((node) => isNodeReady(node) && node.metadata.labels?.[excluded] === undefined)
}

/** The endpoints of a Service to which load balancers send. */
export function servingEndpoints(slices: readonly EndpointSlice[], { metadata }: Service): Endpoint[] {
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

/** Whether a Service has an address that a node has to answer for. */
export function isAnnounced({ loadBalancer, services }: Cluster): boolean {
  return (
    loadBalancer?.mode === 'layer2' &&
    services.some((service) => ownAddresses(service, loadBalancer).length > 0)
  )
}
