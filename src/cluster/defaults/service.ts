import { isExternallyAccessible } from '../serviceType.js'
import { isValidStatus } from '../validation/service.js'
import type { Service, ServicePort, ServiceSpec } from '../types.js'

const affinitySeconds = 10_800

const typesWithAddress = ['ClusterIP', 'NodePort', 'LoadBalancer']

/** Sets the defaults of a Service, except allocated fields (SetDefaults_Service). */
export function defaultService(service: Service): Service {
  const type = service.spec.type ?? 'ClusterIP'
  const spec: ServiceSpec = {
    ...service.spec,
    type,
    sessionAffinity: service.spec.sessionAffinity ?? 'None',
    ...(service.spec.ports === undefined ? {} : { ports: service.spec.ports.map(defaultPort) }),
  }
  if (spec.sessionAffinity === 'ClientIP') {
    const timeoutSeconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? affinitySeconds
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds } }
  } else delete spec.sessionAffinityConfig
  if (typesWithAddress.includes(type)) spec.internalTrafficPolicy ??= 'Cluster'
  if (type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true
  if (isExternallyAccessible({ ...service, spec })) spec.externalTrafficPolicy ??= 'Cluster'
  const { status, ...rest } = service
  // Objects of `render` have a status; the API server ignores it in new objects.
  const kept = type === 'LoadBalancer' && status !== undefined && isValidStatus(status)
  return kept ? { ...rest, spec, status } : { ...rest, spec }
}

/** A new Service with `clusterIPs` as well when it only states `clusterIP` (normalizeClusterIPs). */
export function withClusterIPs(service: Service): Service {
  const { clusterIP, clusterIPs = [] } = service.spec
  if (clusterIP === undefined || clusterIPs.length > 0) return service
  return { ...service, spec: { ...service.spec, clusterIPs: [clusterIP] } }
}

function defaultPort(port: ServicePort): ServicePort {
  const { targetPort } = port
  return {
    ...port,
    protocol: port.protocol ?? 'TCP',
    targetPort: targetPort ?? port.port,
  }
}
