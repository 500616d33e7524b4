import type { Gateway, GatewayClass, GatewayRoute, ListenerSet } from '../../cluster/types/gateway.js'
import type { RouteParentStatus } from '../../cluster/types/gateway.js'
import type { Cluster } from '../../cluster/types.js'
import { condition, type Fault } from './conditions.js'
import {
  gatewayConfiguration,
  gatewaysOf,
  type GatewayConfiguration,
  type ParentResult,
} from './gatewayConfiguration.js'
import { featuresOf, type KnownProxy } from './features.js'
import { addressFaults, gatewayFault } from './gatewayFaults.js'
import { isServed } from './listeners.js'
import { listenerSetsOf } from './listenerSets.js'
import { listenerSetStatus } from './listenerSetStatus.js'
import { listenerStatus } from './listenerStatus.js'
import { withTransitions } from './transitions.js'

type Address = NonNullable<NonNullable<Gateway['status']>['addresses']>[number]

/** The cluster with the statuses of a controller's classes, Gateways and their routes; the same object if nothing changed. */
export function withGatewayStatus(
  cluster: Cluster,
  controller: string,
  given: readonly { readonly ip?: string; readonly hostname?: string }[],
): Cluster {
  const { gatewayClasses = [], gateways = [], listenerSets = [] } = cluster
  const { httpRoutes = [], grpcRoutes = [], tlsRoutes = [] } = cluster
  if (!gatewayClasses.some(({ spec }) => spec.controllerName === controller)) return cluster
  const found = gatewayConfiguration(cluster, controller)
  const own = gatewaysOf(cluster, controller)
  const proxy = (cluster.ingressControllers ?? []).find((one) => one.controller === controller)?.proxy
  const withStatus = <Kind extends { status?: unknown }>(object: Kind, status: Kind['status']): Kind => {
    const timed = withTransitions(status, object.status, cluster.now)
    return JSON.stringify(object.status) === JSON.stringify(timed) ? object : { ...object, status: timed }
  }
  const addresses = given.flatMap(({ ip, hostname }): Address[] =>
    ip !== undefined
      ? [{ type: 'IPAddress', value: ip }]
      : hostname !== undefined
        ? [{ type: 'Hostname', value: hostname }]
        : [],
  )
  const byRoute = new Map<GatewayRoute, ParentResult[]>()
  for (const one of found.parents) byRoute.set(one.route, [...(byRoute.get(one.route) ?? []), one])
  const statusOf = (route: GatewayRoute) => routeStatus(route, byRoute.get(route) ?? [], controller)
  const gatewayStatuses = new Map<Gateway, NonNullable<Gateway['status']>>()
  const setStatuses = new Map<ListenerSet, ListenerSet['status']>()
  for (const one of own) {
    const status = gatewayStatus(cluster, one, found, addresses)
    const sets = listenerSetsOf(cluster, one).map(
      (set) => [set, listenerSetStatus(cluster, set, one, status.conditions ?? [], found)] as const,
    )
    for (const [set, itsStatus] of sets) setStatuses.set(set, itsStatus)
    const attached = sets.filter(([, { conditions }]) =>
      conditions?.some(({ type, status }) => type === 'Accepted' && status === 'True'),
    )
    const isCounted = sets.length > 0 || one.spec.allowedListeners !== undefined
    gatewayStatuses.set(one, {
      ...status,
      ...(isCounted ? { attachedListenerSets: attached.length } : {}),
    })
  }
  const next = {
    gatewayClasses: gatewayClasses.map((one) =>
      one.spec.controllerName === controller ? withStatus(one, classStatus(one, proxy)) : one,
    ),
    gateways: gateways.map((one) =>
      gatewayStatuses.has(one) ? withStatus(one, gatewayStatuses.get(one)) : one,
    ),
    listenerSets: listenerSets.map((one) =>
      setStatuses.has(one) ? withStatus(one, setStatuses.get(one)) : one,
    ),
    httpRoutes: httpRoutes.map((one) => withStatus(one, statusOf(one))),
    grpcRoutes: grpcRoutes.map((one) => withStatus(one, statusOf(one))),
    tlsRoutes: tlsRoutes.map((one) => withStatus(one, statusOf(one))),
  }
  const before = [gatewayClasses, gateways, listenerSets, httpRoutes, grpcRoutes, tlsRoutes]
  const isSame = Object.values(next).every((list, index) =>
    list.every((one, place) => one === before[index]?.[place]),
  )
  return isSame ? cluster : { ...cluster, ...next }
}

function classStatus(gatewayClass: GatewayClass, proxy: KnownProxy | undefined): GatewayClass['status'] {
  const { parametersRef } = gatewayClass.spec
  const fault =
    parametersRef === undefined
      ? undefined
      : { reason: 'InvalidParameters', message: `parameters of kind ${parametersRef.kind} are not supported` }
  return { conditions: [condition(gatewayClass, 'Accepted', fault)], supportedFeatures: featuresOf(proxy) }
}

function gatewayStatus(
  cluster: Cluster,
  gateway: Gateway,
  { listeners, parents }: GatewayConfiguration,
  addresses: Address[],
): NonNullable<Gateway['status']> {
  const own = listeners.filter(({ owner }) => owner === gateway)
  const broken = own.filter(({ rejected, conflict }) => rejected !== undefined || conflict !== undefined)
  const { unsupported, unusable } = addressFaults(gateway, addresses)
  const rejectedGateway = gatewayFault(cluster, gateway) ?? unsupported
  const unprogrammed: Fault | undefined =
    addresses.length === 0
      ? { reason: 'AddressNotAssigned', message: 'the Service of the controller has no address' }
      : own.some(isServed)
        ? unusable
        : { reason: 'Invalid', message: 'no listener is served' }
  const names = broken.map(({ listener }) => listener.name).join(', ')
  const partly = { reason: 'ListenersNotValid', message: `not served: listener ${names}` }
  return {
    addresses,
    conditions: [
      condition(gateway, 'Accepted', rejectedGateway, broken.length === 0 ? {} : partly),
      condition(
        gateway,
        'Programmed',
        rejectedGateway === undefined
          ? unprogrammed
          : { reason: 'Invalid', message: rejectedGateway.message },
      ),
    ],
    listeners: own.map((one) => listenerStatus(one, parents)),
  }
}

/** The statuses of other controllers are kept. */
function routeStatus(
  route: GatewayRoute,
  found: readonly ParentResult[],
  controller: string,
): GatewayRoute['status'] {
  const others = (route.status?.parents ?? []).filter(({ controllerName }) => controllerName !== controller)
  const own = found.map(({ parentRef, rejected, unresolved, partial }): RouteParentStatus => ({
    parentRef,
    controllerName: controller,
    conditions: [
      condition(route, 'Accepted', rejected),
      condition(route, 'ResolvedRefs', unresolved),
      // this condition exists only if it is true
      ...(partial === undefined ? [] : [condition(route, 'PartiallyInvalid', undefined, partial)]),
    ],
  }))
  const all = [...others, ...own].sort((a, b) => (a.controllerName < b.controllerName ? -1 : 1))
  return all.length === 0 && route.status === undefined ? undefined : { parents: all }
}
