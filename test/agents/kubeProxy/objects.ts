import type { IpFamily } from '../../../src/net/ipFamily.js'
import type {
  Endpoint,
  EndpointSlice,
  Node,
  Protocol,
  Service,
  ServiceSpec,
} from '../../../src/cluster/types.js'
import { defaultConfiguration } from '../../../src/agents/kubeProxy/configDefaults.js'
import type { KubeProxyConfiguration } from '../../../src/agents/kubeProxy/config.js'
import type { ProxyInput } from '../../../src/agents/kubeProxy/input.js'

/** The node that the upstream tests run on. */
export const testNode: Node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'test-node' },
  status: { addresses: [{ type: 'InternalIP', address: '192.168.0.2' }] },
}

/** Addresses of that node's interfaces. */
export const localAddresses = [
  '127.0.0.1',
  '::1',
  '192.168.0.2',
  '192.168.1.2',
  '192.168.99.11',
  '2001:db8::1',
  '2001:db8:1::2',
]

/** A Service in namespace ns1, with one port http (80) by default. */
export function service(
  name: string,
  spec: ServiceSpec,
  vips: readonly string[] = [],
  namespace = 'ns1',
): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { type: 'ClusterIP', ports: [{ name: 'http', port: 80, protocol: 'TCP' }], ...spec },
    status: { loadBalancer: { ingress: vips.map((ip) => ({ ip })) } },
  }
}

/** Conditions in one letter: R ready, T serving while terminating, X neither. */
export type Condition = 'R' | 'T' | 'X'

/** An endpoint on the test node (`local`) or on another. */
export function endpoint(
  address: string,
  place: 'local' | 'remote',
  condition: Condition = 'R',
  hints?: Endpoint['hints'],
): Endpoint {
  return {
    addresses: [address],
    nodeName: place === 'local' ? 'test-node' : 'other-node',
    conditions: { ready: condition === 'R', serving: condition !== 'X', terminating: condition !== 'R' },
    ...(hints === undefined ? {} : { hints }),
  }
}

/** An EndpointSlice of a Service in ns1; ports as [name, number, protocol]. */
export function slice(
  serviceName: string,
  endpoints: Endpoint[],
  ports: readonly (readonly [string, number, Protocol?])[] = [['http', 80]],
  options: { family?: IpFamily; name?: string; namespace?: string } = {},
): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: options.name ?? `${serviceName}-1`,
      namespace: options.namespace ?? 'ns1',
      labels: { 'kubernetes.io/service-name': serviceName },
    },
    addressType: options.family ?? 'IPv4',
    ports: ports.map(([name, port, protocol = 'TCP']) => ({ name, port, protocol })),
    endpoints,
  }
}

/** An input in the fixture of the upstream tests: both nfacct counters, no --random-fully. */
export function input(
  services: readonly Service[],
  endpointSlices: readonly EndpointSlice[],
  config: Partial<KubeProxyConfiguration> = {},
): ProxyInput {
  return {
    services,
    endpointSlices,
    node: testNode,
    config: { ...defaultConfiguration, clusterCIDR: '10.0.0.0/8,fd00:10::/64', ...config },
    nfacct: true,
    randomFully: false,
    localAddresses,
  }
}
