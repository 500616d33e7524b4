import { withGatewayStatus } from '../ingress/gateway/gatewayStatus.js'
import { ingressesOf } from '../ingress/rules/classes.js'
import { ingressAddresses, withAddresses } from '../ingress/rules/ingressStatus.js'
import type { Cluster } from './types.js'

/** What serves the Ingresses of some classes, and the Service by which clients reach it. */
export interface IngressControllerRef {
  /** `spec.controller` of the classes. */
  readonly controller: string
  readonly service: { readonly namespace: string; readonly name: string }
  /** What serves, where its abilities are known. */
  readonly proxy?: 'nginx' | 'haproxy' | undefined
}

/** Ingress controllers tell in the status of each Ingress that they serve where clients reach it. */
export function tellIngressAddresses(cluster: Cluster): Cluster {
  const { ingressControllers = [], ingresses = [], services } = cluster
  let told = ingresses
  for (const { controller, service } of ingressControllers) {
    const found = services.find(
      ({ metadata }) => metadata.namespace === service.namespace && metadata.name === service.name,
    )
    const addresses = found === undefined ? [] : ingressAddresses(found)
    const served = new Set(ingressesOf(cluster, controller))
    if (![...served].some((ingress) => withAddresses(ingress, addresses) !== ingress)) continue
    told = told.map((ingress) => (served.has(ingress) ? withAddresses(ingress, addresses) : ingress))
  }
  return told === ingresses ? cluster : { ...cluster, ingresses: told }
}

/** Controllers tell in the status of the Gateway API's objects what they make of them. */
export function tellGatewayStatus(cluster: Cluster): Cluster {
  return (cluster.ingressControllers ?? []).reduce((told, { controller, service }) => {
    const found = told.services.find(
      ({ metadata }) => metadata.namespace === service.namespace && metadata.name === service.name,
    )
    return withGatewayStatus(told, controller, found === undefined ? [] : ingressAddresses(found))
  }, cluster)
}
