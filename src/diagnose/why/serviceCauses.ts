import { namespacedName } from '../../cluster/namespacedName.js'
import { matchesLabels } from '../../cluster/selectors.js'
import { serviceEndpoints, slicesOf, type ServiceEndpoint } from '../../cluster/serviceEndpoints.js'
import type { DaemonSet, EndpointSlice, Node } from '../../cluster/types.js'
import { isReady, isTerminal } from '../../cluster/pods/podFacts.js'
import {
  labelProposal,
  missingLabels,
  patchProposal,
  requestProposal,
  serviceField,
  type Failure,
  type TargetPort,
} from './asked.js'
import { probeCauses } from './probeCauses.js'
import { selectorCauses } from './selectorCauses.js'
import { hasPort, slicePortCauses, targetPortCauses } from './targetPortCauses.js'
import type { Cause, Proposal } from './types.js'

/** Why the endpoints of a Service do not get the request. */
export function serviceCauses(failure: Failure, target: TargetPort): Cause[] {
  const { cluster } = failure.snapshot.model
  const { service } = target
  const { metadata, spec } = service
  const selector = spec.selector ?? {}
  const slices = slicesOf(cluster, metadata).filter(
    ({ addressType }) => (addressType ?? 'IPv4') === failure.packet.family,
  )
  const usable = (from: readonly EndpointSlice[]) => serviceEndpoints(from).some(isUsable)
  if (usable(slices.filter((slice) => hasPort(slice, target))))
    return [...rangeCauses(failure, target), ...policyCauses(failure, target)]
  // a slice that a controller wrote has the ports of the Service, where the pods have them
  if (usable(slices) && Object.keys(selector).length === 0) return slicePortCauses(failure, target, slices)
  if (Object.keys(selector).length === 0)
    return [
      {
        code: 'no-ready-endpoint',
        says: `Service ${namespacedName(service)} has no selector, and no EndpointSlice has a ready endpoint for it`,
        object: serviceField(service, 'spec.selector'),
        proposals: [],
      },
    ]
  const pods = cluster.pods.filter(
    (pod) =>
      (pod.metadata.namespace ?? 'default') === (metadata.namespace ?? 'default') &&
      matchesLabels(selector, pod.metadata.labels) &&
      !isTerminal(pod),
  )
  if (pods.length === 0)
    return failure.snapshot.hidden?.get(`Service ${namespacedName(service)}`)?.includes('pods') === true
      ? [unreadyCause(target, slices)]
      : selectorCauses(failure, target)
  return pods.some(isReady) ? targetPortCauses(failure, target) : probeCauses(failure, pods)
}

/** No endpoint is ready, and the pods that could say why are not attached. */
function unreadyCause({ service }: TargetPort, slices: readonly EndpointSlice[]): Cause {
  const addresses = serviceEndpoints(slices).flatMap((one) => one.addresses)
  const has =
    addresses.length === 0
      ? 'has no endpoints'
      : `has no ready endpoint: ${addresses.join(', ')} are not ready`
  return {
    code: 'no-ready-endpoint',
    says: `Service ${namespacedName(service)} ${has}; pods that its selector selects are not attached`,
    object: serviceField(service, 'spec.selector'),
    proposals: [],
  }
}

/** Whether kube-proxy sends to an endpoint: a terminating one only while there is no other. */
function isUsable({ ready, serving, terminating }: ServiceEndpoint): boolean {
  return ready || (serving && terminating)
}

/** loadBalancerSourceRanges without the caller. */
function rangeCauses(failure: Failure, { service }: TargetPort): Cause[] {
  const { loadBalancerSourceRanges: ranges = [] } = service.spec
  if (ranges.length === 0 || !/FIREWALL|firewall|OUT-FILTER/.test(failure.end.rule?.chain ?? '')) return []
  const address = callerAddress(failure)
  const field = serviceField(service, 'spec.loadBalancerSourceRanges')
  const all = [...ranges, `${address}/${address.includes(':') ? 128 : 32}`]
  return [
    {
      code: 'source-range',
      says: `${address} is in none of the ranges ${ranges.join(', ')}`,
      object: field,
      proposals: [
        patchProposal(
          failure,
          field,
          { spec: { loadBalancerSourceRanges: all } },
          `spec.loadBalancerSourceRanges also has ${all.at(-1)}`,
        ),
      ],
    },
  ]
}

