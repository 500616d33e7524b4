import type { Service } from './types.js'

/** True for `clusterIP: None`. */
export function isHeadless(service: Service): boolean {
  return service.spec.clusterIP === 'None' || service.spec.clusterIPs?.[0] === 'None'
}

/** True when traffic from outside the cluster may reach the Service (ExternallyAccessible). */
export function isExternallyAccessible(service: Service): boolean {
  const { type, externalIPs = [] } = service.spec
  return type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && externalIPs.length > 0)
}
