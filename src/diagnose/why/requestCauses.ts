import { serviceAddresses } from '../../cluster/serviceType.js'
import { namespacedName } from '../../cluster/namespacedName.js'
import type { ServicePort } from '../../cluster/types.js'
import { hostText } from '../../net/hostText.js'
import { networkHolds, parseNetwork } from '../../net/address.js'
import { nearestName } from '../../text/nearestName.js'
import { unusedName } from '../../text/unusedName.js'
import {
  allPorts,
  fieldProposal,
  patchProposal,
  portsPatch,
  requestProposal,
  serviceField,
  type TargetPort,
} from './asked.js'
import { isAddressed } from '../../trace/walk/visit.js'
import type { Question } from '../question.js'
import type { Cause, Proposal } from './types.js'

/** Requests to an address of a Service, or to a node, with a port that no Service has there. */
export function requestCauses(asked: Question): Cause[] {
  const { packet, snapshot } = asked
  const { address, port } = packet.destination
  const number = port?.first
  const { cluster, topology } = snapshot.model
  const services = cluster.services.filter((service) => serviceAddresses(service).includes(address))
  const isServed = allPorts(asked).some((one) => serves(one, asked))
  if (isServed) return []
  if (services.length > 0) return services.map((service) => wrongPort(asked, service))
  const node = topology.nodes.find((one) => one.addresses.some((own) => own.address === address))
  if (node !== undefined && number !== undefined) return nodePortCauses(asked, node.name, number)
  if (number !== undefined && isLoopback(address)) return loopbackCauses(asked, number)
  const range = parseNetwork(topology.ranges.services[packet.family])
  if (range !== undefined && networkHolds(range, address)) return [unknownClusterIP(asked)]
  return []
}

const isLoopback = (address: string) => address.startsWith('127.') || address === '::1'

/** A node port that has no rules for loopback addresses. */
function loopbackCauses(asked: Question, number: number): Cause[] {
  const { packet, snapshot, from } = asked
  const { address } = packet.destination
  const target = allPorts(asked).find(({ port }) => port.nodePort === number)
  const node = snapshot.model.topology.nodes.find(({ netns }) => netns === from)
  if (target === undefined || node === undefined) return []
  const name = namespacedName(target.service)
  const own = ofFamily(
    node.addresses.map((one) => one.address),
    address,
  )
  return [
    {
      code: 'node-port-on-loopback',
      says: `${number} is the node port of Service ${name}, but the rules of kube-proxy leave out ${address}`,
      object: serviceField(target.service, `spec.ports[${target.index}].nodePort`),
      proposals: own.map((one) =>
        requestProposal(asked, one, number, `the node port of Service ${name} on ${node.name}`),
      ),
    },
  ]
}

/** Whether a Service port is what the request calls. */
function serves({ service, port }: TargetPort, { packet, snapshot }: Question): boolean {
  const { address, port: called } = packet.destination
  if ((port.protocol ?? 'TCP').toLowerCase() !== packet.protocol) return false
  if (serviceAddresses(service).includes(address)) return port.port === called?.first
  const isNode = snapshot.model.topology.nodes.some(({ addresses }) =>
    addresses.some((own) => own.address === address),
  )
  return isNode && port.nodePort !== undefined && port.nodePort === called?.first
}

