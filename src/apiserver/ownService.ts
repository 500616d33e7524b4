import { addressesOf } from './shownObjects.js'
import { addressFamily, nthAddress, rangeOf } from '../net/ranges.js'
import type { Endpoints, EndpointSlice, KubeObject, Service } from '../cluster/types.js'

/** Where the API server listens, and the Service range of the same family. */
export interface OwnAddress {
  readonly address: string
  readonly port: number
  readonly serviceRange: string
}

/** Namespace and name of the Service of the API server. */
export const ownService = { namespace: 'default', name: 'kubernetes' }

/** kube-proxy writes no rules for a Service with this label: the address of the Service is not translated. */
const left = { 'service.kubernetes.io/service-proxy-name': 'vethlab' }

/**
 * The Service `default/kubernetes`, which an API server makes for itself, with its EndpointSlice and its Endpoints (pkg/controlplane of
 * Kubernetes 1.36). The label that keeps kube-proxy away is the only difference.
 */
export function ownServiceObjects({ address, port, serviceRange }: OwnAddress): readonly KubeObject[] {
  const family = addressFamily(address) ?? 'IPv4'
  const clusterIP = nthAddress(rangeOf(serviceRange), 1)
  const ports = [{ name: 'https', port, protocol: 'TCP' as const }]
  const service: Service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...ownService, labels: { component: 'apiserver', provider: 'kubernetes', ...left } },
    spec: {
      clusterIP,
      clusterIPs: [clusterIP],
      internalTrafficPolicy: 'Cluster',
      ipFamilies: [family],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: port }],
      sessionAffinity: 'None',
      type: 'ClusterIP',
    },
  }
  const slice: EndpointSlice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...ownService, labels: { 'kubernetes.io/service-name': ownService.name, ...left } },
    addressType: family,
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports,
  }
  const endpoints: Endpoints = {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { ...ownService, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip: address }], ports }],
  }
  return [Object.assign(service, { status: { loadBalancer: {} } }), slice, endpoints, ...addressesOf(service)]
}
