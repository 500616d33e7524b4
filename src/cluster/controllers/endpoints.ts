import { addressFamily } from '../../net/ranges.js'
import { isReady, isTerminal, podAddresses, resolveTargetPort } from '../pods/podFacts.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { Endpoint, EndpointPort, Pod, Service } from '../types.js'
import { withHints } from './hints.js'

/** Endpoints with the same ports: a named targetPort can resolve to different ports in different pods. */
export interface EndpointGroup {
  readonly ports: readonly EndpointPort[]
  readonly endpoints: Endpoint[]
}

/** The endpoints from a Service's pods in one family, grouped by ports (podToEndpoint, getEndpointPorts). */
export function endpointGroups(
  service: Service,
  pods: readonly Pod[],
  family: IpFamily,
  zoneOf: (node: string) => string | undefined,
): Map<string, EndpointGroup> {
  const groups = new Map<string, EndpointGroup>()
  for (const pod of pods) {
    const address = podAddresses(pod).find((ip) => addressFamily(ip) === family)
    if (address === undefined || isTerminal(pod)) continue
    const ports = endpointPorts(service, pod)
    const key = portsKey(ports)
    const endpoint = withHints(makeEndpoint(service, pod, address, zoneOf), service)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { ports, endpoints: [endpoint] })
    else group.endpoints.push(endpoint)
  }
  return groups
}

/** The same text for equal ports. */
export function portsKey(ports: readonly EndpointPort[]): string {
  return ports.map((port) => [port.name, port.protocol, port.port, port.appProtocol].join('/')).join(' ')
}

function endpointPorts(service: Service, pod: Pod): EndpointPort[] {
  return (service.spec.ports ?? []).flatMap((servicePort): EndpointPort[] => {
    const protocol = servicePort.protocol ?? 'TCP'
    const port = resolveTargetPort(pod, servicePort.targetPort ?? servicePort.port, protocol)
    if (port === undefined) return []
    const { name = '', appProtocol } = servicePort
    return [{ name, port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }]
  })
}

function makeEndpoint(
  service: Service,
  pod: Pod,
  address: string,
  zoneOf: (node: string) => string | undefined,
): Endpoint {
  const serving = isReady(pod)
  const terminating = pod.metadata.deletionTimestamp !== undefined
  const { nodeName, hostname, subdomain } = pod.spec
  const { name, namespace } = pod.metadata
  const zone = nodeName === undefined ? undefined : zoneOf(nodeName)
  const named = hostname !== undefined && subdomain === service.metadata.name
  return {
    addresses: [address],
    conditions: {
      ready: service.spec.publishNotReadyAddresses === true || (serving && !terminating),
      serving,
      terminating,
    },
    ...(named ? { hostname } : {}),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(zone === undefined ? {} : { zone }),
    targetRef: { kind: 'Pod', ...(namespace === undefined ? {} : { namespace }), name },
  }
}
