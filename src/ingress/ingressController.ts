import type { IngressControllerRef, Cluster } from '../cluster/types.js'
import { withGatewayStatus } from './gateway/gatewayStatus.js'
import { ingressesOf } from './rules/classes.js'
import { ingressAddresses, withAddresses } from './rules/ingressStatus.js'

/** An ingress controller that writes the status of its Ingresses and Gateway API objects. */
export function ingressController(ref: Omit<IngressControllerRef, 'reconcile'>): IngressControllerRef {
  const { controller, service } = ref
  return {
    ...ref,
    reconcile(cluster) {
      const found = cluster.services.find(
        ({ metadata }) => metadata.namespace === service.namespace && metadata.name === service.name,
      )
      const addresses = found === undefined ? [] : ingressAddresses(found)
      return withGatewayStatus(withIngressStatus(cluster, controller, addresses), controller, addresses)
    },
  }
}

function withIngressStatus(
  cluster: Cluster,
  controller: string,
  addresses: ReturnType<typeof ingressAddresses>,
): Cluster {
  const { ingresses = [] } = cluster
  const served = new Set(ingressesOf(cluster, controller))
  if (![...served].some((ingress) => withAddresses(ingress, addresses) !== ingress)) return cluster
  return {
    ...cluster,
    ingresses: ingresses.map((ingress) =>
      served.has(ingress) ? withAddresses(ingress, addresses) : ingress,
    ),
  }
}
