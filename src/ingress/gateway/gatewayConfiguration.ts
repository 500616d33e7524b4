import type { Gateway, GatewayRoute, ParentReference } from '../../cluster/gatewayTypes.js'
import type { Cluster } from '../../cluster/types.js'
import type { Certificate, Listener, ProxyConfiguration, Route, VirtualHost } from '../model.js'
import { attach, type Attachment } from './attachment.js'
import type { Fault } from './conditions.js'
import { covers, mostParticularFirst } from './hostnames.js'
import { isServed, listenersOf, type ServedListener } from './listeners.js'
import { byPrecedence, routesOf, unsupportedOf } from './routes.js'

/** A route and one of its parents. */
export interface ParentResult {
  readonly route: GatewayRoute
  readonly parentRef: ParentReference
  readonly attachments: readonly Attachment[]
  readonly rejected?: Fault | undefined
  readonly unresolved?: Fault | undefined
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
  const open = openPorts(cluster, controller)
  const listeners = gatewaysOf(cluster, controller).flatMap((gateway) => listenersOf(cluster, gateway, open))
  const parents = allRoutes(cluster).flatMap((route) => parentsOf(cluster, route, listeners))
  const served = listeners.filter(isServed)
  const places = [...new Set(served.map(placeOf))].map((place) =>
    served.filter((one) => placeOf(one) === place),
  )
  const certificates: Record<string, Certificate> = {}
  for (const { certificate } of served)
    if (certificate !== undefined) certificates[certificate.id] = certificate.value
  return {
    listeners,
    parents,
    configuration: { certificates, listeners: places.map((beside) => modelOf(cluster, beside, parents)) },
  }
}

/** The ports of the Service by which clients reach a controller; undefined where none is known. */
function openPorts(
  { ingressControllers = [], services }: Cluster,
  controller: string,
): ReadonlySet<number> | undefined {
  const named = ingressControllers.find((one) => one.controller === controller)?.service
  const found = services.find(
    ({ metadata }) => metadata.name === named?.name && metadata.namespace === named?.namespace,
  )
  return found === undefined ? undefined : new Set((found.spec.ports ?? []).map(({ port }) => port))
}

function placeOf({ listener }: ServedListener): string {
  return `${listener.port} ${listener.protocol}`
}

/** The oldest first, then by namespace and name: the first counts where all else is the same. */
function allRoutes({ httpRoutes = [], grpcRoutes = [], tlsRoutes = [] }: Cluster): GatewayRoute[] {
  const made = ({ metadata }: GatewayRoute) => Date.parse(metadata.creationTimestamp ?? '') || 0
  const name = ({ metadata }: GatewayRoute) => `${metadata.namespace ?? 'default'}/${metadata.name}`
  return [...httpRoutes, ...grpcRoutes, ...tlsRoutes].sort(
    (a, b) => made(a) - made(b) || (name(a) < name(b) ? -1 : 1),
  )
}

function parentsOf(
  cluster: Cluster,
  route: GatewayRoute,
  listeners: readonly ServedListener[],
): ParentResult[] {
  const own = route.metadata.namespace ?? 'default'
  return (route.spec.parentRefs ?? []).flatMap((parentRef): ParentResult[] => {
    const { kind = 'Gateway', namespace = own, name } = parentRef
    const meant = listeners.filter(
      ({ gateway: { metadata } }) =>
        kind === 'Gateway' && metadata.name === name && (metadata.namespace ?? 'default') === namespace,
    )
    // another controller's, or nobody's
    if (meant.length === 0) return []
    const { attachments, fault } = attach(cluster, route, parentRef, meant)
    const rejected = fault ?? unsupportedOf(route)
    const [unresolved] = routesOf(cluster, route, { port: 80, protocol: 'HTTP' }).faults
    return [
      { route, parentRef, rejected, unresolved, attachments: rejected === undefined ? attachments : [] },
    ]
  })
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
  const names = [...new Set([first.hostname, ...attached.flatMap(({ hostnames }) => hostnames)])]
  const sorted = names.sort(mostParticularFirst)
  const routesFor = (name: string): Route[] =>
    attached
      .filter(({ hostnames }) => hostnames.includes(name))
      .flatMap(({ routes }) => routes)
      .sort(byPrecedence)
  return sorted.map((hostname) => ({
    hostname,
    wildcard: 'suffix',
    certificate: first.certificate?.id,
    listener: first.hostname,
    routes: sorted.filter((one) => covers(one, hostname)).flatMap(routesFor),
  }))
}
