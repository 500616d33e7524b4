import { call, callText } from '../call.js'

/** A resource that the API of the lab serves. */
export interface KubeResource {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  /** Whether it has the subresource `scale`. */
  readonly scales: boolean
}

/** An object by its resource and name. */
export interface ObjectName {
  readonly resource: KubeResource
  readonly namespace: string | undefined
  readonly name: string
}

/** Objects as a Table of meta.k8s.io/v1, which `kubectl get` prints. */
export interface KubeTable {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[]
  readonly rows: readonly {
    readonly cells: readonly (string | number | boolean | null)[]
    readonly object: { readonly metadata: { readonly name: string; readonly namespace?: string } }
  }[]
}

/** The media type of a Table. */
export const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io'

const yaml = 'application/yaml'
const mergePatch = 'application/merge-patch+json'

/** Below it is the API of the lab. */
const root = '/kubernetes'

interface ResourceList {
  readonly groupVersion: string
  readonly resources: readonly {
    readonly name: string
    readonly kind: string
    readonly namespaced: boolean
    readonly verbs: readonly string[]
  }[]
}

interface GroupList {
  readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[]
}

/** The resources that can be listed, in order of their kinds. Throws Error. */
export async function listableResources(): Promise<readonly KubeResource[]> {
  const { groups } = await call<GroupList>(`${root}/apis`)
  const paths = ['api/v1', ...groups.map(({ preferredVersion }) => `apis/${preferredVersion.groupVersion}`)]
  const lists = await Promise.all(paths.map((path) => call<ResourceList>(`${root}/${path}`)))
  return lists
    .flatMap(resourcesOf)
    .filter(({ verbs }) => verbs.includes('list'))
    .toSorted((a, b) => a.kind.localeCompare(b.kind))
}

function resourcesOf({ groupVersion, resources }: ResourceList): KubeResource[] {
  const [version = '', group = ''] = groupVersion.split('/').toReversed()
  const names = new Set(resources.map(({ name }) => name))
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, ...one }) => ({ group, version, plural: name, ...one, scales: names.has(`${name}/scale`) }))
}

/** The path of the objects of a resource, in all namespaces or in one. */
export function listPath({ group, version, plural }: KubeResource, namespace?: string): string {
  const of = group === '' ? `api/${version}` : `apis/${group}/${version}`
  const within = namespace === undefined ? '' : `namespaces/${encodeURIComponent(namespace)}/`
  return `${root}/${of}/${within}${plural}`
}

function pathOf({ resource, namespace, name }: ObjectName): string {
  return `${listPath(resource, namespace)}/${encodeURIComponent(name)}`
}

/** An object in YAML, without the managed fields, as kubectl shows it. Throws Error with the message of the API. */
export async function readYaml(object: ObjectName): Promise<string> {
  return shown(await callText(pathOf(object), { accept: yaml }))
}

/** Replaces an object; with `dryRun` it is only validated. Returns it as the API has it then; throws Error. */
export async function replaceYaml(object: ObjectName, text: string, dryRun: boolean): Promise<string> {
  const query = `?fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`
  const answer = await callText(pathOf(object) + query, {
    ...{ method: 'PUT', body: text, type: yaml, accept: yaml },
  })
  return shown(answer)
}

/** Creates an object in YAML; returns its name. Throws Error with the message of the API. */
export async function createYaml(
  resource: KubeResource,
  namespace: string,
  text: string,
): Promise<ObjectName> {
  const within = resource.namespaced ? namespace : undefined
  const path = `${listPath(resource, within)}?fieldValidation=Strict`
  const created = JSON.parse(await callText(path, { method: 'POST', body: text, type: yaml })) as {
    readonly metadata: { readonly name: string }
  }
  return { resource, namespace: within, name: created.metadata.name }
}

/** Changes an object, or one of its subresources, by a JSON merge patch. Throws Error with the message of the API. */
export async function patch(object: ObjectName, change: unknown, subresource = ''): Promise<void> {
  await callText(pathOf(object) + subresource, { method: 'PATCH', body: change, type: mergePatch })
}

/** Deletes an object. Throws Error with the message of the API. */
export async function remove(object: ObjectName): Promise<void> {
  await callText(pathOf(object), { method: 'DELETE' })
}

/** A YAML text of the API without its managed fields, which are longer than the rest. */
function shown(text: string): string {
  return text.replace(/^ {2}managedFields:\n(?: {4}.*\n)+/m, '')
}
