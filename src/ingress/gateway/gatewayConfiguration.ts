import { namespacedName } from '../../cluster/namespacedName.js'
import type { Gateway, GatewayRoute, ListenerSet, ParentReference } from '../../cluster/types/gateway.js'
import type { Cluster } from '../../cluster/types.js'
import type { Certificate, Listener, ProxyConfiguration, Route, VirtualHost } from '../model.js'
import { attach, type Attachment } from './attachment.js'
import { certificateFor, namesOf } from './certificates.js'
import type { Fault } from './conditions.js'
import { covering, coversHostname, mostSpecificFirst } from './hostnames.js'
import { withConflicts } from './listenerConflicts.js'
import { isServed, listenersOf, type ListenerPlace, type ServedListener } from './listeners.js'
import { listenerSetsOf, namesParent, oldestFirst } from './listenerSets.js'
import { ingressesOf } from '../rules/classes.js'
import { rejectedRules, type RejectedRules } from './rejectedRules.js'
import { rivalKinds, withoutConflicts } from './routeConflicts.js'
import { byPrecedence, routesOf } from './routes.js'
import { unsupportedOf } from './unsupported.js'

/** A route and one of its parents. */
export interface ParentResult {
  readonly route: GatewayRoute
  readonly parentRef: ParentReference
  readonly attachments: readonly Attachment[]
  readonly rejected?: Fault | undefined
  readonly unresolved?: Fault | undefined
  /** Its rules that are dropped, if others are served. */
  readonly partial?: Fault | undefined
}

/** The effective configuration of the Gateways of a controller. */
export interface GatewayConfiguration {
  readonly configuration: ProxyConfiguration
  readonly listeners: readonly ServedListener[]
  readonly parents: readonly ParentResult[]
}

/** The Gateways of a controller's classes. */
export function gatewaysOf({ gatewayClasses = [], gateways = [] }: Cluster, controller: string): Gateway[] {
  const own = gatewayClasses.filter(({ spec }) => spec.controllerName === controller)
  const names = new Set(own.map(({ metadata }) => metadata.name))
  return gateways.filter(({ spec }) => names.has(spec.gatewayClassName))
}

/**
 * The configuration of a controller's proxy for its Gateways, which share the proxy's address: listeners with the same
 * port, protocol and host name are one. A request is served only by the listener with the most specific host name.
 */
export function gatewayConfiguration(cluster: Cluster, controller: string): GatewayConfiguration {
  const place = placeOfController(cluster, controller)
  const gateways = [...gatewaysOf(cluster, controller)].sort(oldestFirst)
  const listeners = withConflicts(gateways.flatMap((gateway) => listenersOf(cluster, gateway, place)))
  const sets = gateways.flatMap((gateway) => listenerSetsOf(cluster, gateway))
  const parents = parentsOf(cluster, listeners, sets, place)
  const served = listeners.filter(isServed)
  const places = [...new Set(served.map(placeOf))].map((place) =>
    served.filter((one) => placeOf(one) === place),
  )
  const certificates: Record<string, Certificate> = {}
  for (const { id, value } of served.flatMap((one) => one.certificates)) certificates[id] = value
  const configuration = {
    certificates,
    listeners: places.map((sharing) => modelOf(cluster, sharing, parents)),
  }
  const hasIngresses = ingressesOf(cluster, controller).length > 0
  const rules = rejectedRules(configuration, place.proxy, hasIngresses)
  return {
    listeners,
    configuration: rules.rest,
    parents: parents.map((one) => withRejected(one, rules.of(one.route))),
  }
}

function withRejected(parent: ParentResult, { whole, part }: RejectedRules): ParentResult {
  if (parent.rejected !== undefined) return parent
  return whole === undefined ? { ...parent, partial: part } : { ...parent, rejected: whole, attachments: [] }
}

/** The proxy of a controller, and the ports of the controller's Service; undefined if unknown. */
function placeOfController(
  { ingressControllers = [], services }: Cluster,
  controller: string,
): ListenerPlace {
  const named = ingressControllers.find((one) => one.controller === controller)
  const found = services.find(
    ({ metadata }) =>
      metadata.name === named?.service.name && metadata.namespace === named?.service.namespace,
  )
  const ports = found?.spec.ports ?? []
  return {
    proxy: named?.proxy,
    open: found === undefined ? undefined : new Set(ports.map(({ port }) => port)),
  }
}

