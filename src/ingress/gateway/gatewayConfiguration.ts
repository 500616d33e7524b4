import type { Gateway, GatewayRoute, ParentReference } from '../../cluster/types/gateway.js'
import type { Cluster, KubeObject } from '../../cluster/types.js'
import type { Certificate, Listener, ProxyConfiguration, Route, VirtualHost } from '../model.js'
import { attach, type Attachment } from './attachment.js'
import { certificateFor, namesOf } from './certificates.js'
import type { Fault } from './conditions.js'
import { covering, covers, mostParticularFirst } from './hostnames.js'
import { isServed, listenersOf, type ListenerPlace, type ServedListener } from './listeners.js'
import { ingressesOf } from '../rules/classes.js'
import { refusedRules, type RefusedRules } from './refusedRules.js'
import { rivalKinds, withoutConflicts } from './routeConflicts.js'
import { byPrecedence, routesOf } from './routes.js'
import { withSharedPorts } from './sharedPorts.js'
import { unsupportedOf } from './unsupported.js'

/** A route and one of its parents. */
export interface ParentResult {
  readonly route: GatewayRoute
  readonly parentRef: ParentReference
  readonly attachments: readonly Attachment[]
  readonly rejected?: Fault | undefined
  readonly unresolved?: Fault | undefined
  /** What of its rules is left out, where others are served. */
  readonly partial?: Fault | undefined
}

/** What the Gateways of a controller come down to. */
export interface GatewayConfiguration {
  readonly configuration: ProxyConfiguration
  readonly listeners: readonly ServedListener[]
  readonly parents: readonly ParentResult[]
}

/** The Gateways whose classes a controller answers to. */
export function gatewaysOf({ gatewayClasses = [], gateways = [] }: Cluster, controller: string): Gateway[] {
  const own = gatewayClasses.filter(({ spec }) => spec.controllerName === controller)
  const names = new Set(own.map(({ metadata }) => metadata.name))
  return gateways.filter(({ spec }) => names.has(spec.gatewayClassName))
}

/**
 * What the proxy of a controller is to do for its Gateways, which share the proxy's address: listeners that have port,
 * protocol and host name in common are one. A request is served by the listener with the most particular host name alone.
 */
export function gatewayConfiguration(cluster: Cluster, controller: string): GatewayConfiguration {
  const place = placeOfController(cluster, controller)
  const gateways = [...gatewaysOf(cluster, controller)].sort(oldestFirst)
  const listeners = withSharedPorts(gateways.flatMap((gateway) => listenersOf(cluster, gateway, place)))
  const parents = parentsOf(cluster, listeners, place)
  const served = listeners.filter(isServed)
  const places = [...new Set(served.map(placeOf))].map((place) =>
    served.filter((one) => placeOf(one) === place),
  )
  const certificates: Record<string, Certificate> = {}
  for (const { id, value } of served.flatMap((one) => one.certificates)) certificates[id] = value
  const configuration = {
    certificates,
    listeners: places.map((beside) => modelOf(cluster, beside, parents)),
  }
  const hasIngresses = ingressesOf(cluster, controller).length > 0
  const refused = refusedRules(configuration, place.proxy, hasIngresses)
  return {
    listeners,
    configuration: refused.rest,
    parents: parents.map((one) => withRefused(one, refused.of(one.route))),
  }
}

function withRefused(parent: ParentResult, { whole, part }: RefusedRules): ParentResult {
  if (parent.rejected !== undefined) return parent
  return whole === undefined ? { ...parent, partial: part } : { ...parent, rejected: whole, attachments: [] }
}

/** The proxy of a controller, and the ports of the Service by which clients reach it; nothing where none is known. */
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

/** The first counts where all else is the same. */
function allRoutes({ httpRoutes = [], grpcRoutes = [], tlsRoutes = [] }: Cluster): GatewayRoute[] {
  return [...httpRoutes, ...grpcRoutes, ...tlsRoutes].sort(oldestFirst)
}

/** By age, then by namespace and name. */
function oldestFirst(a: KubeObject, b: KubeObject): number {
  const made = ({ metadata }: KubeObject) => Date.parse(metadata.creationTimestamp ?? '') || 0
  const name = ({ metadata }: KubeObject) => `${metadata.namespace ?? 'default'}/${metadata.name}`
  return made(a) - made(b) || (name(a) < name(b) ? -1 : Number(name(a) > name(b)))
}

function parentsOf(
  cluster: Cluster,
  listeners: readonly ServedListener[],
  { proxy }: ListenerPlace,
): ParentResult[] {
  const results: ParentResult[] = []
  for (const route of allRoutes(cluster)) {
    const rivals = results.filter((one) => one.route.kind === rivalKinds[route.kind])
    for (const parentRef of route.spec.parentRefs ?? []) {
      const { kind = 'Gateway', namespace = route.metadata.namespace ?? 'default', name } = parentRef
      const meant = listeners.filter(
        ({ gateway: { metadata } }) =>
          kind === 'Gateway' && metadata.name === name && (metadata.namespace ?? 'default') === namespace,
      )
      // another controller's, or nobody's
      if (meant.length === 0) continue
      const asked = attach(cluster, route, parentRef, meant)
      const { attachments, fault } = withoutConflicts(asked.attachments, rivals)
      const rejected = asked.fault ?? unsupportedOf(route, proxy) ?? fault
      const [unresolved] = routesOf(cluster, route, { port: 80, protocol: 'HTTP' }).faults
      results.push({
        ...{ route, parentRef, rejected, unresolved },
        attachments: rejected === undefined ? attachments : [],
      })
    }
  }
  return results
}

function modelOf(
  cluster: Cluster,
  beside: readonly ServedListener[],
  parents: readonly ParentResult[],
): Listener {
  const { port, protocol } = beside[0]!.listener
  const names = [...new Set(beside.map(({ hostname }) => hostname))].sort(mostParticularFirst)
  const hosts = names.flatMap((name) => {
    const own = beside.filter(({ hostname }) => hostname === name)
    return hostsOf(cluster, own, parents).filter(
      // a name that a more particular listener takes is its own
      (host) => names.find((one) => covers(one, host.hostname)) === name,
    )
  })
  return { port, protocol: protocol as Listener['protocol'], proxyProtocol: false, hosts }
}

/** The hosts of listeners with one host name; each has the routes of less particular ones behind its own. */
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
  // connections for the names of further certificates are shown those, whatever routes there are
  const further = first.certificates
    .slice(1)
    .flatMap(({ names }) => namesOf(names))
    .filter((name) => covers(first.hostname, name))
  const routes = new Map<string, Route[]>([first.hostname, ...further].map((name) => [name, []]))
  for (const one of attached)
    for (const name of one.hostnames) routes.set(name, [...(routes.get(name) ?? []), ...one.routes])
  for (const own of routes.values()) own.sort(byPrecedence)
  return [...routes.keys()].sort(mostParticularFirst).map((hostname) => ({
    hostname,
    wildcard: 'suffix',
    certificate: certificateFor(first.certificates, hostname)?.id,
    listener: first.hostname,
    routes: covering(hostname).flatMap((name) => routes.get(name) ?? []),
  }))
}
