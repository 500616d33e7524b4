import type { Gateway, GatewayClass, GatewayRoute, ListenerStatus } from '../../cluster/gatewayTypes.js'
import type { RouteParentStatus } from '../../cluster/gatewayTypes.js'
import type { Cluster } from '../../cluster/types.js'
import { condition, type Fault } from './conditions.js'
import { gatewayConfiguration, gatewaysOf, type GatewayConfiguration } from './gatewayConfiguration.js'
import { isServed } from './listeners.js'

/** Names of features in the Gateway API's own list, sorted as it asks for. */
export const supportedFeatures = [
  'GRPCRoute',
  'Gateway',
  'GatewayHTTPListenerIsolation',
  'HTTPRoute',
  'HTTPRouteBackendRequestHeaderModification',
  'HTTPRouteBackendTimeout',
  'HTTPRouteHostRewrite',
  'HTTPRouteMethodMatching',
  'HTTPRouteParentRefPort',
  'HTTPRoutePathRedirect',
  'HTTPRoutePathRewrite',
  'HTTPRoutePortRedirect',
  'HTTPRouteQueryParamMatching',
  'HTTPRouteRequestTimeout',
  'HTTPRouteResponseHeaderModification',
  'HTTPRouteSchemeRedirect',
  'ReferenceGrant',
  'TLSRoute',
].map((name) => ({ name }))

type Address = NonNullable<NonNullable<Gateway['status']>['addresses']>[number]

/** The cluster with what a controller says of its classes, its Gateways and the routes that name them; the same one when all is said. */
export function withGatewayStatus(
  cluster: Cluster,
  controller: string,
  given: readonly { readonly ip?: string; readonly hostname?: string }[],
): Cluster {
  const { gatewayClasses = [], gateways = [], httpRoutes = [], grpcRoutes = [], tlsRoutes = [] } = cluster
  if (!gatewayClasses.some(({ spec }) => spec.controllerName === controller)) return cluster
  const found = gatewayConfiguration(cluster, controller)
  const own = new Set(gatewaysOf(cluster, controller))
  const addresses = given.flatMap(({ ip, hostname }): Address[] =>
    ip !== undefined
      ? [{ type: 'IPAddress', value: ip }]
      : hostname !== undefined
        ? [{ type: 'Hostname', value: hostname }]
        : [],
  )
  const next = {
    gatewayClasses: gatewayClasses.map((one) =>
      one.spec.controllerName === controller ? withStatus(one, classStatus(one)) : one,
    ),
    gateways: gateways.map((one) =>
      own.has(one) ? withStatus(one, gatewayStatus(one, found, addresses)) : one,
    ),
    httpRoutes: httpRoutes.map((one) => withStatus(one, routeStatus(one, found, controller))),
    grpcRoutes: grpcRoutes.map((one) => withStatus(one, routeStatus(one, found, controller))),
    tlsRoutes: tlsRoutes.map((one) => withStatus(one, routeStatus(one, found, controller))),
  }
  const before = [gatewayClasses, gateways, httpRoutes, grpcRoutes, tlsRoutes]
  const isSame = Object.values(next).every((list, index) =>
    list.every((one, place) => one === before[index]?.[place]),
  )
  return isSame ? cluster : { ...cluster, ...next }
}

function withStatus<Kind extends { status?: unknown }>(object: Kind, status: Kind['status']): Kind {
  return JSON.stringify(object.status) === JSON.stringify(status) ? object : { ...object, status }
}

function classStatus(gatewayClass: GatewayClass): GatewayClass['status'] {
  const { parametersRef } = gatewayClass.spec
  const fault =
    parametersRef === undefined
      ? undefined
      : { reason: 'InvalidParameters', message: `parameters of kind ${parametersRef.kind} are not known` }
  return { conditions: [condition(gatewayClass, 'Accepted', fault)], supportedFeatures }
}

function gatewayStatus(
  gateway: Gateway,
  { listeners, parents }: GatewayConfiguration,
  addresses: Address[],
): Gateway['status'] {
  const own = listeners.filter((one) => one.gateway === gateway)
  const isWhole = own.every((one) => one.rejected === undefined && one.conflict === undefined)
  const asked = gateway.spec.addresses ?? []
  const addressFault: Fault | undefined =
    asked.length > 0
      ? { reason: 'UnsupportedAddress', message: 'an address is given by the Service of the controller' }
      : undefined
  const notThere: Fault | undefined =
    addresses.length === 0
      ? { reason: 'AddressNotAssigned', message: 'the Service of the controller has no address' }
      : own.some(isServed)
        ? undefined
        : { reason: 'Invalid', message: 'no listener is served' }
  return {
    addresses,
    conditions: [
      condition(gateway, 'Accepted', addressFault, isWhole ? {} : { reason: 'ListenersNotValid' }),
      condition(
        gateway,
        'Programmed',
        addressFault === undefined ? notThere : { ...addressFault, reason: 'Invalid' },
      ),
    ],
    listeners: own.map((one): ListenerStatus => {
      const { listener, kinds, conflict, rejected, unresolved } = one
      const attached = parents.filter(({ attachments }) =>
        attachments.some((attachment) => attachment.listener === one),
      )
      const unserved: Fault | undefined = isServed(one)
        ? undefined
        : { reason: 'Invalid', message: (conflict ?? rejected ?? unresolved)?.message ?? 'it is not served' }
      return {
        name: listener.name,
        supportedKinds: kinds.map((kind) => ({ group: 'gateway.networking.k8s.io', kind })),
        attachedRoutes: new Set(attached.map(({ route }) => route)).size,
        conditions: [
          condition(gateway, 'Accepted', rejected ?? conflict),
          condition(gateway, 'Programmed', unserved),
          condition(gateway, 'ResolvedRefs', unresolved),
          conflict === undefined
            ? { ...condition(gateway, 'Conflicted', { reason: 'NoConflicts', message: '' }) }
            : { ...condition(gateway, 'Conflicted', undefined, conflict) },
        ],
      }
    }),
  }
}

/** What other controllers have said of a route stays. */
function routeStatus(
  route: GatewayRoute,
  { parents }: GatewayConfiguration,
  controller: string,
): GatewayRoute['status'] {
  const others = (route.status?.parents ?? []).filter(({ controllerName }) => controllerName !== controller)
  const own = parents
    .filter((one) => one.route === route)
    .map(({ parentRef, rejected, unresolved }): RouteParentStatus => ({
      parentRef,
      controllerName: controller,
      conditions: [condition(route, 'Accepted', rejected), condition(route, 'ResolvedRefs', unresolved)],
    }))
  const all = [...others, ...own].sort((a, b) => (a.controllerName < b.controllerName ? -1 : 1))
  return all.length === 0 && route.status === undefined ? undefined : { parents: all }
}
