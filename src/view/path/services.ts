import { familyOf, type IpFamily } from '../../net/ipFamily.js'
import { tracedSocketText, type TracedSocket } from '../../snapshot/model/packet.js'
import type { ServiceView, TopologyView } from '../../results/events.js'
import type { FlowGraph } from './flowGraph.js'
import { titleOf } from './layout.js'

/** The Service that has an address and port: a cluster IP, an external one, or a node port on a node. */
export function serviceOf(
  { address, port }: TracedSocket,
  { nodes, services }: TopologyView,
): ServiceView | undefined {
  const isNode = nodes.some((node) => node.addresses.includes(address))
  return services.find(({ clusterIPs, externalIPs, ports }) =>
    ports.some((one) =>
      isNode
        ? one.nodePort !== undefined && one.nodePort === port?.first
        : [...clusterIPs, ...externalIPs].includes(address) && one.port === port?.first,
    ),
  )
}

/** How many addresses of a family are behind a Service, whatever their ports. */
export function endpointsOf({ endpoints }: ServiceView, family: IpFamily): number {
  return new Set(endpoints.map(addressOf).filter((address) => familyOf(address) === family)).size
}

/** The address of `address:port`, where an address of IPv6 is in brackets. */
function addressOf(endpoint: string): string {
  return endpoint.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([^:]*):\d+$/, '$1')
}

/** The name of the node, client or pod that has an address. */
export function hostOf(address: string, { nodes, clients, pods }: TopologyView): string | undefined {
  const pod = pods.find(({ addresses }) => addresses.includes(address))
  const host = [...nodes, ...clients].find(({ addresses }) => addresses.includes(address))
  return host?.name ?? (pod && titleOf(pod))
}

/** An address and port, with the name of the host instead of the address where one has it. */
export function namedSocket(socket: TracedSocket, view: TopologyView): string {
  const text = tracedSocketText(socket)
  const name = hostOf(socket.address, view)
  if (name === undefined) return text
  return socket.port === undefined ? name : `${name}${text.slice(text.lastIndexOf(':'))}`
}

/** The Services whose address a request had where a host rewrote its destination: by host, `namespace/name`, or only the name in default. */
export function decidedOn(
  { visits }: Pick<FlowGraph, 'visits'>,
  view: TopologyView,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const { place, direction, rewrites } of visits) {
    const [service] = rewrites.flatMap(({ side, from }) =>
      side === 'destination' && direction === 'request' ? (serviceOf(from, view) ?? []) : [],
    )
    if (service !== undefined) found.set(place, [...new Set([...(found.get(place) ?? []), titleOf(service)])])
  }
  return found
}
