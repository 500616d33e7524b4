import { serviceOfSlice } from './serviceEndpoints.js'
import { namespacedName } from './namespacedName.js'
import type { LocatedObject } from './manifests/locatedObject.js'
import { isHeadless, selectsPods } from './serviceType.js'
import type { EndpointSlice, Service } from './types.js'

const workloads = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Pod',
  'Job',
  'ReplicationController',
])

/**
 * True for objects as an API server stores them: Services have their addresses and node ports, and if there are pods,
 * each Service with a selector has an EndpointSlice (the controller creates one even without endpoints).
 */
export function areStored(objects: readonly LocatedObject[]): boolean {
  const services = objects.filter(isService).map(({ object }) => object)
  if (!services.every(isAllocated)) return false
  if (!objects.some(({ object }) => workloads.has(object.kind))) return true
  const withSlice = new Set(objects.filter(isSlice).map(({ object }) => serviceOfSlice(object)))
  return services.every((service) => !selectsPods(service) || withSlice.has(namespacedName(service)))
}

function isAllocated(service: Service): boolean {
  const { type = 'ClusterIP', clusterIP, ports = [], allocateLoadBalancerNodePorts = true } = service.spec
  if (type === 'ExternalName' || isHeadless(service)) return true
  const nodePorts = type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts)
  return clusterIP !== undefined && (!nodePorts || ports.every(({ nodePort = 0 }) => nodePort !== 0))
}

function isService(located: LocatedObject): located is LocatedObject & { readonly object: Service } {
  return located.object.kind === 'Service'
}

function isSlice(located: LocatedObject): located is LocatedObject & { readonly object: EndpointSlice } {
  return located.object.kind === 'EndpointSlice'
}
