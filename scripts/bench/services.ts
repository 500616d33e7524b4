import type { EndpointSlice, Service } from '../../src/cluster/types.js'
import { defaultConfiguration } from '../../src/agents/kubeProxy/configDefaults.js'
import type { ProxyInput } from '../../src/agents/kubeProxy/input.js'

/** A cluster as kube-proxy sees it: a number of ClusterIP Services with a number of endpoints each. */
export function manyServices(services: number, endpoints: number): ProxyInput {
  const indexes = Array.from({ length: services }, (_, index) => index)
  return {
    services: indexes.map(service),
    endpointSlices: indexes.map((index) => endpointSlice(index, endpoints)),
    node: {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'node-a' },
      status: { addresses: [{ type: 'InternalIP', address: '172.18.0.2' }] },
    },
    config: { ...defaultConfiguration, clusterCIDR: '10.128.0.0/10' },
    nfacct: false,
  }
}

function service(index: number): Service {
  // the first addresses of the range are those of the API server and of DNS
  const clusterIP = address(0x0a_60_01_00 + index)
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `service-${index}`, namespace: 'bench' },
    spec: {
      type: 'ClusterIP',
      clusterIP,
      clusterIPs: [clusterIP],
      ipFamilies: ['IPv4'],
      ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 8080 }],
    },
  }
}

/** The slice of one Service; its pods' addresses follow those of the Services before it. */
export function endpointSlice(index: number, endpoints: number, firstReady = true): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `service-${index}-0`,
      namespace: 'bench',
      labels: { 'kubernetes.io/service-name': `service-${index}` },
    },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: Array.from({ length: endpoints }, (_, endpoint) => {
      const ready = firstReady || endpoint > 0
      return {
        addresses: [address(0x0a_80_00_00 + index * endpoints + endpoint)],
        conditions: { ready, serving: ready, terminating: false },
        nodeName: endpoint % 2 === 0 ? 'node-a' : 'node-b',
      }
    }),
  }
}

function address(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
}
