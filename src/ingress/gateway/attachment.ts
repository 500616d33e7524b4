import type { GatewayRoute, ParentReference } from '../../cluster/types/gateway.js'
import type { Cluster } from '../../cluster/types.js'
import type { Fault } from './conditions.js'
import { intersection, mostSpecificFirst } from './hostnames.js'
import type { ServedListener } from './listeners.js'
import { selectsNamespace } from './listenerSets.js'

/** A listener that a route is attached to, and the host names that both have. */
export interface Attachment {
  readonly listener: ServedListener
  readonly hostnames: readonly string[]
}

/** The listeners of a parent that accept a route, or why none does. */
export function attach(
  cluster: Cluster,
  route: GatewayRoute,
  { sectionName, port }: ParentReference,
  listeners: readonly ServedListener[],
): { readonly attachments: readonly Attachment[]; readonly fault?: Fault } {
  const meant = listeners.filter(
    ({ listener }) =>
      (sectionName === undefined || listener.name === sectionName) &&
      (port === undefined || listener.port === port),
  )
  if (meant.length === 0)
    return rejected('NoMatchingParent', `there is no listener${named(sectionName)}${at(port)}`)
  const allowed = meant.filter((listener) => isAllowed(cluster, route, listener))
  if (allowed.length === 0)
    return rejected('NotAllowedByListeners', 'no listener allows routes of this kind and namespace')
  const attachments = allowed
    .map((listener) => ({ listener, hostnames: hostnamesOf(route, listener) }))
    .filter(({ hostnames }) => hostnames.length > 0)
  return attachments.length > 0
    ? { attachments }
    : rejected('NoMatchingListenerHostname', 'no listener matches its host names')
}

function named(name: string | undefined): string {
  return name === undefined ? '' : ` named ${name}`
}

function at(port: number | undefined): string {
  return port === undefined ? '' : ` on port ${port}`
}

function rejected(reason: string, message: string) {
  return { attachments: [], fault: { reason, message } }
}

function isAllowed(cluster: Cluster, route: GatewayRoute, { owner, listener, kinds }: ServedListener) {
  const namespaces = listener.allowedRoutes?.namespaces ?? {}
  return kinds.includes(route.kind) && selectsNamespace(cluster, owner, namespaces, route)
}

function hostnamesOf({ spec }: GatewayRoute, { hostname }: ServedListener): string[] {
  const own = spec.hostnames ?? []
  const common = (own.length === 0 ? ['*'] : own).flatMap((name) => intersection(name, hostname) ?? [])
  return [...new Set(common)].sort(mostSpecificFirst)
}
