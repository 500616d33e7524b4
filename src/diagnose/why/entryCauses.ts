import { namespacedName } from '../../cluster/namespacedName.js'
import {
  announcements,
  balancerAddresses,
  excluded,
  ownAddresses,
  servingEndpoints,
} from '../../cluster/loadBalancers.js'
import type { Cluster, Service } from '../../cluster/types.js'
import { rangeContains, rangeOf } from '../../net/ranges.js'
import { nearestName } from '../../text/nearestName.js'
import { balancerName, proxyProtocolAnnotation, sendsProxyHeader } from '../../topology/proxyBalancer.js'
import { afterCommand } from '../../trace/change/hostCommand.js'
import {
  allPorts,
  fieldProposal,
  hostProposal,
  patchProposal,
  requestProposal,
  serviceField,
  type Failure,
  type TargetPort,
} from './asked.js'
import { requestCauses } from './requestCauses.js'
import { serviceCauses } from './serviceCauses.js'
import type { Cause } from './types.js'

/** Why nothing answers at an address by which clients outside enter: that of a load balancer, or an external IP. */
export function entryCauses(failure: Failure): Cause[] {
  const { end, packet, snapshot } = failure
  const { address } = packet.destination
  if (end.missing?.kind !== 'neighbour' && end.kind !== 'unroutable') return []
  if (end.missing?.kind === 'neighbour' && end.missing.address !== address) return []
  const { cluster } = snapshot.model
  const service = cluster.services.find((one) => balancerAddresses(one).includes(address))
  // the rules of the node that announces it leave out the request
  if (snapshot.state.announced.some((one) => one.address === address)) return []
  if (service !== undefined) return unannounced(failure, service)
  const external = cluster.services.find(({ spec }) => spec.externalIPs?.includes(address))
  if (external !== undefined) return unrouted(failure, external)
  const pool = cluster.loadBalancer?.ranges[packet.family]
  if (pool === undefined || !rangeContains(rangeOf(pool), address)) return []
  const known = cluster.services.flatMap((one) =>
    balancerAddresses(one).map((own) => ({ own, service: one })),
  )
  const near = nearestName(
    address,
    known.map(({ own }) => own),
  )
  const found = known.find(({ own }) => own === near)
  const more = found === undefined ? '' : `; Service ${namespacedName(found.service)} has ${found.own}`
  return [
    {
      code: 'load-balancer-address-absent',
      says: `${address} is in the pool of the load balancer, and no Service has it${more}`,
      object: found && serviceField(found.service, 'status.loadBalancer'),
      proposals:
        found === undefined || packet.destination.port === undefined
          ? []
          : [
              requestProposal(
                failure,
                found.own,
                packet.destination.port.first,
                `the address of Service ${namespacedName(found.service)}`,
              ),
            ],
    },
  ]
}

/** A layer-2 load balancer announces an address from a node with an endpoint; without one, no host answers for it. */
function unannounced(failure: Failure, service: Service): Cause[] {
  const { address, port } = failure.packet.destination
  const { cluster } = failure.snapshot.model
  const why = whyUnannounced(cluster, service, address)
  // who announces an address of a cluster that was attached is not known
  if (why === undefined && failure.snapshot.basis === 'attached') return []
  const cause: Cause = {
    code: 'load-balancer-unannounced',
    says: `${address} is the address of the load balancer for Service ${namespacedName(service)}, and no node announces it${why === undefined ? '' : `: ${why}`}`,
    object: serviceField(service, 'status.loadBalancer'),
    proposals: [],
  }
  const own = allPorts(failure).filter((one) => one.service === service)
  const target = own.find((one) => one.port.port === port?.first)
  if (target !== undefined) return [cause, ...serviceCauses(failure, target)]
  return [cause, ...requestCauses(failure)]
}

function whyUnannounced(cluster: Cluster, service: Service, address: string): string | undefined {
  const isLocal = service.spec.externalTrafficPolicy === 'Local'
  const endpoints = servingEndpoints(cluster.endpointSlices, service)
  if (isLocal && endpoints.every(({ nodeName }) => nodeName === undefined))
    return 'no node has a ready endpoint of it (externalTrafficPolicy Local)'
  if (endpoints.length === 0) return 'it has no ready endpoint'
  const isMeant = announcements(cluster).some((one) => one.address === address)
  const { loadBalancer } = cluster
  const isOwn = loadBalancer !== undefined && ownAddresses(service, loadBalancer).length > 0
  return isMeant || !isOwn ? undefined : `each node that could is not ready, or has the label ${excluded}`
}

/** An external IP belongs to no host: a router must send packets for it to a node. */
function unrouted(failure: Failure, service: Service): Cause[] {
  const { from: place, packet, snapshot } = failure
  const { address } = packet.destination
  const node = snapshot.model.topology.nodes
    .flatMap(({ addresses }) => addresses)
    .find(({ family }) => family === packet.family)?.address
  const argv = ['ip', ...(address.includes(':') ? ['-6'] : []), 'route', 'add', address, 'via', node ?? '']
  return [
    {
      code: 'external-ip-unrouted',
      says: `${address} is an external IP of Service ${namespacedName(service)}: no host has it, and no route of ${place} leads it to a node, whose rules translate it`,
      object: serviceField(service, 'spec.externalIPs'),
      proposals:
        node === undefined
          ? []
          : [
              hostProposal(
                failure,
                place,
                argv.join(' '),
                `a route on ${place} to ${address} through ${node}`,
                (state) => afterCommand(state, { place, argv }) ?? state,
              ),
            ],
    },
  ]
}

