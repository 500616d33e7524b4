import type { IngressControllerRef, Cluster } from '../cluster/types.js'
import { withGatewayStatus } from './gateway/gatewayStatus.js'
import { ingressesOf } from './rules/classes.js'
import { gatewayAddresses, ingressAddresses, withAddresses } from './rules/ingressStatus.js'

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
      const entries = found === undefined ? [] : gatewayAddresses(found, cluster.nodes)
      return withGatewayStatus(withIngressStatus(cluster, controller, addresses), controller, entries)
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

/** A controller with its defaults filled in. */
export interface IngressSpec {
  /** Its namespace, and the stem of the names of its objects. */
  readonly name: string
  readonly proxy: 'nginx' | 'haproxy' | 'command'
  /** The command of the proxy `command`, run in the folder of the lab. */
  readonly command: readonly string[]
  readonly class: string
  readonly controller: string
  readonly replicas: number
  readonly service: Readonly<{
    type: 'LoadBalancer' | 'NodePort' | 'ClusterIP'
    externalTrafficPolicy?: 'Cluster' | 'Local' | undefined
    annotations?: Readonly<Record<string, string>> | undefined
  }>
  readonly proxyProtocol: boolean
}

/** The names of a controller in a cluster. */
export function controllerRef(spec: IngressSpec): IngressControllerRef {
  return ingressController({
    controller: spec.controller,
    service: { namespace: spec.name, name: controllerName(spec) },
    proxy: spec.proxy === 'command' ? undefined : spec.proxy,
  })
}

/** Name of a controller's Deployment and of the Service in front of its pods. */
export function controllerName({ name }: Pick<IngressSpec, 'name'>): string {
  return `${name}-controller`
}
