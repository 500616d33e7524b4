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

/** What kubectl prints as a warning about requests for objects of a resource (APILifecycle of k8s.io/api). */
export function deprecations({ group, plural }: Resource): readonly string[] {
  return group === '' && plural === 'endpoints'
    ? ['v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice']
    : []
}
