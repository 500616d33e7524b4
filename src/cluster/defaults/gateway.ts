import type {
  BackendReference,
  Gateway,
  GatewayListener,
  GRPCRoute,
  HTTPRoute,
  HTTPRouteMatch,
  ListenerSet,
  NameValueMatch,
  ParentReference,
  RouteBackendReference,
  RouteFilter,
  SecretObjectReference,
  TLSRoute,
} from '../types/gateway.js'
import type { KubeObject } from '../types.js'

const group = 'gateway.networking.k8s.io'

/** In version v1, whatever the written version, and in its first generation. */
export function stored<Written extends KubeObject>(written: Written): Written {
  return storedVersion(firstGeneration(written))
}

/** In version v1, whatever the written version. */
export function storedVersion<Written extends KubeObject>(written: Written): Written {
  return { ...written, apiVersion: `${group}/v1` }
}

function firstGeneration<Written extends KubeObject>(written: Written): Written {
  return { ...written, metadata: { ...written.metadata, generation: 1 } }
}

/** A Gateway with the defaults of its listeners. */
export function defaultGateway({ status: _status, ...written }: Gateway): Gateway {
  const listeners = written.spec.listeners.map(withListenerDefaults)
  const { allowedListeners } = written.spec
  const allowed =
    allowedListeners === undefined
      ? {}
      : { allowedListeners: { namespaces: { from: 'None' as const, ...allowedListeners.namespaces } } }
  return { ...stored(written), spec: { ...written.spec, ...allowed, listeners } }
}

/** A ListenerSet with the defaults of its listeners, whose parent is a Gateway. */
export function defaultListenerSet({ status: _status, ...written }: ListenerSet): ListenerSet {
  const { parentRef }: Partial<ListenerSet['spec']> = written.spec
  return {
    ...stored(written),
    spec: {
      ...written.spec,
      ...(parentRef === undefined ? {} : { parentRef: { group, kind: 'Gateway', ...parentRef } }),
      listeners: written.spec.listeners.map(withListenerDefaults),
    },
  }
}

function withListenerDefaults({ tls, allowedRoutes, ...listener }: GatewayListener): GatewayListener {
  const secrets = tls?.certificateRefs?.map((ref): SecretObjectReference => ({
    group: '',
    kind: 'Secret',
    ...ref,
  }))
  return {
    ...listener,
    ...(tls === undefined
      ? {}
      : {
          tls: {
            mode: 'Terminate',
            ...tls,
            ...(secrets === undefined ? {} : { certificateRefs: secrets }),
          },
        }),
    allowedRoutes: {
      ...allowedRoutes,
      namespaces: { from: 'Same', ...allowedRoutes?.namespaces },
      ...(allowedRoutes?.kinds === undefined
        ? {}
        : { kinds: allowedRoutes.kinds.map((kind) => ({ group, ...kind })) }),
    },
  }
}

/** An HTTPRoute with defaults: without matches a rule matches every path, backends are Services of weight 1. */
export function defaultHttpRoute({ status: _status, ...route }: HTTPRoute): HTTPRoute {
  const rules = (route.spec.rules ?? [{}]).map((rule) => ({
    ...rule,
    matches: (rule.matches ?? [{}]).map(withMatchDefaults),
    ...filtersOf(rule.filters),
    ...backendsOf(rule.backendRefs),
  }))
  return { ...stored(route), spec: { ...route.spec, ...parentsOf(route.spec), rules } }
}

function withMatchDefaults({ path, headers, queryParams, ...match }: HTTPRouteMatch): HTTPRouteMatch {
  return {
    ...match,
    path: { type: 'PathPrefix', value: '/', ...path },
    ...(headers === undefined ? {} : { headers: headers.map(withMatchType) }),
    ...(queryParams === undefined ? {} : { queryParams: queryParams.map(withMatchType) }),
  }
}

function withMatchType(match: NameValueMatch): NameValueMatch {
  return { type: 'Exact', ...match }
}

/** A GRPCRoute with the defaults of its matches and backends. */
export function defaultGrpcRoute({ status: _status, ...route }: GRPCRoute): GRPCRoute {
  const rules = (route.spec.rules ?? []).map(({ matches, ...rule }) => ({
    ...rule,
    ...(matches === undefined
      ? {}
      : {
          matches: matches.map(({ method, headers, ...match }) => ({
            ...match,
            ...(method === undefined ? {} : { method: { type: 'Exact' as const, ...method } }),
            ...(headers === undefined ? {} : { headers: headers.map(withMatchType) }),
          })),
        }),
    ...filtersOf(rule.filters),
    ...backendsOf(rule.backendRefs),
  }))
  return { ...stored(route), spec: { ...route.spec, ...parentsOf(route.spec), rules } }
}

/** A TLSRoute with the defaults of its backends, in its written version, whose rules validation needs. */
export function defaultTlsRoute({ status: _status, ...route }: TLSRoute): TLSRoute {
  const rules = route.spec.rules?.map((rule) => ({ ...rule, ...backendsOf(rule.backendRefs) }))
  return {
    ...firstGeneration(route),
    spec: { ...route.spec, ...parentsOf(route.spec), ...(rules === undefined ? {} : { rules }) },
  }
}

function parentsOf({ parentRefs }: { parentRefs?: ParentReference[] }): { parentRefs?: ParentReference[] } {
  if (parentRefs === undefined) return {}
  return { parentRefs: parentRefs.map((ref) => ({ group, kind: 'Gateway', ...ref })) }
}

function backendsOf(backendRefs: RouteBackendReference[] | undefined): {
  backendRefs?: RouteBackendReference[]
} {
  if (backendRefs === undefined) return {}
  return {
    backendRefs: backendRefs.map((ref) => ({
      ...asService(ref),
      weight: ref.weight ?? 1,
      ...filtersOf(ref.filters),
    })),
  }
}

function filtersOf(filters: RouteFilter[] | undefined): { filters?: RouteFilter[] } {
  return filters === undefined ? {} : { filters: filters.map(withFilterDefaults) }
}

function withFilterDefaults(filter: RouteFilter): RouteFilter {
  const { requestMirror, requestRedirect } = filter
  return {
    ...filter,
    ...(requestMirror === undefined
      ? {}
      : { requestMirror: { ...requestMirror, backendRef: asService(requestMirror.backendRef) } }),
    ...(requestRedirect === undefined ? {} : { requestRedirect: { statusCode: 302, ...requestRedirect } }),
  }
}

function asService<Reference extends BackendReference>(ref: Reference): Reference {
  return { group: '', kind: 'Service', ...ref }
}
