import t from 'tap'
import { gatewayConfiguration } from '../../../src/ingress/gateway/gatewayConfiguration.js'
import { withGatewayStatus } from '../../../src/ingress/gateway/gatewayStatus.js'
import { clusterWith, routeText } from '../rules/objects.js'

const controller = 'example.com/gateway'
const group = 'gateway.networking.k8s.io'

function objectText(kind: string, name: string, spec: object, metadata: object = {}): string {
  return JSON.stringify({ apiVersion: `${group}/v1`, kind, metadata: { name, ...metadata }, spec })
}

const gatewayClass = objectText('GatewayClass', 'lab', { controllerName: controller })
const listener = (name: string, more: object = {}) => ({ name, port: 80, protocol: 'HTTP', ...more })
const gateway = (...listeners: readonly object[]) =>
  objectText('Gateway', 'edge', { gatewayClassName: 'lab', listeners })
const to = (name: string, more: object = {}) => ({ name, port: 80, ...more })
const route = (name: string, spec: object, metadata: object = {}) =>
  objectText('HTTPRoute', name, { parentRefs: [{ name: 'edge' }], ...spec }, metadata)
const rules = (...paths: readonly [path: object, to: string][]) =>
  paths.map(([match, name]) => ({ matches: [match], backendRefs: [to(name)] }))
const prefix = (value: string, more: object = {}) => ({ path: { type: 'PathPrefix', value }, ...more })

function compiled(...objects: readonly string[]) {
  const cluster = clusterWith(gatewayClass, ...objects)
  const { configuration } = gatewayConfiguration(cluster, controller)
  const after = withGatewayStatus(cluster, controller, [{ ip: '192.0.2.1' }])
  const routesOf = (hostname: string) =>
    configuration.listeners
      .flatMap(({ hosts }) => hosts)
      .find((host) => host.hostname === hostname)
      ?.routes.map(routeText)
  const parents = (after.httpRoutes ?? []).flatMap(({ status }) => status?.parents ?? [])
  return { configuration, after, routesOf, parents, edge: after.gateways?.[0]?.status }
}

t.test('paths, methods, headers and parameters in their precedence', async (t) => {
  const { routesOf } = compiled(
    gateway(listener('http')),
    route('r', {
      rules: rules(
        [prefix('/'), 'a'],
        [prefix('/long'), 'a'],
        [prefix('/long', { queryParams: [{ name: 'q', value: '1' }] }), 'a'],
        [prefix('/long', { headers: [{ name: 'h', value: '1' }] }), 'a'],
        [prefix('/long', { method: 'POST' }), 'b'],
        [{ path: { type: 'Exact', value: '/l' } }, 'a'],
      ),
    }),
  )
  t.same(routesOf('*'), [
    'Exact /l > default/a:80*1',
    'Prefix /long > default/b:80*1',
    'Prefix /long h=1 > default/a:80*1',
    'Prefix /long > default/a:80*1',
    'Prefix /long > default/a:80*1',
    'Prefix / > default/a:80*1',
  ])
})

t.test('of equal matches the oldest route is used, then the first by name', async (t) => {
  const same = { rules: rules([prefix('/'), 'a']) }
  const other = { rules: rules([prefix('/'), 'b']) }
  const byName = compiled(gateway(listener('http')), route('z', same), route('y', other))
  t.equal(byName.routesOf('*')?.[0], 'Prefix / > default/b:80*1')
})

t.test('host names are those of both listener and route, the more specific first', async (t) => {
  const { routesOf, parents } = compiled(
    gateway(
      listener('wild', { hostname: '*.example.com' }),
      listener('one', { hostname: 'one.example.com' }),
    ),
    route('a', { hostnames: ['*.example.com'], rules: rules([prefix('/'), 'a']) }),
    route('b', { hostnames: ['two.example.com'], rules: rules([prefix('/b'), 'b']) }),
    route('c', { hostnames: ['example.org'], rules: rules([prefix('/'), 'b']) }),
  )
  t.same(routesOf('two.example.com'), ['Prefix /b > default/b:80*1', 'Prefix / > default/a:80*1'])
  t.same(routesOf('one.example.com'), ['Prefix / > default/a:80*1'])
  t.equal(routesOf('example.org'), undefined)
  t.match(parents[2], { conditions: [{ status: 'False', reason: 'NoMatchingListenerHostname' }] })
})

t.test('a request is served only by its most specific listener', async (t) => {
  const { routesOf } = compiled(
    gateway(listener('all'), listener('one', { hostname: 'one.example.com' })),
    route('a', { parentRefs: [{ name: 'edge', sectionName: 'all' }], rules: rules([prefix('/'), 'a']) }),
  )
  t.same(routesOf('one.example.com'), [])
  t.same(routesOf('*'), ['Prefix / > default/a:80*1'])
})

