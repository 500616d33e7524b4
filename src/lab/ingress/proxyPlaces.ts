import { balancerName } from '../../topology/proxyBalancer.js'
import type { Place } from '../../topology/types.js'
import type { Lab } from '../types.js'

/**
 * Tells the places whose processes pass requests on in a lab with ingress controllers: the controllers' pods, which have
 * namespaces to themselves, and the load balancer that is a host.
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
