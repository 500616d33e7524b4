import { describeObject, needsAllNamespaces, neededResources } from '../apiserver/describe/describeObject.js'
import type { DescribedEvent } from '../apiserver/describe/eventSection.js'
import { fromApi } from '../apiserver/clusterObjects.js'
import { apiVersionOf, type Resource } from '../apiserver/resources.js'
import type { KubeObject } from '../cluster/types.js'
import { getFromApi, resourceNamed, resourcePath } from '../up/api.js'
import type { UpLab } from '../up/upLab.js'
import { wantedObjects } from './wantedObjects.js'

/**
 * Descriptions of objects of a running lab, as `kubectl describe` prints them. Without a namespace: of all namespaces;
 * without names: all objects of the kind. Throws InputError for a kind or an object that does not exist.
 */
export async function describeObjects(
  lab: UpLab,
  kind: string,
  names: readonly string[],
  namespace: string | undefined,
): Promise<string[]> {
  const texts = await Promise.all(
    wantedObjects([kind], names).map(async ({ resource, names: own }) => {
      const lists = own.length === 0 ? [undefined] : own
      const found = await Promise.all(lists.map((name) => objectsOf(lab, resource, namespace, name)))
      return Promise.all(found.flat().map((object) => describe(lab, resource, object)))
    }),
  )
  return texts.flat()
}

async function objectsOf(
  lab: UpLab,
  resource: Resource,
  namespace: string | undefined,
  name?: string,
): Promise<KubeObject[]> {
  const path = resourcePath(resource, namespace, name)
  const answer = (await getFromApi(lab, { path, table: false })) as KubeObject & { items?: KubeObject[] }
  // the items of a list have no apiVersion and kind
  const { kind } = resource
  return (answer.items ?? [answer]).map((object) =>
    fromApi({ ...object, apiVersion: apiVersionOf(resource), kind }),
  )
}

async function describe(lab: UpLab, resource: Resource, object: KubeObject): Promise<string> {
  const { namespace } = object.metadata
  const needed = neededResources(object.kind).map(resourceNamed)
  const isOwn = resource.namespaced && !needsAllNamespaces(object.kind)
  const [events, ...lists] = await Promise.all([
    eventsOf(lab, object),
    // objects of all namespaces may refer to a cluster-scoped object
    ...needed.map((one) => objectsOf(lab, one, isOwn ? namespace : undefined)),
  ])
  return describeObject(object, lists.flat(), events, new Date())
}

async function eventsOf(lab: UpLab, { kind, metadata }: KubeObject): Promise<DescribedEvent[]> {
  const fields = `involvedObject.kind=${kind},involvedObject.name=${metadata.name}`
  const path = resourcePath(resourceNamed('events'), metadata.namespace ?? 'default')
  const query = `?fieldSelector=${encodeURIComponent(fields)}`
  const answer = await getFromApi(lab, { path: path + query, table: false })
  return (answer as { items: DescribedEvent[] }).items
}
