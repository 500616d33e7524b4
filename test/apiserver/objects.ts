import type { EndpointSlice, KubeObject, Node, Pod, Service, ServiceSpec } from '../../src/cluster/types.js'

/** A Service in the field order of the API server. */
export function service(name: string, spec: ServiceSpec = {}, labels?: Record<string, string>): Service {
  const metadata = { name, namespace: 'lab', ...(labels ? { labels } : {}) }
  return { apiVersion: 'v1', kind: 'Service', metadata, spec, status: { loadBalancer: {} } }
}

/** The Service of wire.md. */
export const web = service('web', {
  ports: [{ protocol: 'TCP', port: 80, targetPort: 8080, nodePort: 30080 }],
  selector: { app: 'web' },
  clusterIP: '10.96.0.10',
  clusterIPs: ['10.96.0.10'],
  type: 'NodePort',
  sessionAffinity: 'None',
  externalTrafficPolicy: 'Cluster',
  ipFamilies: ['IPv4'],
  ipFamilyPolicy: 'SingleStack',
  internalTrafficPolicy: 'Cluster',
})

export const headless = service('db', { clusterIP: 'None', clusterIPs: ['None'], selector: { app: 'db' } })

export function node(name: string, address: string): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: { addresses: [{ type: 'InternalIP', address }] },
  }
}

export function pod(name: string, nodeName: string, labels: Record<string, string> = { app: 'web' }): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'lab', labels },
    spec: { nodeName, containers: [{ name: 'echo', image: 'echo' }] },
    status: {
      phase: 'Running',
      podIP: '10.244.1.3',
      podIPs: [{ ip: '10.244.1.3' }],
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  }
}

export function slice(name: string, labels: Record<string, string>, addresses: string[]): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace: 'lab', labels },
    addressType: 'IPv4',
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports: [{ name: '', port: 8080, protocol: 'TCP' }],
  }
}

/** Two nodes, a Service with its slice, and objects that kube-proxy filters out. */
export const lab: readonly KubeObject[] = [
  node('node-a', '172.18.0.2'),
  node('node-b', '172.18.0.3'),
  web,
  headless,
  service('elsewhere', { clusterIP: '10.96.0.11' }, { 'service.kubernetes.io/service-proxy-name': 'other' }),
  slice('web-abcde', { 'kubernetes.io/service-name': 'web' }, ['10.244.1.3', '10.244.2.4']),
  slice('db-abcde', { 'kubernetes.io/service-name': 'db', 'service.kubernetes.io/headless': '' }, [
    '10.244.1.9',
  ]),
  pod('web-a', 'node-a'),
  pod('web-b', 'node-b'),
]
