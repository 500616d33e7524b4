import { hostText } from '../net/hostText.js'
import { joinHostPort } from '../net/socketText.js'
import type { NodeView, PodView, ServiceView, TopologyView } from '../results/events.js'
import type { AddressRanges } from '../net/addressRanges.js'
import { addressFamily } from '../net/ranges.js'
import { announcements, type Announcement } from './loadBalancers.js'
import { nodeAddresses, zoneLabel } from './nodes.js'
import { podAddresses } from './pods/podFacts.js'
import type { IpFamily } from '../net/ipFamily.js'
import type { Cluster, EndpointSlice, Service } from './types.js'

const serviceLabel = 'kubernetes.io/service-name'

/** The topology for reporters: the cluster and its clients, in the order of the files. */
export function topologyView(
  cluster: Cluster,
  clients: readonly { readonly name: string; readonly addresses: readonly string[] }[],
  ranges: AddressRanges,
): TopologyView {
  const slices = slicesByService(cluster.endpointSlices)
  const announced = announcements(cluster)
  const families = new Set(cluster.nodes.flatMap(nodeAddresses).map(addressFamily))
  return {
    fabric: (['IPv4', 'IPv6'] as const satisfies readonly IpFamily[])
      .filter((family) => families.has(family))
      .map((family) => ranges.fabric[family]),
    nodes: cluster.nodes.map((node): NodeView => {
      const zone = node.metadata.labels?.[zoneLabel]
      return {
        name: node.metadata.name,
        addresses: nodeAddresses(node),
        podCIDRs: node.spec?.podCIDRs ?? [],
        ...(zone === undefined ? {} : { zone }),
        ...(hasReady(node) ? {} : { notReady: true }),
      }
    }),
    clients: clients.map(({ name, addresses }) => ({ name, addresses })),
    pods: cluster.pods.map((pod): PodView => ({
      name: pod.metadata.name,
      namespace: pod.metadata.namespace ?? 'default',
      node: pod.spec.nodeName ?? '',
      addresses: podAddresses(pod),
      labels: pod.metadata.labels ?? {},
      ...(hasReady(pod) ? {} : { notReady: true }),
    })),
    services: cluster.services.map((service) => serviceView(service, slices, announced)),
  }
}

/** Whether nothing says that an object is not ready: before a lab starts, objects have no conditions. */
function hasReady({
  status,
}: {
  readonly status?: { readonly conditions?: readonly { type: string; status: string }[] }
}): boolean {
  return (status?.conditions ?? []).every((one) => one.type !== 'Ready' || one.status === 'True')
}

function serviceView(
  service: Service,
  slices: ReadonlyMap<string, readonly EndpointSlice[]>,
  announced: readonly Announcement[],
): ServiceView {
  const { metadata, spec, status } = service
  const ingress = (status?.loadBalancer?.ingress ?? []).flatMap((item) => item.ip ?? item.hostname ?? [])
  const announcedBy = announced
    .filter(({ address }) => ingress.includes(address))
    .map(({ address, node }) => ({ address, node }))
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? 'default',
    type: spec.type ?? 'ClusterIP',
    clusterIPs: spec.clusterIPs ?? [],
    externalIPs: [...(spec.externalIPs ?? []), ...ingress],
    ...(announcedBy.length === 0 ? {} : { announcedBy }),
    ports: (spec.ports ?? []).map((port) => ({
      protocol: port.protocol ?? 'TCP',
      port: port.port,
      targetPort: port.targetPort ?? port.port,
      ...(port.name === undefined || port.name === '' ? {} : { name: port.name }),
      ...(port.nodePort === undefined || port.nodePort === 0 ? {} : { nodePort: port.nodePort }),
    })),
    endpoints: readyEndpoints(slices.get(`${metadata.namespace}/${metadata.name}`) ?? []),
  }
}

function readyEndpoints(slices: readonly EndpointSlice[]): string[] {
  const endpoints = slices.flatMap((slice) =>
    slice.endpoints
      // Absent means ready (EndpointConditions).
      .filter((endpoint) => endpoint.conditions?.ready !== false)
      .flatMap((endpoint) => endpoint.addresses)
      .flatMap((address) =>
        (slice.ports ?? []).map((port) =>
          port.port === undefined ? hostText(address) : joinHostPort(address, port.port),
        ),
      ),
  )
  return [...new Set(endpoints)]
}

function slicesByService(slices: readonly EndpointSlice[]): Map<string, EndpointSlice[]> {
  const groups = new Map<string, EndpointSlice[]>()
  for (const slice of slices) {
    const key = `${slice.metadata.namespace}/${slice.metadata.labels?.[serviceLabel] ?? ''}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [slice])
    else group.push(slice)
  }
  return groups
}