/** The address that ranges are compared with: a node calls an address that is local to it from this address itself. */
function callerAddress({ packet: { source, family }, from, snapshot }: Failure): string {
  const { nodes } = snapshot.model.topology
  const own = nodes.find(({ netns }) => netns === from)?.addresses
  return own?.find((one) => one.family === family)?.address ?? source.address
}

/** A traffic policy Local on a node without an endpoint. */
export function policyCauses(failure: Failure, target: TargetPort): Cause[] {
  const { service, port } = target
  const { end, packet, snapshot } = failure
  const { address } = packet.destination
  const isInternal = service.spec.clusterIPs?.includes(address) === true
  const policy = isInternal ? 'internalTrafficPolicy' : 'externalTrafficPolicy'
  if (service.spec[policy] !== 'Local') return []
  // IPVS sends to other nodes, and does not masquerade: the answer takes another path
  const place = end.kind === 'misrouted' ? rewritingNode(failure) : end.place
  const node = snapshot.model.cluster.nodes.find(({ metadata }) => metadata.name === place)
  // IPVS rejects without a rule
  const isDecided = end.rule !== undefined || end.kind === 'rejected' || end.kind === 'misrouted'
  if (node === undefined || !isDecided) return []
  const field = serviceField(service, `spec.${policy}`)
  const others = serviceEndpoints(slicesOf(snapshot.model.cluster, service.metadata))
    .filter(isUsable)
    .map(({ name }) => name)
  const nodes = snapshot.model.topology.nodes.filter(({ name }) =>
    snapshot.model.cluster.pods.some(
      ({ metadata, spec }) => others.includes(metadata.name) && spec.nodeName === name,
    ),
  )
  if (nodes.some(({ name }) => name === place)) return []
  const elsewhere = nodes.flatMap(({ name, addresses }): Proposal[] => {
    const own = addresses.find(({ family }) => family === packet.family)?.address
    const usesNodePort = !isInternal && port.nodePort !== undefined && own !== undefined
    return usesNodePort
      ? [requestProposal(failure, own, port.nodePort ?? 0, `a node with a pod: ${name}`)]
      : []
  })
  const toCluster = patchProposal(
    failure,
    field,
    { spec: { [policy]: 'Cluster' } },
    `spec.${policy}: Local → Cluster${isInternal ? '' : ' (pods then see the node’s address)'}`,
  )
  return [
    {
      code: isInternal ? 'internal-policy-local' : 'external-policy-local',
      says: `spec.${policy} is Local, and no ready pod of the Service is on ${place}; there are pods on ${nodes.map(({ name }) => name).join(', ')}`,
      object: field,
      proposals: [...labelProposals(failure, target, node), ...elsewhere.slice(0, 1), toCluster],
    },
  ]
}

/** The node that rewrote the destination of the request. */
function rewritingNode({ path }: Failure): string | undefined {
  return path.hops.find(({ steps }) =>
    steps.some((step) => (step.kind === 'balance' || step.kind === 'nat') && step.side === 'destination'),
  )?.place
}

/** A DaemonSet whose nodeSelector leaves out the node. */
function labelProposals({ snapshot }: Failure, { service }: TargetPort, node: Node): Proposal[] {
  const { cluster } = snapshot.model
  return (cluster.daemonSets ?? [])
    .filter(({ metadata, spec }: DaemonSet) => {
      const isOwn = metadata.namespace === service.metadata.namespace
      return isOwn && matchesLabels(service.spec.selector ?? {}, spec.template.metadata?.labels)
    })
    .flatMap(({ metadata, spec }): Proposal[] => {
      const wanted = spec.template.spec.nodeSelector ?? {}
      const missing = missingLabels(node, wanted)
      return missing.length === 0
        ? []
        : [labelProposal(snapshot, node, missing, `the DaemonSet ${metadata.name}`)]
    })
}
