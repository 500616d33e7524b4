import { groupBy } from '../groupBy.js'
import { parseAccept, acceptsJson } from './accept.js'
import { apiVersionOf, resources, type Resource } from './resources.js'
import { subresourcesOf, type Subresource } from './subresources.js'

/** A discovery document, and the media type that identifies its format. */
export interface DiscoveryAnswer {
  readonly contentType: string
  readonly body: unknown
}

/** `GET /api`: the core group, aggregated or as APIVersions. */
export function discoverCore(accept: string | undefined, writable: boolean): DiscoveryAnswer {
  return (
    aggregated(accept, writable, (group) => group === '') ?? {
      contentType: 'application/json',
      body: { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] },
    }
  )
}

/** `GET /apis`: the named groups, aggregated or as an APIGroupList. */
export function discoverGroups(accept: string | undefined, writable: boolean): DiscoveryAnswer {
  const groups = groupVersions().filter(({ group }) => group !== '')
  return (
    aggregated(accept, writable, (group) => group !== '') ?? {
      contentType: 'application/json',
      body: { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupBody) },
    }
  )
}

/** `GET /apis/<group>`: an APIGroup; undefined when the group is not served. */
export function discoverGroup(name: string): DiscoveryAnswer | undefined {
  const found = groupVersions().find(({ group }) => group === name && group !== '')
  if (found === undefined) return undefined
  return {
    contentType: 'application/json',
    body: { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(found) },
  }
}

/** `GET /api/v1` and `GET /apis/<group>/<version>`: an APIResourceList; undefined when it is not served. */
export function discoverResources(
  group: string,
  version: string,
  writable: boolean,
): DiscoveryAnswer | undefined {
  const served = resources.filter((resource) => resource.group === group && resource.version === version)
  if (served.length === 0) return undefined
  const body = {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersionOf({ group, version }),
    resources: served.flatMap((resource) => [
      resourceBody(resource, writable),
      ...servedSubresources(resource, writable).map((one) => subresourceBody(resource, one)),
    ]),
  }
  return { contentType: 'application/json', body }
}

interface GroupVersion {
  readonly group: string
  readonly version: string
  readonly served: readonly Resource[]
}

function groupVersions(): readonly GroupVersion[] {
  // one version of each group is served
  return [...groupBy(resources, ({ group }) => group)].map(([group, served]) => ({
    group,
    version: served[0]?.version ?? 'v1',
    served,
  }))
}

function groupBody({ group, version }: GroupVersion) {
  const entry = { groupVersion: apiVersionOf({ group, version }), version }
  return { name: group, versions: [entry], preferredVersion: entry }
}

/** The verbs that the API serves on a resource. */
export function verbsOf(resource: Resource, writable: boolean): readonly string[] {
  if (!writable || !('schema' in resource)) return resource.verbs
  return resource.kind === 'Node' ? writeVerbs.filter((verb) => !ofTopology.includes(verb)) : writeVerbs
}

/** The topology of the lab decides which nodes exist. */
const ofTopology = ['create', 'delete', 'deletecollection']

const writeVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

/** A read-only server serves the status and the scale of objects, and does not list them. */
function servedSubresources(
  resource: Resource,
  writable: boolean,
): (Subresource & { readonly verbs: readonly string[] })[] {
  if (!writable || !('schema' in resource)) return []
  return subresourcesOf(resource)
    .map((one) => ({ ...one, verbs: [...one.readVerbs, ...one.writeVerbs] }))
    .filter(({ verbs }) => verbs.length > 0)
}

function subresourceBody(
  { plural, namespaced, kind }: Resource,
  { name, body, verbs }: Subresource & { readonly verbs: readonly string[] },
) {
  return { name: `${plural}/${name}`, singularName: '', namespaced, kind, ...body, verbs }
}

function resourceBody(resource: Resource, writable: boolean) {
  return {
    name: resource.plural,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: verbsOf(resource, writable),
    ...unlessEmpty('shortNames', resource.shortNames),
    ...unlessEmpty('categories', resource.categories),
  }
}

function aggregated(
  accept: string | undefined,
  writable: boolean,
  wanted: (group: string) => boolean,
): DiscoveryAnswer | undefined {
  const first = parseAccept(accept)
    .filter(acceptsJson)
    .find(({ parameters }) => parameters['as'] === undefined || aggregatedVersion(parameters) !== undefined)
  const version = first && aggregatedVersion(first.parameters)
  if (version === undefined) return undefined
  const items = groupVersions().filter(({ group }) => wanted(group))
  return {
    contentType: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
    body: {
      kind: 'APIGroupDiscoveryList',
      apiVersion: `apidiscovery.k8s.io/${version}`,
      metadata: {},
      items: items.map((item) => aggregatedGroup(item, writable)),
    },
  }
}

function aggregatedVersion(parameters: Readonly<Record<string, string>>): string | undefined {
  const { as, g: group, v: version = '' } = parameters
  const served = as === 'APIGroupDiscoveryList' && group === 'apidiscovery.k8s.io'
  return served && (version === 'v2' || version === 'v2beta1') ? version : undefined
}

function aggregatedGroup({ group, version, served }: GroupVersion, writable: boolean) {
  return {
    metadata: group === '' ? {} : { name: group },
    versions: [
      {
        version,
        resources: served.map((resource) => aggregatedResource(resource, writable)),
        freshness: 'Current',
      },
    ],
  }
}

function aggregatedResource(resource: Resource, writable: boolean) {
  const { group, version, kind } = resource
  const subresources = servedSubresources(resource, writable).map(({ name, body, verbs }) => ({
    subresource: name,
    responseKind: body ?? { group, version, kind },
    verbs,
  }))
  return {
    resource: resource.plural,
    responseKind: { group, version, kind },
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: verbsOf(resource, writable),
    ...unlessEmpty('shortNames', resource.shortNames),
    ...unlessEmpty('categories', resource.categories),
    ...unlessEmpty('subresources', subresources),
  }
}

function unlessEmpty<Value>(key: string, values: readonly Value[]): Record<string, readonly Value[]> {
  return values.length === 0 ? {} : { [key]: values }
}
