import { timingSafeEqual } from 'node:crypto'
import type { ResourceRoute, Route } from './route.js'
import { groupOf, qualified, StatusError } from './status.js'

/** A request, as far as its authorization depends on it. */
export interface Requested {
  readonly method: string
  readonly path: string
  readonly route: Route
  readonly watch: boolean
}

/** What a client without credentials may do: what every cluster allows, or also what kube-proxy needs. */
export type Anonymous = 'public' | 'kube-proxy'

/** The ClusterRole `system:node-proxier` (plugin/pkg/auth/authorizer/rbac/bootstrappolicy of Kubernetes 1.36). */
const nodeProxier: Readonly<Record<string, readonly string[]>> = {
  endpoints: ['list', 'watch'],
  endpointslices: ['list', 'watch'],
  events: ['create', 'patch', 'update'],
  nodes: ['get', 'list', 'watch'],
  servicecidrs: ['list', 'watch'],
  services: ['list', 'watch'],
}

/**
 * Requires the bearer token of the kubeconfig: 403 for a request without credentials, 401 for another token, in the
 * words of the API server. There are no roles: who has the token may do everything.
 */
export function authorize(
  header: string | undefined,
  { token, anonymous }: { readonly token: string; readonly anonymous: Anonymous },
  requested: Requested,
): void {
  if (header === undefined) {
    requireAnonymous(requested, anonymous)
    return
  }
  const given = Buffer.from(/^Bearer\s+(\S+)\s*$/i.exec(header)?.[1] ?? '')
  const wanted = Buffer.from(token)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new StatusError(401, 'Unauthorized', 'Unauthorized')
}

function requireAnonymous({ method, path, route, watch }: Requested, anonymous: Anonymous): void {
  // ClusterRole system:public-info-viewer
  if (route.to === 'health' || route.to === 'version') return
  if (route.to !== 'resource')
    throw new StatusError(
      403,
      'Forbidden',
      `forbidden: User "system:anonymous" cannot ${method.toLowerCase()} path "${path}"`,
      {},
    )
  const { resource, name, subresource } = route
  const verb = verbOf(method, name, watch)
  const isAllowed = anonymous === 'kube-proxy' && subresource === undefined
  if (
    isAllowed &&
    Object.hasOwn(nodeProxier, resource.plural) &&
    nodeProxier[resource.plural]?.includes(verb)
  )
    return
  throw forbiddenResource(verb, route)
}

function forbiddenResource(verb: string, { resource, namespace, name, subresource }: ResourceRoute) {
  const { group, plural } = resource
  const what = subresource === undefined ? plural : `${plural}/${subresource}`
  const scope = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`
  const object = name === undefined ? '' : ` "${name}"`
  return new StatusError(
    403,
    'Forbidden',
    `${qualified(resource)}${object} is forbidden: User "system:anonymous" cannot ${verb} resource "${what}" in API group "${group}" ${scope}`,
    { ...(name === undefined ? {} : { name }), ...groupOf(resource), kind: plural },
  )
}

/** The verb of a request, in the words of the API server; `watch`: it asks for the changes of a list. */
function verbOf(method: string, name: string | undefined, watch = false): string {
  if (method === 'DELETE') return name === undefined ? 'deletecollection' : 'delete'
  if (method === 'GET' || method === 'HEAD') return name !== undefined ? 'get' : watch ? 'watch' : 'list'
  return { POST: 'create', PUT: 'update', PATCH: 'patch' }[method] ?? method.toLowerCase()
}
