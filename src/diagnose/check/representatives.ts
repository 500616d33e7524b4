import { namespacedName } from '../../cluster/namespacedName.js'
import { isHeadless, serviceAddresses } from '../../cluster/serviceType.js'
import { serviceEndpoints, slicesOf } from '../../cluster/serviceEndpoints.js'
import { familyOf } from '../../net/ipFamily.js'
import { addressFamily } from '../../net/ranges.js'
import { joinHostPort } from '../../net/socketText.js'
import { handlesService } from '../../agents/kubeProxy/servicePort.js'
import type { EndpointSlice, Service } from '../../cluster/types.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { outsideName } from '../../snapshot/model/snapshot.js'
import type { NodePlace, PodPlace } from '../../topology/types.js'
import { serviceTargets, type Target } from '../reach/targets.js'
import type { WrittenRequest } from '../writtenRequest.js'
import { some } from './facts/fact.js'

/** A request that represents others: from each kind of sender to each port of a Service, and from pods to pods of other nodes. */
export interface Representative {
  /** `pod default/toolbox → 10.43.216.238:80 (Service default/storefront)` */
  readonly says: string
  /** `namespace/name`; undefined for a request to a pod. */
  readonly service?: string | undefined
  /** The node whose rules decide: that of the sender, or the one that is called from outside. */
  readonly node: string
  readonly written: WrittenRequest
}

/** In large clusters, senders are taken of this many nodes. */
const mostNodes = 8
/** With more requests, each Service is called from fewer of them, in turns. */
const mostRequests = 8_000

/** The requests that `check` predicts, and which nodes and clients send none. */
export interface Representatives {
  readonly requests: readonly Representative[]
  readonly notices: readonly string[]
}

/** The requests that `check` predicts. */
export function representatives(snapshot: Snapshot): Representatives {
  const { model, state, hidden } = snapshot
  const { cluster, topology } = model
  const isRead = ({ netns }: NodePlace) => state.rules.has(netns) || state.nft.has(netns)
  const nodes = topology.nodes.toSorted((a, b) => Number(isRead(b)) - Number(isRead(a))).slice(0, mostNodes)
  const each = Math.max(1, Math.min(nodes.length, Math.floor(mostRequests / (2 * cluster.services.length))))
  const inTurn = (index: number) =>
    each === nodes.length ? nodes : [...nodes, ...nodes].slice(index % nodes.length).slice(0, each)
  const outside = topology.clients.find(({ name }) => name === outsideName) ?? topology.clients[0]
  const client = outside && {
    label: `outside ${outside.addresses[0]?.address ?? ''}`,
    from: `client/${outside.name}`,
  }
  const toServices = cluster.services.flatMap((service, index) => {
    const own = inTurn(index)
    if (isHeadless(service) || !handlesService(service)) return []
    if (hidden?.get(`Service ${namespacedName(service)}`)?.includes('endpoints') === true) return []
    const slices = slicesOf(cluster, service.metadata)
    const endpoints = new Set(serviceEndpoints(slices).flatMap(({ addresses }) => addresses))
    const senders = own.flatMap((node) => [
      ...podOn(node, topology.pods, endpoints),
      ...(node.addresses.length === 0
        ? []
        : [{ label: `node ${node.name}`, from: `node/${node.name}`, node: node.name }]),
    ])
    const called = own.filter((node) => isCalled(service, node, slices))
    const request = (
      sender: Sender,
      { address, number = 0, protocol }: Target,
      what: string,
    ): Representative => ({
      says: `${sender.label} → ${joinHostPort(address, number)} (${what} ${namespacedName(service)})`,
      service: namespacedName(service),
      node: sender.node,
      written: { from: sender.from, to: joinHostPort(address, number), protocol },
    })
    return serviceTargets(service, called).flatMap((target) => {
      const { kind, protocol, address, node } = target
      if (protocol === 'sctp') return []
      const clusterIP = service.spec.clusterIPs?.[0] ?? service.spec.clusterIP ?? ''
      if (kind === 'cluster IP' && address === clusterIP)
        return senders.map((sender) => request(sender, target, 'Service'))
      const addresses = called.find(({ name }) => name === node)?.addresses ?? []
      const isFirst = addresses.find(({ family }) => family === familyOf(clusterIP))?.address === address
      if (kind !== 'node port' || !isFirst || client === undefined || node === undefined) return []
      return [request({ ...client, node }, target, 'node port of Service')]
    })
  })
  const others = topology.clients.flatMap((client) => (client === outside ? [] : [client.name]))
  return {
    requests: [...toServices, ...betweenPods(nodes, topology.pods), ...alongRoutes(snapshot)],
    notices: [
      ...(each === topology.nodes.length || nodes.length === 0
        ? []
        : [
            `each Service is asked from ${each} of ${topology.nodes.length} nodes${each === nodes.length ? '' : ', in turns'}`,
          ]),
      ...(outside === undefined ||
      others.length === 0 ||
      !toServices.some(({ written: { from } }) => from === client?.from)
        ? []
        : [`node ports are called by client ${outside.name}, and not by ${some(others)}`]),
    ],
  }
}