function wrongPort(asked: Question, service: TargetPort['service']): Cause {
  const { address, port } = asked.packet.destination
  const ports = service.spec.ports ?? []
  const listed = ports.map((one) => `${one.port}/${one.protocol ?? 'TCP'}`).join(', ')
  const protocol = asked.packet.protocol.toUpperCase()
  const name = namespacedName(service)
  if (port === undefined) {
    // in mode ipvs every node has it, on kube-ipvs0
    const { devices } = asked.snapshot.state.network
    const isHeld = devices.some(({ addresses }) => addresses.some((own) => own.address === address))
    return {
      code: 'service-answers-no-ping',
      says: `${address} is an address of Service ${name}: the rules of kube-proxy are for its ports only (${listed})${isHeld ? '' : ', and no host has the address'}`,
      object: serviceField(service, 'spec.ports'),
      proposals: [],
    }
  }
  const [ofProtocol] = allPorts(asked).filter(
    (one) => one.service === service && one.port.port === port.first,
  )
  if (ofProtocol !== undefined) return protocolCause(asked, ofProtocol)
  const same = ports.filter((one) => (one.protocol ?? 'TCP') === protocol)
  const others = allPorts(asked).filter(
    (other) => other.service !== service && other.port.port === port.first,
  )
  return {
    code: 'service-port-absent',
    says: `Service ${name} has no port ${port.first}/${protocol}; it has ${listed}`,
    object: serviceField(service, 'spec.ports'),
    proposals: [
      ...same.map((one) => requestProposal(asked, address, one.port, `the port of Service ${name}`)),
      ...others.flatMap((other): Proposal[] => {
        const [own] = ofFamily(serviceAddresses(other.service), address)
        return own === undefined
          ? []
          : [
              requestProposal(
                asked,
                own,
                other.port.port,
                `Service ${namespacedName(other.service)}, which has port ${port.first}`,
              ),
            ]
      }),
    ],
  }
}

/** A port with the number that is called, for another protocol. */
function protocolCause(asked: Question, { service, port, index }: TargetPort): Cause {
  const { address } = asked.packet.destination
  const protocol = asked.packet.protocol.toUpperCase() as 'TCP' | 'UDP'
  const ports = service.spec.ports ?? []
  const now = port.protocol ?? 'TCP'
  const name = namespacedName(service)
  const field = serviceField(service, `spec.ports[${index}].protocol`)
  const { port: number, targetPort, nodePort } = port
  const isNodePort = nodePort !== undefined && nodePort === asked.packet.destination.port?.first
  const added: ServicePort = {
    port: number,
    protocol,
    ...(targetPort !== undefined && { targetPort }),
    ...(isNodePort && { nodePort }),
  }
  const called = ports
    .filter((one) => (one.protocol ?? 'TCP') === protocol)
    .flatMap((one) => (isNodePort ? one.nodePort : one.port) ?? [])
  return {
    code: 'protocol-mismatch',
    says: `port ${number} of Service ${name} is for ${now}, and the request uses ${protocol}`,
    object: field,
    proposals: [
      ...overProtocol(asked, now),
      patchProposal(
        asked,
        serviceField(service, 'spec.ports'),
        { spec: { ports: named([...ports, added]) } },
        `spec.ports also has ${number}/${protocol}`,
      ),
      fieldProposal(asked, service, ['spec', 'ports', index, 'protocol'], {
        ...{ before: now, after: protocol, value: protocol },
      }),
      ...called.map((one) =>
        requestProposal(
          asked,
          address,
          one,
          `the ${isNodePort ? 'node port' : 'port'} of Service ${name} for ${protocol}`,
        ),
      ),
    ],
  }
}

/** The ports of a Service with names, which each of several needs. */
function named(ports: readonly ServicePort[]): ServicePort[] {
  return ports.reduce<ServicePort[]>((all, port, index) => {
    const { name = '', protocol = 'TCP' } = port
    const taken = [...all, ...ports.slice(index)].map((one) => one.name ?? '')
    return [
      ...all,
      name === '' ? { ...port, name: unusedName(`${protocol.toLowerCase()}-${port.port}`, taken) } : port,
    ]
  }, [])
}

/** The same request by the protocol of a port. */
function overProtocol({ packet, written }: Question, name: string): Proposal[] {
  const { address, port } = packet.destination
  const protocol = name === 'TCP' ? 'tcp' : name === 'UDP' ? 'udp' : undefined
  if (protocol === undefined || port === undefined) return []
  const to = /^[a-z]+:\/\//i.test(written.to) ? `${hostText(address)}:${port.first}` : written.to
  const how = protocol === 'udp' ? 'with --udp' : 'without --udp'
  return [{ kind: 'request', to, protocol, says: `call ${to} over ${name} (${how})` }]
}

