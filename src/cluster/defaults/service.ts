import { isExternallyAccessible } from '../serviceType.js'
import type { Service, ServicePort, ServiceSpec } from '../types.js'

const affinitySeconds = 10_800

/** Sets the defaults of a Service, except allocated fields (SetDefaults_Service and the registry's create step). */
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
  if (type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster'
  if (type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true
  if (isExternallyAccessible({ ...service, spec })) spec.externalTrafficPolicy ??= 'Cluster'
  // Exported objects contain empty fields.
  if (spec.clusterIP === '') delete spec.clusterIP
  if (spec.clusterIPs?.length === 0) delete spec.clusterIPs
  if (spec.clusterIP !== undefined) spec.clusterIPs ??= [spec.clusterIP]
  const { status, ...rest } = service
  return type === 'LoadBalancer' && status !== undefined ? { ...rest, spec, status } : { ...rest, spec }
}

function defaultPort(port: ServicePort): ServicePort {
  const { targetPort } = port
  return {
    ...port,
    protocol: port.protocol ?? 'TCP',
    targetPort: targetPort === undefined || targetPort === 0 || targetPort === '' ? port.port : targetPort,
  }
}