/** Along the routes of hosts outside of the cluster that lead to one address through a node, and that no Service explains. */
function alongRoutes({ basis, model, state }: Snapshot): Representative[] {
  if (basis === 'attached') return []
  const { cluster, topology } = model
  const known = new Set([
    ...topology.places.flatMap(({ addresses }) => addresses.map(({ address }) => address)),
    ...cluster.services.flatMap(serviceAddresses),
  ])
  return topology.clients.flatMap(({ name, netns }) =>
    state.network.routes.flatMap(({ netns: own, to, via }): Representative[] => {
      const node = topology.nodes.find(({ addresses }) => addresses.some(({ address }) => address === via))
      const address = to.replace(/\/(32|128)$/, '')
      if (own !== netns || node === undefined || addressFamily(address) === undefined || known.has(address))
        return []
      const written = { from: `client/${name}`, to: address, protocol: 'icmp' as const }
      return [
        { says: `client ${name} → ${address} (its route through ${node.name})`, node: node.name, written },
      ]
    }),
  )
}

/** From a pod of each node to one of each other node: what Services need below them. */
function betweenPods(nodes: readonly NodePlace[], pods: readonly PodPlace[]): Representative[] {
  const none = new Set<string>()
  return nodes.flatMap((from) =>
    nodes.flatMap((to) => {
      const [sender] = from === to ? [] : podOn(from, pods, none)
      const receiver = pods.find((pod) => pod.node === to.name && pod.addresses.length > 0)
      const address = receiver?.addresses[0]?.address
      if (sender === undefined || receiver === undefined || address === undefined) return []
      return [
        {
          says: `${sender.label} → ${address} (ping pod ${podName(receiver)} on ${to.name})`,
          node: from.name,
          written: { from: sender.from, to: address, protocol: 'icmp' as const },
        },
      ]
    }),
  )
}

/** A load balancer does not call nodes without an endpoint of a Service with policy Local: their health checks fail. */
function isCalled({ spec }: Service, node: NodePlace, slices: readonly EndpointSlice[]): boolean {
  if (spec.type !== 'LoadBalancer' || spec.externalTrafficPolicy !== 'Local') return true
  return slices.some(({ endpoints }) => endpoints.some(({ nodeName }) => nodeName === node.name))
}

interface Sender {
  readonly label: string
  readonly from: string
  /** The node that it is on, or that it calls. */
  readonly node: string
}

/** A pod that is no endpoint itself: it would need hairpin. */
function podOn(node: NodePlace, pods: readonly PodPlace[], endpoints: ReadonlySet<string>): Sender[] {
  const found = pods.find(
    (pod) =>
      pod.node === node.name &&
      pod.addresses.length > 0 &&
      !pod.addresses.some(({ address }) => endpoints.has(address)),
  )
  if (found === undefined) return []
  const name = podName(found)
  return [{ label: `pod ${name} on ${node.name}`, from: `pod/${name}`, node: node.name }]
}

function podName({ namespace = 'default', name }: PodPlace): string {
  return `${namespace}/${name}`
}
