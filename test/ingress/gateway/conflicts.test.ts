import t from 'tap'
import type { GRPCRoute, HTTPRoute } from '../../../src/cluster/types/gateway.js'
import { withGatewayStatus } from '../../../src/ingress/gateway/gatewayStatus.js'
import { controller, gateway, httpRoute, listener, route, rule, to } from './objects.js'
import { clusterOf, reasons, statusesOf } from './statuses.js'

const edge = (...listeners: Parameters<typeof gateway>[0]) => gateway(listeners)
const second = (...listeners: Parameters<typeof gateway>[0]) => {
  const made = gateway(listeners)
  return { ...made, metadata: { name: 'second' } }
}
const grpcRoute = (name: string, spec: object, metadata: object = {}) =>
  route('GRPCRoute', name, { rules: [{ backendRefs: [to('a')] }], ...spec }, metadata)
const passing = { port: 443, protocol: 'TLS', tls: { mode: 'Passthrough' } } as const
const conflict = 'which is older or first by name, has the same host names'

t.test('a host name of a listener is either for HTTPRoutes or for GRPCRoutes', async (t) => {
  const { route: reasonsOf, configuration } = statusesOf([
    edge(listener('http')),
    grpcRoute('a', { hostnames: ['*.example.com'] }),
    httpRoute('b', { hostnames: ['x.example.com'], rules: [rule('a')] }),
    httpRoute('c', { hostnames: ['x.example.org'], rules: [rule('a')] }),
  ])
  t.same(reasonsOf('GRPCRoute/a'), ['Accepted', 'ResolvedRefs'])
  t.match(reasonsOf('HTTPRoute/b')[0], `Conflicted: GRPCRoute default/a, ${conflict}`)
  t.same(reasonsOf('HTTPRoute/c'), ['Accepted', 'ResolvedRefs'])
  t.same(
    configuration.listeners[0]?.hosts.map(({ hostname }) => hostname),
    ['x.example.org', '*.example.com', '*'],
  )
})

t.test('the older route is served, regardless of its name', async (t) => {
  const made = (text: string) => (one: HTTPRoute | GRPCRoute) => ({
    ...one,
    metadata: { ...one.metadata, creationTimestamp: text },
  })
  const cluster = clusterOf([
    edge(listener('http')),
    grpcRoute('a', {}),
    httpRoute('b', { rules: [rule('a')] }),
  ])
  const after = withGatewayStatus(
    {
      ...cluster,
      grpcRoutes: cluster.grpcRoutes?.map(made('2026-01-02T00:00:00Z')) as GRPCRoute[],
      httpRoutes: cluster.httpRoutes?.map(made('2026-01-01T00:00:00Z')) as HTTPRoute[],
    },
    controller,
    [],
  )
  const accepted = (route: HTTPRoute | GRPCRoute | undefined) =>
    reasons(route?.status?.parents[0]?.conditions)[0]
  t.match(accepted(after.grpcRoutes?.[0]), `Conflicted: HTTPRoute default/b, ${conflict}`)
  t.equal(accepted(after.httpRoutes?.[0]), 'Accepted')
})

t.test('a route is served by the listeners without a conflict', async (t) => {
  const { route: reasonsOf } = statusesOf([
    edge(listener('one'), listener('two', { port: 8080 })),
    grpcRoute('a', { parentRefs: [{ name: 'edge', sectionName: 'one' }] }),
    httpRoute('b', { rules: [rule('a')] }),
  ])
  t.equal(reasonsOf('HTTPRoute/b')[0], 'Accepted')
})

t.test('a port has the protocol of the first of several Gateways', async (t) => {
  const { listeners } = statusesOf([
    edge(listener('http', { port: 8080 })),
    second(listener('tls', { ...passing, port: 8080 }), listener('more', { port: 8081 })),
  ])
  t.match(listeners, [
    [['Accepted', 'Programmed', 'ResolvedRefs', 'NoConflicts']],
    [
      ['ProtocolConflict: listener http of Gateway default/edge has protocol HTTP on port 8080'],
      ['Accepted'],
    ],
  ])
})

t.test('nginx terminates TLS on a port or passes it through; HAProxy does both', async (t) => {
  const both = [edge(listener('tls', passing)), second(listener('own', { ...passing, port: 8443 }))]
  t.match(statusesOf(both, 'nginx').listeners, [
    [
      [
        'PortUnavailable: nginx terminates TLS on port 443 and cannot pass it through there: HAProxy can do both',
      ],
    ],
    [['Accepted']],
  ])
  t.match(statusesOf(both, 'haproxy').listeners, [[['Accepted']], [['Accepted']]])
})

t.test('unsupported features of a proxy are reported for the routes that request them', async (t) => {
  const mirror = { filters: [{ type: 'RequestMirror', requestMirror: { backendRef: to('b') } }] }
  const objects = [
    edge(listener('http'), listener('more', { port: 8080 })),
    httpRoute('mirrors', { rules: [{ ...rule('a'), ...mirror }] }),
    httpRoute('odd', {
      rules: [
        { ...rule('a'), matches: [{ headers: [{ name: 'x_y', value: 'z' }] }, { path: { value: '/also' } }] },
        rule('a', { path: { value: '/rest' } }),
        rule('a', { path: { type: 'RegularExpression', value: '/(' } }),
      ],
      parentRefs: [{ name: 'edge', sectionName: 'http' }],
    }),
    grpcRoute('grpc', {
      hostnames: ['grpc.example.com'],
      parentRefs: [{ name: 'edge', sectionName: 'more' }],
    }),
    httpRoute('beside', {
      ...{ hostnames: ['web.example.com'], parentRefs: [{ name: 'edge', sectionName: 'more' }] },
      rules: [rule('a')],
    }),
  ]
  const [nginx, haproxy] = [statusesOf(objects, 'nginx'), statusesOf(objects, 'haproxy')]
  t.same(nginx.route('HTTPRoute/mirrors'), ['Accepted', 'ResolvedRefs'])
  t.match(haproxy.route('HTTPRoute/mirrors'), [
    'UnsupportedValue: spec.rules[0]: HAProxy cannot mirror requests (RequestMirror)',
  ])
  t.same(nginx.route('HTTPRoute/odd'), [
    ...['Accepted', 'ResolvedRefs'],
    'UnsupportedValue: Dropped Rule spec.rules[0]: nginx cannot match the header x_y; ' +
      'spec.rules[2]: the path cannot be matched: it is not a regular expression',
  ])
  t.match(haproxy.route('HTTPRoute/odd')[2], /^UnsupportedValue: Dropped Rule spec.rules\[2\]: the path/)
  const paths = ({ configuration }: typeof nginx) => [
    ...new Set(
      configuration.listeners
        .flatMap(({ hosts }) => hosts.flatMap(({ routes }) => routes))
        .filter(({ id }) => id.startsWith('HTTPRoute/default/odd/'))
        .map(({ path }) => path.value),
    ),
  ]
  t.strictSame(paths(nginx), ['/rest'], 'a rule is dropped with all its matches')
  t.strictSame(paths(haproxy), ['/also', '/rest', '/'])
  t.match(
    nginx.route('GRPCRoute/grpc')[0],
    /^UnsupportedValue: spec.rules\[0\]: nginx does not support HTTP\/2/,
  )
  t.equal(haproxy.route('GRPCRoute/grpc')[0], 'Accepted')
})
