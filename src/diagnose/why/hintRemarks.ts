import { endpointsMap, servicePortKey } from '../../agents/kubeProxy/endpoints.js'
import { servicePortOptions, servicePorts } from '../../agents/kubeProxy/servicePort.js'
import { availableInMode, topologyMode, type Place } from '../../agents/kubeProxy/topologyMode.js'
import { has } from '../../agents/kubeProxy/versions/features.js'
import { requestsZoneHints } from '../../cluster/controllers/hints.js'
import { zoneShares } from '../../cluster/controllers/zoneHints.js'
import { namespacedName } from '../../cluster/namespacedName.js'
import { zoneLabel } from '../../cluster/nodes.js'
import { slicesOf } from '../../cluster/serviceEndpoints.js'
import type { Node } from '../../cluster/types.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { serviceField, type TargetPort } from './asked.js'
import type { Remark } from './types.js'

/** A port of a Service, and how it is called. */
export interface CalledPort {
  readonly target: TargetPort
  readonly family: IpFamily
  /** The address that is called. */
  readonly address: string
  /** The namespace of the host that sends the request to an endpoint. */
  readonly place: string
}

/** What hints of EndpointSlices mean on the node that decides: whether they select endpoints there, or why not. */
export function hintRemarks(snapshot: Snapshot, called: CalledPort): Remark[] {
  const { cluster, topology, kubeProxy } = snapshot.model
  const { service, port, index } = called.target
  const name = topology.nodes.find(({ netns }) => netns === called.place)?.name
  const node = cluster.nodes.find(({ metadata }) => metadata.name === name)
  if (kubeProxy.kind === 'none' || node === undefined || isLocal(called)) return []
  const { metadata, spec } = service
  const slices = slicesOf(cluster, metadata)
  const hasHints = slices.some(({ endpoints }) => endpoints.some(({ hints }) => hints !== undefined))
  if (!hasHints && spec.trafficDistribution === undefined && !requestsZoneHints(service)) return []
  const place = { nodeName: node.metadata.name, zone: node.metadata.labels?.[zoneLabel] ?? '' }
  const key = servicePortKey(
    metadata.namespace ?? 'default',
    metadata.name,
    port.name ?? '',
    port.protocol ?? 'TCP',
  )
  const endpoints = endpointsMap(slices, called.family, place.nodeName).get(key) ?? []
  const ready = endpoints.filter((endpoint) => endpoint.ready)
  // with one endpoint hints decide nothing
  if (ready.length < 2) return []
  const object = serviceField(service)
  const { config } = kubeProxy
  const own = servicePorts(service, called.family, servicePortOptions(config))[index]
  const none = (why: string): Remark[] => [
    {
      says: `topology hints select no endpoints of Service ${namespacedName(service)} on ${name}: ${why}`,
      object,
    },
  ]
  if (own === undefined) return []
  if (!own.usesHints)
    return none('before 1.31 kube-proxy uses them only if an annotation of the Service asks for it')
  const mode = topologyMode(ready, place, has(config.version, 'nodeHints'))
  if (mode !== 'none') {
    const used = ready.filter((endpoint) => availableInMode(endpoint, mode, place))
    const where = mode === 'sameNode' ? name : `zone ${place.zone}`
    const says = `topology hints leave ${used.length} of ${ready.length} ready endpoints of Service ${namespacedName(service)} on ${name}: those for ${where}`
    return used.length < ready.length ? [{ says, object }] : []
  }
  const without = ready.filter(({ zoneHints }) => zoneHints.length === 0).length
  if (without > 0)
    return none(`${without} of ${ready.length} ready endpoints have none${controllerText(snapshot, called)}`)
  return none(zoneText(node, place))
}

/** Whether a traffic policy Local applies to the request: hints do not. */
function isLocal({ target: { service }, address }: CalledPort): boolean {
  const { clusterIPs = [], internalTrafficPolicy, externalTrafficPolicy } = service.spec
  return (clusterIPs.includes(address) ? internalTrafficPolicy : externalTrafficPolicy) === 'Local'
}

function zoneText({ metadata: { name } }: Node, { zone }: Place): string {
  return zone === '' ? `${name} has no label ${zoneLabel}` : `none is for zone ${zone} of ${name}`
}

/** Why the controller of EndpointSlices gives no hints: by its Event, or by what it needs; empty if that is not known. */
function controllerText({ model: { cluster }, basis }: Snapshot, { target, family }: CalledPort): string {
  const { service } = target
  const { name, namespace = 'default' } = service.metadata
  const event = cluster.events?.events.findLast(
    ({ reason, involvedObject: about }) =>
      reason === 'TopologyAwareHintsDisabled' &&
      about.kind === 'Service' &&
      about.name === name &&
      (about.namespace ?? 'default') === namespace,
  )
  if (event !== undefined) return `; the Event says “${event.message}”`
  if (basis === 'attached') return ''
  const endpoints = slicesOf(cluster, service.metadata)
    .filter(({ addressType }) => addressType === family)
    .flatMap((slice) => slice.endpoints.filter(({ conditions }) => conditions?.ready !== false))
  if (endpoints.some(({ zone = '' }) => zone === ''))
    return `; an endpoint is on a node without the label ${zoneLabel}`
  if (!requestsZoneHints(service)) return ''
  const shares = zoneShares(cluster.nodes)
  if (shares === undefined)
    return '; the controller needs two zones, and a zone and an allocatable CPU of each ready node'
  return `; the controller cannot share ${endpoints.length} endpoints among ${shares.size} zones by the CPU of their nodes`
}
