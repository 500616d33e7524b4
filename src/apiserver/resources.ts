import { resources } from '../cluster/kinds/index.js'
import { apiVersionOf, type Resource } from '../cluster/kinds/kind.js'
import type { KubeObject } from '../cluster/types.js'

export { apiVersionOf, resources, type Resource }

/** The resource at a path of the API, if it is served. */
export function findResource(group: string, version: string, plural: string): Resource | undefined {
  return resources.find(
    (resource) => resource.group === group && resource.version === version && resource.plural === plural,
  )
}

/** The resource that an object belongs to; undefined for kinds that are not served. */
export function resourceOf(object: Pick<KubeObject, 'apiVersion' | 'kind'>): Resource | undefined {
  return resources.find(
    (resource) => resource.kind === object.kind && apiVersionOf(resource) === object.apiVersion,
  )
}
