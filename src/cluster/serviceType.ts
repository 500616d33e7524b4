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

/** True when the controllers write the endpoints of a Service, from the pods that it selects. */
export function selectsPods({ spec }: Service): boolean {
  return spec.type !== 'ExternalName' && Object.keys(spec.selector ?? {}).length > 0
}

/** The addresses of a Service: cluster IPs, external IPs, and those of the load balancer. */
export function serviceAddresses({ spec, status }: Service): string[] {
  return [
    ...(spec.clusterIPs ?? []),
    ...(spec.externalIPs ?? []),
    ...(status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? []),
  ]
}
