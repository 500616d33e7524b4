import { findResource, type Resource } from './resources.js'
import { badRequest, noSuchPath } from './status.js'
import { subresourcesOf } from './subresources.js'

/** The target of an API path. */
export type Route =
  | { readonly to: 'health' | 'version' | 'core' | 'groups' | 'paths' | 'openapi-v2' }
  | { readonly to: 'group'; readonly group: string }
  /** The OpenAPI v3 document of a group and version, such as `apis/apps/v1`; empty: the index of the documents. */
  | { readonly to: 'openapi'; readonly document: string }
  | { readonly to: 'resources'; readonly group: string; readonly version: string }
  | ResourceRoute

/** A list (no name) or one object of a resource; without a namespace, all namespaces. */
export interface ResourceRoute {
  readonly to: 'resource'
  readonly resource: Resource
  readonly namespace: string | undefined
  readonly name: string | undefined
  /** One of `subresourcesOf`; the status of an object is read as the object. Of `proxy` the path continues. */
  readonly subresource?: string | undefined
}

/**
 * Parses a path that is still percent-encoded; throws a 400 Status when it cannot be decoded, a 404 one when nothing
 * is served there.
 */
export function parseRoute(path: string): Route {
  const [first, ...rest] = segments(path)
  switch (first) {
    case undefined:
      return { to: 'paths' }
    case 'healthz':
    case 'livez':
    case 'readyz':
      return { to: 'health' }
    case 'version':
      if (rest.length === 0) return { to: 'version' }
      break
    case 'openapi':
      if (rest[0] === 'v2' && rest.length === 1) return { to: 'openapi-v2' }
      if (rest[0] === 'v3') return { to: 'openapi', document: rest.slice(1).join('/') }
      break
    case 'api':
      return rest.length === 0 ? { to: 'core' } : inVersion('', rest)
    case 'apis': {
      const [group, ...below] = rest
      if (group === undefined) return { to: 'groups' }
      return below.length === 0 ? { to: 'group', group } : inVersion(group, below)
    }
  }
  throw noSuchPath()
}

function segments(path: string): string[] {
  try {
    return path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent)
  } catch {
    throw badRequest(`invalid URL escape in ${path.slice(0, 200)}`)
  }
}

function inVersion(group: string, [version = '', ...below]: string[]): Route {
  if (below.length === 0) return { to: 'resources', group, version }
  const scoped = below[0] === 'namespaces' && below.length > 2
  const [plural = '', name, subresource, ...more] = scoped ? below.slice(2) : below
  const namespace = scoped ? below[1] : undefined
  const resource = findResource(group, version, plural)
  if (resource === undefined) throw noSuchPath(whyNotServed(group, plural))
  if (
    (more.length > 0 && subresource !== 'proxy') ||
    scoped !== (resource.namespaced && (scoped || name !== undefined))
  )
    throw noSuchPath()
  if (subresource === undefined) return { to: 'resource', resource, namespace, name }
  if (subresourcesOf(resource).every((known) => known.name !== subresource))
    throw noSuchPath(subresourceReasons[subresource])
  return { to: 'resource', resource, namespace, name, subresource }
}

const subresourceReasons: Readonly<Record<string, string>> = {
  ephemeralcontainers:
    'a lab adds no container to a running pod: kubectl exec runs commands of the host in the namespaces of the pod',
}

/** Why the API of a lab is without a resource that every cluster has; empty for a path that no cluster has. */
function whyNotServed(group: string, plural: string): string {
  if (group === 'rbac.authorization.k8s.io') return 'RBAC is not evaluated in a lab'
  if (group === 'autoscaling') return 'nothing in a lab measures containers, so that it has no autoscaler'
  const isOfCluster = group === '' || group.endsWith('.k8s.io') || ['apps', 'batch', 'policy'].includes(group)
  return isOfCluster && plural !== '' ? `a lab does not serve ${plural}` : ''
}