/** A port of a node that is no node port: a similar one, or the port of a Service. */
function nodePortCauses(asked: Question, node: string, number: number): Cause[] {
  const { packet, snapshot } = asked
  const { address } = packet.destination
  const protocol = packet.protocol.toUpperCase()
  const all = allPorts(asked).filter(({ port }) => (port.nodePort ?? 0) > 0)
  const same = all.filter(({ port }) => (port.protocol ?? 'TCP') === protocol)
  const [otherProtocol] = all.filter(({ port }) => port.nodePort === number)
  const near = nearestName(
    String(number),
    same.map(({ port }) => String(port.nodePort)),
  )
  const ofPort = same.filter(({ port }) => port.port === number)
  const found = [...same.filter(({ port }) => String(port.nodePort) === near), ...ofPort]
  const { first, last } = snapshot.model.clusterOptions.ranges.nodePorts
  const [target] = found
  const { listeners, programs } = snapshot.state
  const isListening = listeners.some(
    (one) =>
      one.netns === node &&
      one.port === number &&
      one.protocol === packet.protocol &&
      isAddressed(one, address),
  )
  // a program of the node is called, and what stops the packet is another cause
  if (isListening || (programs.has(node) && target === undefined)) return []
  if (otherProtocol !== undefined)
    return [
      {
        ...protocolCause(asked, otherProtocol),
        says: `${number} is a node port of Service ${namespacedName(otherProtocol.service)} for ${otherProtocol.port.protocol ?? 'TCP'}, and the request uses ${protocol}`,
      },
    ]
  if (target === undefined)
    return [
      {
        code: 'node-port-absent',
        says: `no Service has the node port ${number}, and nothing on ${node} listens on it`,
        proposals: [],
      },
    ]
  const field = serviceField(target.service, `spec.ports[${target.index}].nodePort`)
  return [
    {
      code: 'node-port-absent',
      says: `no Service has the node port ${number}; Service ${namespacedName(target.service)} has ${target.port.nodePort}${ofPort.includes(target) ? ` for its port ${number}` : ''}`,
      object: field,
      proposals: [
        ...found.map((one) =>
          requestProposal(
            asked,
            address,
            one.port.nodePort ?? 0,
            `the node port of Service ${namespacedName(one.service)}`,
          ),
        ),
        ...(number < first || number > last
          ? []
          : [
              patchProposal(
                asked,
                field,
                portsPatch(target, { nodePort: number }),
                `${field.field}: ${target.port.nodePort} → ${number}`,
              ),
            ]),
      ],
    },
  ]
}

function unknownClusterIP(asked: Question): Cause {
  const { address, port } = asked.packet.destination
  const addresses = asked.snapshot.model.cluster.services.flatMap(serviceAddresses)
  const near = nearestName(address, ofFamily(addresses, address))
  const owner = asked.snapshot.model.cluster.services.find(
    (service) => near !== undefined && serviceAddresses(service).includes(near),
  )
  const says = `${address} is in the range of cluster IPs, and no Service has it`
  if (near === undefined || owner === undefined || port === undefined)
    return { code: 'cluster-ip-absent', says, proposals: [] }
  return {
    code: 'cluster-ip-absent',
    says: `${says}; Service ${namespacedName(owner)} has ${near}`,
    object: serviceField(owner, 'spec.clusterIP'),
    proposals: [requestProposal(asked, near, port.first, `the address of Service ${namespacedName(owner)}`)],
  }
}

function ofFamily(addresses: readonly string[], like: string): string[] {
  return addresses.filter((one) => one.includes(':') === like.includes(':'))
}
