import { anyObject, int32, list, string, stringMap, stringType, strings, struct } from './field.js'
import type { Schema, StructSchema } from './field.js'
import { labelSelector, customSchema } from './metadata.js'

const fromNamespaces = { from: stringType('FromNamespaces'), selector: labelSelector }

const listener = struct(
  'Listener',
  {
    name: string,
    hostname: string,
    port: int32,
    protocol: stringType('ProtocolType'),
    tls: struct('ListenerTLSConfig', {
      mode: stringType('TLSModeType'),
      certificateRefs: list(
        struct('SecretObjectReference', { group: string, kind: string, name: string, namespace: string }, [
          'name',
        ]),
      ),
      options: stringMap,
    }),
    allowedRoutes: struct('AllowedRoutes', {
      namespaces: struct('RouteNamespaces', fromNamespaces),
      kinds: list(struct('RouteGroupKind', { group: string, kind: string }, ['kind'])),
    }),
  },
  ['name', 'port', 'protocol'],
)

const infrastructure = struct('GatewayInfrastructure', {
  labels: stringMap,
  annotations: stringMap,
  parametersRef: anyObject('LocalParametersReference'),
})

/** Gateway of gateway.networking.k8s.io/v1. */
export const gatewaySchema = customSchema(
  'Gateway',
  {
    spec: struct(
      'GatewaySpec',
      {
        gatewayClassName: string,
        listeners: list(listener),
        addresses: list(struct('GatewaySpecAddress', { type: string, value: string })),
        infrastructure,
        allowedListeners: struct('AllowedListeners', {
          namespaces: struct('ListenerNamespaces', fromNamespaces),
        }),
        ...Object.fromEntries(['tls', 'backendTLS'].map((name) => [name, anyObject(name)])),
      },
      ['gatewayClassName', 'listeners'],
    ),
    status: anyObject('GatewayStatus'),
  },
  ['spec'],
)

/** ListenerSet of gateway.networking.k8s.io/v1. */
export const listenerSetSchema = customSchema(
  'ListenerSet',
  {
    spec: struct(
      'ListenerSetSpec',
      {
        parentRef: struct(
          'ParentGatewayReference',
          { group: string, kind: string, name: string, namespace: string },
          ['name'],
        ),
        listeners: list(listener),
      },
      // validation requires parentRef: an empty one would lack its name instead
      ['listeners'],
    ),
    status: anyObject('ListenerSetStatus'),
  },
  ['spec'],
)

const reference: Record<string, Schema> = {
  group: string,
  kind: string,
  namespace: string,
  name: string,
  port: int32,
}

const header = struct('HTTPHeader', { name: string, value: string }, ['name', 'value'])
const headerFilter = struct('HTTPHeaderFilter', { set: list(header), add: list(header), remove: strings })
const pathModifier = struct(
  'HTTPPathModifier',
  { type: stringType('HTTPPathModifierType'), replaceFullPath: string, replacePrefixMatch: string },
  ['type'],
)

/** A filter; GRPCRoute supports fewer types, which validation checks. */
const filter = struct(
  'HTTPRouteFilter',
  {
    type: stringType('HTTPRouteFilterType'),
    requestHeaderModifier: headerFilter,
    responseHeaderModifier: headerFilter,
    requestMirror: struct(
      'HTTPRequestMirrorFilter',
      {
        backendRef: struct('BackendObjectReference', reference, ['name']),
        percent: int32,
        fraction: struct('Fraction', { numerator: int32, denominator: int32 }, ['numerator']),
      },
      ['backendRef'],
    ),
    requestRedirect: struct('HTTPRequestRedirectFilter', {
      scheme: string,
      hostname: string,
      path: pathModifier,
      port: int32,
      statusCode: int32,
    }),
    urlRewrite: struct('HTTPURLRewriteFilter', { hostname: string, path: pathModifier }),
    cors: anyObject('HTTPCORSFilter'),
    externalAuth: anyObject('HTTPExternalAuthFilter'),
    extensionRef: struct('LocalObjectReference', { group: string, kind: string, name: string }, [
      'group',
      'kind',
      'name',
    ]),
  },
  ['type'],
)

const parents = list(struct('ParentReference', { ...reference, sectionName: string }, ['name']))
const backends = list(
  struct('HTTPBackendRef', { ...reference, weight: int32, filters: list(filter) }, ['name']),
)

function nameValue(name: string): Schema {
  return list(
    struct(name, { type: stringType(`${name}Type`), name: string, value: string }, ['name', 'value']),
  )
}

const httpMatch = struct('HTTPRouteMatch', {
  path: struct('HTTPPathMatch', { type: stringType('PathMatchType'), value: string }),
  headers: nameValue('HTTPHeaderMatch'),
  queryParams: nameValue('HTTPQueryParamMatch'),
  method: stringType('HTTPMethod'),
})

const grpcMatch = struct('GRPCRouteMatch', {
  method: struct('GRPCMethodMatch', {
    type: stringType('GRPCMethodMatchType'),
    service: string,
    method: string,
  }),
  headers: nameValue('GRPCHeaderMatch'),
})

function routeSchema(kind: string, rule: Readonly<Record<string, Schema>>): StructSchema {
  const spec = struct(`${kind}Spec`, {
    parentRefs: parents,
    hostnames: strings,
    useDefaultGateways: string,
    rules: list(struct(`${kind}Rule`, { name: string, backendRefs: backends, ...rule })),
  })
  return customSchema(kind, { spec, status: anyObject('RouteStatus') }, ['spec'])
}

const routeExtras: Record<string, Schema> = { sessionPersistence: anyObject('SessionPersistence') }

/** HTTPRoute of gateway.networking.k8s.io/v1. */
export const httpRouteSchema = routeSchema('HTTPRoute', {
  matches: list(httpMatch),
  filters: list(filter),
  timeouts: struct('HTTPRouteTimeouts', { request: string, backendRequest: string }),
  retry: anyObject('HTTPRouteRetry'),
  ...routeExtras,
})

/** GRPCRoute of gateway.networking.k8s.io/v1. */
export const grpcRouteSchema = routeSchema('GRPCRoute', {
  matches: list(grpcMatch),
  filters: list(filter),
  ...routeExtras,
})

/** TLSRoute of gateway.networking.k8s.io/v1, v1alpha3 and v1alpha2. */
export const tlsRouteSchema = routeSchema('TLSRoute', {})