t.test('weights, no backends and missing backends', async (t) => {
  const { configuration, parents } = compiled(
    gateway(listener('http')),
    route('r', {
      rules: [
        { backendRefs: [to('a', { weight: 9 }), to('nobody'), to('b', { weight: 0 })] },
        { matches: [prefix('/none')] },
      ],
    }),
  )
  const [none, first] = configuration.listeners[0]?.hosts[0]?.routes ?? []
  t.match(none?.action, { kind: 'respond', status: 500 })
  t.match(first?.action, {
    backends: [{ weight: 9 }, { name: 'default/nobody:80', unresolvedStatus: 500, endpoints: [] }],
  })
  t.match(parents[0]?.conditions, [
    { type: 'Accepted', status: 'True' },
    { type: 'ResolvedRefs', status: 'False', reason: 'BackendNotFound' },
  ])
})

t.test('filters and timeouts', async (t) => {
  const headers = { set: [{ name: 'x', value: '1' }] }
  const { configuration } = compiled(
    gateway(listener('http', { port: 8080 })),
    route('r', {
      rules: [
        {
          matches: [prefix('/one')],
          filters: [
            { type: 'RequestHeaderModifier', requestHeaderModifier: headers },
            {
              type: 'URLRewrite',
              urlRewrite: { path: { type: 'ReplacePrefixMatch', replacePrefixMatch: '/' } },
            },
            { type: 'RequestMirror', requestMirror: { backendRef: to('b') } },
          ],
          timeouts: { request: '1s', backendRequest: '500ms' },
          backendRefs: [to('a')],
        },
        {
          matches: [prefix('/r')],
          filters: [{ type: 'RequestRedirect', requestRedirect: { hostname: 'example.org' } }],
        },
      ],
    }),
  )
  const [one, redirect] = configuration.listeners[0]?.hosts[0]?.routes ?? []
  t.match(one, {
    requestHeaders: { ...headers, add: [], remove: [] },
    rewrite: { path: { type: 'Prefix', value: '/' } },
    mirror: [{ name: 'default/b:80' }],
    timeouts: { requestMs: 1000, backendRequestMs: 500 },
  })
  t.match(redirect?.action, { kind: 'redirect', hostname: 'example.org', port: 8080, status: 302 })
})

const other = { namespace: 'apps' }
const foreign = (parentRef: object = {}) =>
  route('r', { parentRefs: [{ name: 'edge', namespace: 'default', ...parentRef }] }, other)
const attaching: readonly [what: string, listener: object, route: string, reason: string][] = [
  ['only its own namespace', {}, foreign(), 'NotAllowedByListeners'],
  ['all namespaces', { allowedRoutes: { namespaces: { from: 'All' } } }, foreign(), 'Accepted'],
  [
    'a selector',
    {
      allowedRoutes: {
        namespaces: {
          from: 'Selector',
          selector: { matchLabels: { 'kubernetes.io/metadata.name': 'apps' } },
        },
      },
    },
    foreign(),
    'Accepted',
  ],
  ['kinds', { allowedRoutes: { kinds: [{ kind: 'GRPCRoute' }] } }, route('r', {}), 'NotAllowedByListeners'],
  [
    'a missing section',
    {},
    route('r', { parentRefs: [{ name: 'edge', sectionName: 'x' }] }),
    'NoMatchingParent',
  ],
  ['a missing port', {}, route('r', { parentRefs: [{ name: 'edge', port: 81 }] }), 'NoMatchingParent'],
  [
    'an unsupported filter',
    {},
    route('r', { rules: [{ filters: [{ type: 'CORS', cors: {} }] }] }),
    'UnsupportedValue',
  ],
]
for (const [what, more, text, reason] of attaching)
  t.test(`attachment: ${what}`, async (t) => {
    const { parents, edge } = compiled(gateway(listener('http', more)), text)
    t.match(parents, [{ controllerName: controller, conditions: [{ type: 'Accepted', reason }] }])
    t.equal(edge?.listeners?.[0]?.attachedRoutes, reason === 'Accepted' ? 1 : 0)
  })

t.test('a Service of another namespace needs a ReferenceGrant there', async (t) => {
  const backend = { rules: [{ backendRefs: [to('a', { namespace: 'default' })] }] }
  const parentRefs = [{ name: 'edge', namespace: 'default' }]
  const open = gateway(listener('http', { allowedRoutes: { namespaces: { from: 'All' } } }))
  const mine = route('r', { parentRefs, ...backend }, other)
  const grant = (namespace: string) =>
    objectText('ReferenceGrant', 'g', {
      from: [{ group, kind: 'HTTPRoute', namespace }],
      to: [{ group: '', kind: 'Service', name: 'a' }],
    })
  for (const [objects, reason] of [
    [[], 'RefNotPermitted'],
    [[grant('elsewhere')], 'RefNotPermitted'],
    [[grant('apps')], 'ResolvedRefs'],
  ] as const) {
    const { parents } = compiled(open, mine, ...objects)
    t.equal(parents[0]?.conditions[1]?.reason, reason)
  }
})