function placeOf({ listener }: ServedListener): string {
  return `${listener.port} ${listener.protocol}`
}

/** All routes; the first has priority if all else is the same. */
function allRoutes({ httpRoutes = [], grpcRoutes = [], tlsRoutes = [] }: Cluster): GatewayRoute[] {
  return [...httpRoutes, ...grpcRoutes, ...tlsRoutes].sort(oldestFirst)
}

function parentsOf(
  cluster: Cluster,
  listeners: readonly ServedListener[],
  sets: readonly ListenerSet[],
  { proxy }: ListenerPlace,
): ParentResult[] {
  const results: ParentResult[] = []
  for (const route of allRoutes(cluster)) {
    const rivals = results.filter((one) => one.route.kind === rivalKinds[route.kind])
    for (const parentRef of route.spec.parentRefs ?? []) {
      const meant = listeners.filter(({ owner }) => namesParent(parentRef, route, owner))
      const closed = sets.find((one) => namesParent(parentRef, route, one))
      // the parent belongs to another controller, or does not exist
      if (meant.length === 0 && closed === undefined) continue
      const attached =
        meant.length === 0 && closed !== undefined
          ? { attachments: [], fault: notAttached(closed) }
          : attach(cluster, route, parentRef, meant)
      const { attachments, fault } = withoutConflicts(attached.attachments, rivals)
      const rejected = attached.fault ?? unsupportedOf(route, proxy) ?? fault
      const [unresolved] = routesOf(cluster, route, { port: 80, protocol: 'HTTP' }).faults
      results.push({
        ...{ route, parentRef, rejected, unresolved },
        attachments: rejected === undefined ? attachments : [],
      })
    }
  }
  return results
}

/** Why routes cannot attach to a ListenerSet that its Gateway does not allow. */
function notAttached(set: ListenerSet): Fault {
  const message = `ListenerSet ${namespacedName(set)} is not accepted: its Gateway does not allow it`
  return { reason: 'NoMatchingParent', message }
}

function modelOf(
  cluster: Cluster,
  sharing: readonly ServedListener[],
  parents: readonly ParentResult[],
): Listener {
  const { port, protocol } = sharing[0]!.listener
  const names = [...new Set(sharing.map(({ hostname }) => hostname))].sort(mostSpecificFirst)
  const hosts = names.flatMap((name) => {
    const own = sharing.filter(({ hostname }) => hostname === name)
    return hostsOf(cluster, own, parents).filter(
      // a more specific listener serves this name
      (host) => names.find((one) => coversHostname(one, host.hostname)) === name,
    )
  })
  return { port, protocol: protocol as Listener['protocol'], proxyProtocol: false, hosts }
}

/** The hosts of listeners with one host name; each host's routes are followed by those of less specific hosts. */
function hostsOf(
  cluster: Cluster,
  own: readonly ServedListener[],
  parents: readonly ParentResult[],
): VirtualHost[] {
  const [first] = own
  if (first === undefined) return []
  const attached = parents.flatMap(({ route, attachments }) => {
    const mine = attachments.filter(({ listener }) => own.includes(listener))
    const hostnames = [...new Set(mine.flatMap((attachment) => attachment.hostnames))]
    return hostnames.length === 0
      ? []
      : [{ hostnames, routes: routesOf(cluster, route, first.listener).routes }]
  })
  // the names of further certificates are hosts too, so that clients get the right certificate
  const further = first.certificates
    .slice(1)
    .flatMap(({ names }) => namesOf(names))
    .filter((name) => coversHostname(first.hostname, name))
  const routes = new Map<string, Route[]>([first.hostname, ...further].map((name) => [name, []]))
  for (const one of attached)
    for (const name of one.hostnames) routes.set(name, [...(routes.get(name) ?? []), ...one.routes])
  for (const own of routes.values()) own.sort(byPrecedence)
  return [...routes.keys()].sort(mostSpecificFirst).map((hostname) => ({
    hostname,
    wildcard: 'suffix',
    certificate: certificateFor(first.certificates, hostname)?.id,
    listener: first.hostname,
    routes: covering(hostname).flatMap((name) => routes.get(name) ?? []),
  }))
}
