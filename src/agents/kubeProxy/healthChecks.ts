import { type EndpointsMap, endpointsMap } from './endpoints.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { ProxyInput } from './input.js'
import { servicePorts } from './servicePort.js'

/** A node's response on a Service's healthCheckNodePort. */
export interface HealthCheck {
  readonly namespace: string
  readonly service: string
  readonly port: number
  /** Distinct addresses of ready endpoints on this node: 200 when there is one, else 503. */
  readonly localEndpoints: number
}

/** The healthCheckNodePorts that kube-proxy of one node and family serves, each with its count of local endpoints. */
export function healthChecks(input: ProxyInput, family: IpFamily): readonly HealthCheck[] {
  const endpoints = endpointsMap(input.endpointSlices, family, input.node.metadata.name)
  return input.services.flatMap((service) => {
    const ports = servicePorts(service, family, { externalIPs: true })
    const [first] = ports
    if (!first || first.healthCheckNodePort === 0) return []
    const keys = ports.map(({ key }) => key)
    return [
      {
        namespace: first.namespace,
        service: first.service,
        port: first.healthCheckNodePort,
        localEndpoints: countLocal(keys, endpoints),
      },
    ]
  })
}

/** Response body, in kube-proxy's format. */
export function healthCheckBody(check: HealthCheck, serviceProxyHealthy: boolean): string {
  const { namespace, service: name, localEndpoints } = check
  return JSON.stringify({ service: { namespace, name }, localEndpoints, serviceProxyHealthy })
}

function countLocal(keys: readonly string[], endpoints: EndpointsMap): number {
  const addresses = keys
    .flatMap((key) => endpoints.get(key) ?? [])
    .filter((endpoint) => endpoint.local && endpoint.ready)
    .map(({ address }) => address)
  return new Set(addresses).size
}
