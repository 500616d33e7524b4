import { balancerName } from '../../topology/proxyBalancer.js'
import type { Place } from '../../topology/types.js'
import type { Lab } from '../types.js'

/**
 * Whether a place forwards requests in a lab with ingress controllers: the controllers' pods, which are alone in their
 * namespaces, and the load balancer of mode proxy.
 */
export function isProxyOf({
  ingress,
  loadBalancer,
}: Pick<Lab, 'ingress' | 'loadBalancer'>): (place: Place) => boolean {
  const namespaces = new Set(ingress.map(({ name }) => name))
  const balancer = ingress.length > 0 && loadBalancer?.mode === 'proxy' ? balancerName : undefined
  return ({ kind, name, namespace = '' }) =>
    kind === 'pod' ? namespaces.has(namespace) : kind === 'client' && name === balancer
}