/** A node port of a Service that has no addresses of the called family. */
export function familyCauses(failure: Failure): Cause[] {
  const { packet, snapshot } = failure
  const { address, port } = packet.destination
  const isNode = snapshot.model.topology.nodes.some(({ addresses }) =>
    addresses.some((own) => own.address === address),
  )
  const target = allPorts(failure).find(
    (one) =>
      one.port.nodePort === port?.first &&
      (one.port.protocol ?? 'TCP').toLowerCase() === packet.protocol &&
      !(one.service.spec.ipFamilies ?? ['IPv4']).includes(packet.family),
  )
  if (!isNode || target === undefined) return []
  const { service } = target
  const { ipFamilies = ['IPv4'], ipFamilyPolicy = 'SingleStack' } = service.spec
  const field = serviceField(service, 'spec.ipFamilyPolicy')
  return [
    {
      code: 'service-family-absent',
      says: `${port?.first} is the node port of Service ${namespacedName(service)} for ${ipFamilies.join(', ')} only (ipFamilyPolicy ${ipFamilyPolicy}), and the request uses ${packet.family}`,
      object: field,
      proposals: [
        patchProposal(
          failure,
          field,
          { spec: { ipFamilyPolicy: 'PreferDualStack' } },
          `spec.ipFamilyPolicy: ${ipFamilyPolicy} → PreferDualStack`,
        ),
        ...otherFamily(failure, target),
      ],
    },
  ]
}

/** The node port on the node's address of the Service's family. */
function otherFamily(failure: Failure, { service, port }: TargetPort) {
  const { address } = failure.packet.destination
  const node = failure.snapshot.model.topology.nodes.find(({ addresses }) =>
    addresses.some((own) => own.address === address),
  )
  const own = node?.addresses.find(({ family }) => service.spec.ipFamilies?.includes(family))
  return own === undefined || port.nodePort === undefined
    ? []
    : [
        requestProposal(
          failure,
          own.address,
          port.nodePort,
          `the node port of Service ${namespacedName(service)}`,
        ),
      ]
}

/** A header of the PROXY protocol that one side sends and the other does not expect. */
export function proxyHeaderCauses(failure: Failure): Cause[] {
  const { end, path, snapshot, packet } = failure
  const { cluster, lab, topology } = snapshot.model
  const pod = topology.pods.find(({ netns }) => netns === end.place)
  const spec = lab.ingress.find(({ name }) => name === pod?.namespace)
  if (spec === undefined) return []
  const service = cluster.services.find(
    ({ metadata }) =>
      metadata.namespace === spec.name && metadata.labels?.['app.kubernetes.io/name'] === spec.name,
  )
  if (service === undefined) return []
  const name = namespacedName(service)
  const key = ['metadata', 'annotations', proxyProtocolAnnotation.replaceAll('/', '~1')]
  const object = serviceField(service, `metadata.annotations.${proxyProtocolAnnotation}`)
  if (end.http?.status === 400 && packet.proxyHeader !== undefined)
    return [
      {
        code: 'proxy-protocol-different',
        says: `the load balancer sends a header of the PROXY protocol for Service ${name}, and the proxy of ${spec.name} expects none (proxyProtocol in lab.yaml)`,
        object,
        proposals: [fieldProposal(failure, service, key, { before: '*', after: 'none', value: '' })],
      },
    ]
  if (!spec.proxyProtocol || packet.proxyHeader !== undefined) return []
  const passed = path.hops.some(({ place }) => place === balancerName)
  const { address } = packet.destination
  const isEntry = balancerAddresses(service).includes(address)
  if (isEntry && !passed)
    return [
      {
        code: 'proxy-protocol-different',
        says: `the rules of kube-proxy send packets for ${address} to the pods of Service ${name} at once, and the load balancer, which adds the header of the PROXY protocol, is not on the path: status.loadBalancer.ingress[0].ipMode is VIP, and with Proxy there are no such rules`,
        object: serviceField(service, 'status.loadBalancer.ingress[0].ipMode'),
        proposals: [],
      },
    ]
  if (passed || sendsProxyHeader(service))
    return [
      {
        code: 'proxy-protocol-different',
        says: `the proxy of ${spec.name} expects a header of the PROXY protocol (proxyProtocol in lab.yaml), which only the load balancer sends: the request does not pass it`,
        object,
        proposals: balancerAddresses(service).flatMap((own) =>
          (service.spec.ports ?? [])
            .slice(0, 1)
            .map((port) => requestProposal(failure, own, port.port, 'the load balancer')),
        ),
      },
    ]
  return [
    {
      code: 'proxy-protocol-different',
      says: `the proxy of ${spec.name} expects a header of the PROXY protocol (proxyProtocol in lab.yaml), and Service ${name} has no annotation ${proxyProtocolAnnotation}, by which the load balancer sends it`,
      object,
      proposals: [fieldProposal(failure, service, key, { before: 'none', after: '*', value: '*' })],
    },
  ]
}
