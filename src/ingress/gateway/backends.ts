import type { GatewayRoute, RouteBackendReference, RouteFilter } from '../../cluster/types/gateway.js'
import type { Cluster } from '../../cluster/types.js'
import type { HeaderModifier, WeightedBackend } from '../model.js'
import { serviceBackend } from '../objects/serviceBackend.js'
import type { Fault } from './conditions.js'
import { isGranted } from './grants.js'

/** A backend of a route; its share of the requests is answered with 500 if there is a fault. */
export function backendOf(
  cluster: Cluster,
  route: GatewayRoute,
  ref: RouteBackendReference,
): { readonly backend: WeightedBackend; readonly fault?: Fault } {
  const own = route.metadata.namespace ?? 'default'
  const { group = '', kind = 'Service', name, namespace = own, port, weight = 1, filters } = ref
  const common = {
    name: `${namespace}/${name}:${port ?? ''}`,
    weight,
    ...modifiersOf(filters),
  }
  const isGrpc = route.kind === 'GRPCRoute'
  const broken = (reason: string, message: string) => ({
    // a missing backend must not change a port that serves only gRPC
    backend: {
      ...common,
      protocol: isGrpc ? ('GRPC' as const) : ('HTTP' as const),
      endpoints: [],
      unresolvedStatus: 500,
    },
    fault: { reason, message },
  })
  if (group !== '' || kind !== 'Service')
    return broken(
      'InvalidKind',
      `a backend must be a Service, not a ${kind}${group === '' ? '' : `.${group}`}`,
    )
  if (!isGranted(cluster, { kind: route.kind, namespace: own }, { group, kind, namespace, name }))
    return broken(
      'RefNotPermitted',
      `no ReferenceGrant in namespace ${namespace} allows ${route.kind}s of ${own} to use Service ${name}`,
    )
  const found = serviceBackend(cluster, { namespace, name, port })
  if (found.problem !== undefined) return broken('BackendNotFound', found.problem)
  const { appProtocol = '' } = found.port ?? {}
  if (appProtocol === 'kubernetes.io/wss')
    return broken('UnsupportedProtocol', `the appProtocol ${appProtocol} of port ${port} is not supported`)
  const isH2c = appProtocol === 'kubernetes.io/h2c'
  const protocol = isGrpc ? 'GRPC' : isH2c ? 'H2C' : 'HTTP'
  return { backend: { ...common, protocol, endpoints: found.endpoints } }
}

/** The header modifiers of filters. */
export function modifiersOf(filters: readonly RouteFilter[] = []): {
  requestHeaders?: HeaderModifier
  responseHeaders?: HeaderModifier
} {
  const of = (field: 'requestHeaderModifier' | 'responseHeaderModifier') => {
    const given = filters.find((filter) => filter[field] !== undefined)?.[field]
    if (given === undefined) return undefined
    const { set = [], add = [], remove = [] } = given
    return { set, add, remove }
  }
  const [request, response] = [of('requestHeaderModifier'), of('responseHeaderModifier')]
  return {
    ...(request === undefined ? {} : { requestHeaders: request }),
    ...(response === undefined ? {} : { responseHeaders: response }),
  }
}
