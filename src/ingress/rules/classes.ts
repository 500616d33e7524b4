import { ingressClassName } from '../../cluster/ingressClass.js'
import type { Cluster, Ingress, IngressClass } from '../../cluster/types.js'

/** The IngressClasses of a controller. */
export function classesOf(cluster: Cluster, controller: string): IngressClass[] {
  return (cluster.ingressClasses ?? []).filter(({ spec }) => spec.controller === controller)
}

/** The Ingresses that a controller serves: those of its classes. */
export function ingressesOf(cluster: Cluster, controller: string): Ingress[] {
  const names = new Set(classesOf(cluster, controller).map(({ metadata }) => metadata.name))
  return (cluster.ingresses ?? []).filter((ingress) => names.has(ingressClassName(ingress) ?? ''))
}
