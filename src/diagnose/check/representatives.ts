import { namespacedName } from '../../cluster/namespacedName.js'
import { isHeadless } from '../../cluster/serviceType.js'
import { serviceEndpoints, slicesOf } from '../../cluster/serviceEndpoints.js'
import { joinHostPort } from '../../net/socketText.js'
import { handlesService } from '../../agents/kubeProxy/servicePort.js'
import type { EndpointSlice, Service } from '../../cluster/types.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { outsideName } from '../../snapshot/model/snapshot.js'
import type { NodePlace, Place } from '../../topology/types.js'
import type { WrittenRequest } from '../writtenRequest.js'

/** A request that stands for others: from each kind of sender to each port of a Service. */
export interface Representative {
  /** `pod default/toolbox → 10.43.216.238:80 (Service default/storefront)` */
  readonly says: string
  /** `namespace/name` */
  readonly service: string
  readonly written: WrittenRequest
}

/** In large clusters, senders are taken of this many nodes. */
const mostNodes = 8

/** The requests that `check` predicts. */
export function representatives({ model, state, hidden }: Snapshot): Representative[] {
  const { cluster, topology } = model
  const isRead = ({ netns }: NodePlace) => state.rules.has(netns) || state.nft.has(netns)
  const nodes = topology.nodes.toSorted((a, b) => Number(isRead(b)) - Number(isRead(a))).slice(0, mostNodes)
  const outside = topology.clients.find(({ name }) => name === outsideName) ?? topology.clients[0]
  return cluster.services.flatMap((service) => {
    if (isHeadless(service) || !handlesService(service)) return []
    if (hidden?.get(`Service ${namespacedName(service)}`)?.includes('endpoints') === true) return []
    const slices = slicesOf(cluster, service.metadata)
    const own = new Set(serviceEndpoints(slices).flatMap(({ addresses }) => addresses))
    const senders = nodes.flatMap((node) => [
      ...podOn(node, topology.pods, own),
      ...(node.addresses.length === 0 ? [] : [{ label: `node ${node.name}`, from: `node/${node.name}` }]),
    ])
    return (service.spec.ports ?? []).flatMap((port) => {
      const { protocol = 'TCP', nodePort = 0 } = port
      if (protocol === 'SCTP') return []
      const request = (sender: Sender, address: string, number: number, what: string): Representative => ({
        says: `${sender.label} → ${joinHostPort(address, number)} (${what} ${namespacedName(service)})`,
        service: namespacedName(service),
        written: {
          from: sender.from,
          to: joinHostPort(address, number),
          protocol: protocol === 'UDP' ? 'udp' : 'tcp',
        },
      })
      return [
        ...clusterIPs(service).flatMap((address) =>
          senders.map((sender) => request(sender, address, port.port, 'Service')),
        ),
        ...(outside === undefined || nodePort === 0
          ? []
          : nodes
              .filter((node) => isCalled(service, node, slices))
              .flatMap(({ addresses }) =>
                addresses.slice(0, 1).map(({ address }) =>
                  request(
                    {
                      label: `outside ${outside.addresses[0]?.address ?? ''}`,
                      from: `client/${outside.name}`,
                    },
                    address,
                    nodePort,
                    'node port of Service',
                  ),
                ),
              )),
      ]
    })
  })
}

/** A load balancer does not call nodes without an endpoint of a Service with policy Local: their health checks fail. */
function isCalled({ spec }: Service, node: NodePlace, slices: readonly EndpointSlice[]): boolean {
  if (spec.type !== 'LoadBalancer' || spec.externalTrafficPolicy !== 'Local') return true
  return slices.some(({ endpoints }) => endpoints.some(({ nodeName }) => nodeName === node.name))
}

interface Sender {
  readonly label: string
  readonly from: string
}

function clusterIPs({ spec }: Service): string[] {
  return (spec.clusterIPs ?? []).filter((address) => address !== 'None' && address !== '').slice(0, 1)
}

/** A pod that is no endpoint itself: it would need hairpin. */
function podOn(
  node: NodePlace,
  pods: readonly (Place & { readonly node: string })[],
  endpoints: ReadonlySet<string>,
): Sender[] {
  const found = pods.find(
    (pod) =>
      pod.node === node.name &&
      pod.addresses.length > 0 &&
      !pod.addresses.some(({ address }) => endpoints.has(address)),
  )
  if (found === undefined) return []
  const name = `${found.namespace ?? 'default'}/${found.name}`
  return [{ label: `pod ${name} on ${node.name}`, from: `pod/${name}` }]
}