const secured = (more: object = {}) =>
  listener('tls', {
    port: 443,
    protocol: 'HTTPS',
    tls: { certificateRefs: [{ name: 'no-such' }] },
    ...more,
  })
const faults: readonly [what: string, listeners: readonly object[], conditions: readonly string[]][] = [
  ['none', [listener('a')], ['Accepted', 'Programmed', 'ResolvedRefs', 'NoConflicts']],
  ['a missing Secret', [secured()], ['Accepted', 'Invalid', 'InvalidCertificateRef', 'NoConflicts']],
  [
    'a Secret of another namespace',
    [secured({ tls: { certificateRefs: [{ name: 'x', namespace: 'apps' }] } })],
    ['Accepted', 'Invalid', 'RefNotPermitted', 'NoConflicts'],
  ],
  [
    'kinds that the protocol does not support',
    [listener('a', { allowedRoutes: { kinds: [{ kind: 'TLSRoute' }] } })],
    ['Accepted', 'Invalid', 'InvalidRouteKinds', 'NoConflicts'],
  ],
  [
    'two protocols on a port',
    [listener('a'), secured({ port: 80 })],
    ['ProtocolConflict', 'Invalid', 'ResolvedRefs', 'ProtocolConflict'],
  ],
  [
    'an unsupported protocol',
    [listener('a', { protocol: 'TCP' })],
    ['UnsupportedProtocol', 'Invalid', 'ResolvedRefs', 'NoConflicts'],
  ],
  [
    'a protocol with the name of a property of every object',
    [listener('a', { protocol: 'constructor' })],
    ['UnsupportedProtocol', 'Invalid', 'ResolvedRefs', 'NoConflicts'],
  ],
  [
    'a port of the controller that is reserved for another protocol',
    [listener('a', { port: 443 })],
    ['PortUnavailable', 'Invalid', 'ResolvedRefs', 'NoConflicts'],
  ],
]
for (const [what, listeners, reasons] of faults)
  t.test(`faults of a listener: ${what}`, async (t) => {
    const { edge } = compiled(gateway(...listeners))
    t.same(
      edge?.listeners?.[0]?.conditions.map(({ reason }) => reason),
      reasons,
    )
    t.same(edge?.addresses, [{ type: 'IPAddress', value: '192.0.2.1' }])
  })

t.test('a port that the Service of the controller does not open is not served', async (t) => {
  const cluster = clusterWith(gatewayClass, gateway(listener('http'), listener('more', { port: 8080 })))
  const served = (name: string) => {
    const ingressControllers = [{ controller, service: { namespace: 'default', name } }]
    const { configuration, listeners } = gatewayConfiguration({ ...cluster, ingressControllers }, controller)
    return [configuration.listeners.map(({ port }) => port), listeners[1]?.rejected?.message]
  }
  // the Service a opens port 80
  t.same(served('a'), [[80], 'the Service of the controller does not open port 8080'])
  t.same(served('unknown'), [[80, 8080], undefined])
})

t.test('an unchanged status is not written again, and other classes are not changed', async (t) => {
  const { after } = compiled(gateway(listener('http')), route('r', {}))
  t.equal(withGatewayStatus(after, controller, [{ ip: '192.0.2.1' }]), after)
  t.equal(withGatewayStatus(after, 'example.com/other', []), after)
  t.match(after.gatewayClasses?.[0]?.status?.conditions, [{ type: 'Accepted', status: 'True' }])
})

t.test('methods of gRPC are paths, and TLS is passed through by name', async (t) => {
  const passthrough = {
    port: 443,
    protocol: 'TLS',
    tls: { mode: 'Passthrough' },
    hostname: 'tls.example.com',
  }
  const { configuration } = compiled(
    gateway(listener('http'), listener('tls', passthrough)),
    objectText('GRPCRoute', 'g', {
      parentRefs: [{ name: 'edge' }],
      rules: [{ matches: [{ method: { service: 'a.B', method: 'C' } }], backendRefs: [to('a')] }],
    }),
    objectText('TLSRoute', 't', {
      parentRefs: [{ name: 'edge' }],
      hostnames: ['tls.example.com'],
      rules: [{ backendRefs: [to('b')] }],
    }),
  )
  const [http, tls] = configuration.listeners
  t.match(http?.hosts[0]?.routes, [
    { path: { type: 'Exact', value: '/a.B/C' }, action: { backends: [{ protocol: 'GRPC' }] } },
  ])
  t.match(tls, {
    protocol: 'TLS',
    hosts: [{ hostname: 'tls.example.com', routes: [{ action: { backends: [{ name: 'default/b:80' }] } }] }],
  })
})
