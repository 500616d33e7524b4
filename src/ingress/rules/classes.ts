import { ingressClassName } from '../../cluster/ingressClass.js'
import type { Cluster, Ingress, IngressClass } from '../../cluster/types.js'

/** The IngressClasses that a controller answers to. */
export function classesOf(cluster: Cluster, controller: string): IngressClass[] {
  return (cluster.ingressClasses ?? []).filter(({ spec }) => spec.controller === controller)
}

/** The Ingresses that a controller serves: those of its classes. */
export function ingressesOf(cluster: Cluster, controller: string): Ingress[] {
  const names = new Set(classesOf(cluster, controller).map(({ metadata }) => metadata.name))
  return (cluster.ingresses ?? []).filter((ingress) => names.has(ingressClassName(ingress) ?? ''))
}

/** Why nobody serves an Ingress; undefined where its class has a controller among those that are there. */
export function whyUnserved(
  ingress: Ingress,
  { ingressClasses = [] }: Cluster,
  controllers: readonly string[],
): string | undefined {
  const name = ingressClassName(ingress)
  if (name === undefined) return 'it names no IngressClass, and no class is the default'
  const found = ingressClasses.find(({ metadata }) => metadata.name === name)
  if (found === undefined) return `there is no IngressClass ${name}`
  if (controllers.includes(found.spec.controller)) return undefined
  return `no controller answers to ${found.spec.controller}, the controller of IngressClass ${name}`
}
