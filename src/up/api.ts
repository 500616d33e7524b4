import { resources, type Resource } from '../apiserver/resources.js'
import { resourceAmong } from '../cluster/kinds/index.js'
import { yamlValue } from '../cluster/yaml/yamlValue.js'
import { InputError } from '../errors.js'
import { askApi, curlApi } from '../host/kubeApi/curlApi.js'
import { joinSandbox } from '../host/sandbox/sandbox.js'
import type { UpLab } from './upLab.js'

/** Asks an API server for tables, as kubectl does. */
const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

/** A GET request to the Kubernetes API of a running lab. */
export interface ApiRequest {
  /** The path from the root of the API, with its query. */
  readonly path: string
  readonly table: boolean
}

/** metav1.Table, as far as it is printed. */
export interface ApiTable {
  readonly kind: 'Table'
  readonly metadata: { readonly resourceVersion?: string }
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[] | null
  readonly rows: readonly { readonly cells: readonly (string | number)[]; readonly object: ApiObject }[]
}

export interface ApiObject {
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
  }
}

/** Sends a GET request to the API. Throws InputError with the message of the API's Status for 4xx and 5xx. */
export async function getFromApi(lab: UpLab, request: ApiRequest): Promise<unknown> {
  return JSON.parse(await getText(lab, request)) as unknown
}

/** Like `getFromApi`, for answers that are not JSON. */
export async function getText(lab: UpLab, request: ApiRequest): Promise<string> {
  const { path, table } = request
  const { status, text } = await askApi(
    `the lab "${lab.lab}"`,
    joinSandbox(lab.pid, lab.rootless),
    apiTarget(lab, path),
    accept(table),
  )
  if (status < 400) return text
  throw new InputError([{ message: (JSON.parse(text) as { message?: string }).message ?? text }])
}

/** The events of a watch of the API, until the lab ends or the signal aborts. */
export async function* watchApi(
  lab: UpLab,
  request: ApiRequest,
  signal: AbortSignal,
): AsyncGenerator<{ readonly type: string; readonly object: unknown }> {
  for await (const line of linesFromApi(lab, request, signal))
    yield JSON.parse(line) as { type: string; object: unknown }
}

/** The lines of an answer as they arrive, until it ends, the lab ends or the signal aborts; without a time limit. */
export function linesFromApi(
  lab: UpLab,
  { path, table }: ApiRequest,
  signal: AbortSignal,
): AsyncIterable<string> {
  const sandbox = joinSandbox(lab.pid, lab.rootless)
  return curlApi(sandbox, apiTarget(lab, path), ['--no-buffer', ...accept(table)], signal).iterable()
}

function accept(table: boolean): readonly string[] {
  return table ? ['--header', `Accept: ${asTable}`] : []
}

/** The URL of a path of the API, inside the lab, and the token for writes. */
export function apiTarget(
  { api, kubeconfig }: UpLab,
  path: string,
): { readonly url: string; readonly token: string } {
  const { users } = yamlValue(kubeconfig) as unknown as { users: readonly { user: { token: string } }[] }
  return { url: `${api}${path}`, token: users[0]?.user.token ?? '' }
}

/** The resource with a name: kind, plural, singular or short name. Throws InputError when there is none. */
export function resourceNamed(name: string): Resource {
  const found = resourceAmong(resources, name)
  if (found !== undefined) return found
  const known = resources.map(({ plural }) => plural)
  throw new InputError([
    {
      message: `the server doesn't have a resource type "${name}"`,
      hint: `resource types: ${[...new Set(known)].join(', ')}`,
    },
  ])
}

/** The path of a resource, of all namespaces or one, of all objects or one. */
export function resourcePath(
  { group, version, plural, namespaced }: Resource,
  namespace: string | undefined,
  name?: string,
): string {
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const inside = namespaced && namespace !== undefined ? `/namespaces/${namespace}` : ''
  return `${base}${inside}/${plural}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`
}
