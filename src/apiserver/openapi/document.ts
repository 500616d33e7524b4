import { createHash } from 'node:crypto'
import { acceptsJson, parseAccept } from '../accept.js'
import { verbsOf, type DiscoveryAnswer } from '../discovery.js'
import { resources, type Resource } from '../resources.js'
import { notAcceptable } from '../status.js'
import { componentName, componentsOf, reference, type OpenApi } from './components.js'

/**
 * `GET /openapi/v3`, and the documents below it; undefined for one that is not served. Throws a 406 Status when the client
 * does not accept JSON.
 */
export function openApi(
  document: string,
  accept: string | undefined,
  writable: boolean,
): DiscoveryAnswer | undefined {
  if (!parseAccept(accept).some(acceptsJson)) throw notAcceptable(['application/json'])
  const body = document === '' ? openApiIndex(writable) : openApiDocument(document, writable)
  return body === undefined ? undefined : { contentType: 'application/json', body }
}

/** `GET /openapi/v3`: where the document of each group and version is; the hash lets clients keep it. */
function openApiIndex(writable: boolean): unknown {
  const paths = new Set(resources.map(groupVersionPath))
  const entries = [...paths].map((path) => {
    const text = JSON.stringify(openApiDocument(path, writable))
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 32).toUpperCase()
    return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }] as const
  })
  return { paths: Object.fromEntries(entries) }
}

/** `GET /openapi/v3/<path>`: the OpenAPI v3 document of `api/v1` or `apis/<group>/<version>`; undefined when it is not served. */
export function openApiDocument(path: string, writable: boolean): unknown {
  const served = resources.filter((resource) => groupVersionPath(resource) === path)
  if (served.length === 0) return undefined
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes API of a vethlab lab', version: served[0]?.version },
    paths: Object.fromEntries(served.flatMap((resource) => pathsOf(resource, verbsOf(resource, writable)))),
    components: { schemas: componentsOf(served) },
  }
}

function groupVersionPath({ group, version }: Resource): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`
}

const query = (name: string) => ({
  name,
  in: 'query',
  schema: { type: 'string', uniqueItems: true },
})
const written = ['dryRun', 'fieldManager', 'fieldValidation'].map(query)

interface Operation {
  readonly verb: string
  readonly method: string
  readonly action: string
  readonly parameters: readonly unknown[]
}

const onList: readonly Operation[] = [
  { verb: 'list', method: 'get', action: 'list', parameters: ['labelSelector', 'fieldSelector'].map(query) },
  { verb: 'create', method: 'post', action: 'post', parameters: written },
]
const onObject: readonly Operation[] = [
  { verb: 'get', method: 'get', action: 'get', parameters: [] },
  { verb: 'update', method: 'put', action: 'put', parameters: written },
  { verb: 'patch', method: 'patch', action: 'patch', parameters: [...written, query('force')] },
  { verb: 'delete', method: 'delete', action: 'delete', parameters: [query('dryRun')] },
]

function pathsOf(resource: Resource, verbs: readonly string[]): [string, OpenApi][] {
  const root = `/${groupVersionPath(resource)}`
  const whole = `${root}/${resource.plural}`
  const own = resource.namespaced ? `${root}/namespaces/{namespace}/${resource.plural}` : whole
  return [
    [own, operations(resource, verbs, onList)],
    [`${own}/{name}`, operations(resource, verbs, onObject)],
  ]
}

function operations(resource: Resource, verbs: readonly string[], all: readonly Operation[]): OpenApi {
  const { group, version, kind } = resource
  const schema = reference(componentName(resource))
  const content = { 'application/json': { schema } }
  return Object.fromEntries(
    all
      .filter(({ verb }) => verbs.includes(verb))
      .map(({ method, action, parameters }) => [
        method,
        {
          parameters,
          responses: { '200': { description: 'OK', content } },
          'x-kubernetes-action': action,
          'x-kubernetes-group-version-kind': { group, version, kind },
        },
      ]),
  )
}
