import { serviceAddresses } from '../../cluster/serviceType.js'
import { namespacedName } from '../../cluster/namespacedName.js'
import { afterCommand } from '../../trace/change/hostCommand.js'
import { allPorts, hostProposal, requestProposal, serviceField, type Failure } from './asked.js'
import type { Cause, Proposal } from './types.js'

/** A client outside the cluster calls a cluster IP, which only the rules on nodes translate. */
export function outsideCauses(failure: Failure): Cause[] {
  const { end, from, snapshot, packet } = failure
  const { address, port } = packet.destination
  const { clients, nodes } = snapshot.model.topology
  const client = clients.find(({ netns }) => netns === from)
  if (end.kind !== 'unroutable' || client === undefined) return []
  const service = snapshot.model.cluster.services.find(({ spec }) => spec.clusterIPs?.includes(address))
  if (service === undefined) return []
  const own = nodes
    .flatMap(({ addresses }) => addresses)
    .find(({ family }) => family === packet.family)?.address
  const name = namespacedName(service)
  const outside = serviceAddresses(service).filter(
    (one) => !service.spec.clusterIPs?.includes(one) && one.includes(':') === address.includes(':'),
  )
  const called = allPorts(failure).filter(
    (one) =>
      one.service === service &&
      one.port.port === port?.first &&
      (one.port.protocol ?? 'TCP').toLowerCase() === packet.protocol,
  )
  return [
    {
      code: 'cluster-ip-from-outside',
      says: `${address} is the cluster IP of Service ${name}: only the rules on nodes translate it, for packets of the node and its pods; ${client.name} is outside the cluster, where no route leads to it`,
      object: serviceField(service, 'spec.clusterIP'),
      proposals: [
        ...called.flatMap(({ port: { port: number, nodePort = 0 } }): Proposal[] => [
          ...outside.map((one) =>
            requestProposal(failure, one, number, `an address of Service ${name} for clients outside`),
          ),
          ...(own === undefined || nodePort === 0
            ? []
            : [requestProposal(failure, own, nodePort, `the node port of Service ${name}`)]),
        ]),
        ...(own === undefined ? [] : [routeProposal(failure, address, own)]),
      ],
    },
  ]
}

/** A route on the client through a node, whose rules then apply. */
function routeProposal(failure: Failure, address: string, node: string): Proposal {
  const { from: place } = failure
  const argv = ['ip', ...(address.includes(':') ? ['-6'] : []), 'route', 'add', address, 'via', node]
  return hostProposal(
    failure,
    place,
    argv.join(' '),
    `a route on ${place} to ${address} through ${node}`,
    (state) => afterCommand(state, { place, argv }) ?? state,
  )
}
