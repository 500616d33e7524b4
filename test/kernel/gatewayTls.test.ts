// What the conformance tests of the Gateway API test of TLS and of protocols beside HTTP/1.1, by their short names:
// kubernetes-sigs/gateway-api, conformance/tests, v1.4. The objects and requests here are our own.
import t from 'tap'
import type { GatewayListener } from '../../src/cluster/types/gateway.js'
import { gateway, grant, httpRoute, listener, route, rule, to } from '../ingress/gateway/objects.js'
import { cannotRun } from './ability.js'
import { certificateRef, secretGrant, serviceNamed } from './gatewayUnderTest.js'
import { elsewhere, tryGatewayCases, type CaseAsk, type GatewayCase } from './gatewayUnderTest.js'
import { missingProxy, proxyNames } from './proxyUnderTest.js'

const served = ['Accepted', 'ResolvedRefs']
const over = (host: string, more: CaseAsk = {}): CaseAsk => ({ host, tls: true, ...more })
const grpcCall = (host: string, path: string, more: CaseAsk = {}): CaseAsk => ({
  ...{ host, path, method: 'POST', http2: true, body: 'a message' },
  headers: { 'content-type': 'application/grpc', te: 'trailers', ...more.headers },
})
const https = (name: string, port: number, more: Partial<GatewayListener> = {}) =>
  listener(name, {
    ...{ port, protocol: 'HTTPS' },
    tls: { certificateRefs: [certificateRef('a.example.com')] },
    ...more,
  })
const passing = (name: string, port: number, hostname: string) =>
  listener(name, { port, hostname, protocol: 'TLS', tls: { mode: 'Passthrough' } })
const tlsRoute = (name: string, hostnames: readonly string[], backend: string, metadata: object = {}) =>
  route('TLSRoute', name, { hostnames, rules: [{ backendRefs: [to(backend)] }] }, metadata)
const isMethod = (service: string | undefined, method?: string) => ({ method: { service, method } })
const grpcRule = (...matches: readonly object[]) => ({ matches, backendRefs: [to('grpc')] })
const notServed = { status: 404 }
const misdirected = { status: 421 }

const cases: readonly GatewayCase[] = [
  {
    name: 'HTTPRouteHTTPSListener',
    objects: (port, namespace) => [
      gateway([
        https('https', port),
        https('named', port, {
          hostname: 'second.example.org',
          tls: { certificateRefs: [certificateRef('b.example.com')] },
        }),
      ]),
      secretGrant(namespace),
      httpRoute('r', { hostnames: ['example.org'], rules: [rule('a')] }),
      httpRoute('any', { parentRefs: [{ name: 'edge', sectionName: 'named' }], rules: [rule('b')] }),
    ],
    asks: [
      [over('example.org'), { backend: 'a', certificate: 'a.example.com' }],
      [over('second.example.org'), { backend: 'b', certificate: 'b.example.com' }],
      [over('second.example.org', { http2: true }), { backend: 'b', certificate: 'b.example.com' }],
      [over('unknown.example.org'), { ...notServed, certificate: 'a.example.com' }],
    ],
    reasons: { 'HTTPRoute/r': served, 'HTTPRoute/any': served },
    attached: [1, 1],
  },
  {
    name: 'HTTPRouteHTTPSListenerDetectMisdirectedRequests',
    objects: (port, namespace) => [
      gateway([
        https('all', port),
        https('second', port, { hostname: 'second.org' }),
        https('wild', port, { hostname: '*.wild.org' }),
        https('fourth', port, { hostname: 'fourth.wild.org' }),
      ]),
      secretGrant(namespace),
      httpRoute('all', {
        parentRefs: [{ name: 'edge', sectionName: 'all' }],
        hostnames: ['example.org'],
        rules: [rule('a')],
      }),
      ...Object.entries({ second: 'b', wild: 'c', fourth: 'a' }).map(([sectionName, backend]) =>
        httpRoute(sectionName, { parentRefs: [{ name: 'edge', sectionName }], rules: [rule(backend)] }),
      ),
    ],
    asks: [
      ...(
        [
          ['example.org', 'example.org', { backend: 'a' }],
          ['example.org', 'second.org', misdirected],
          ['example.org', 'unknown.org', notServed],
          ['second.org', 'second.org', { backend: 'b' }],
          ['second.org', 'second.org:8443', { backend: 'b' }],
          ['second.org', 'example.org', misdirected],
          ['second.org', 'unknown.org', misdirected],
          ['third.wild.org', 'third.wild.org', { backend: 'c' }],
          ['third.wild.org', 'fifth.wild.org', { backend: 'c' }],
          ['third.wild.org', 'fourth.wild.org', misdirected],
          ['third.wild.org', 'second.org', misdirected],
          ['third.wild.org', 'unknown.org', misdirected],
          ['fourth.wild.org', 'fourth.wild.org', { backend: 'a' }],
          ['fourth.wild.org', 'fifth.wild.org', misdirected],
          ['unknown.org', 'example.org', { backend: 'a' }],
          ['unknown.org', 'unknown.org', notServed],
          ['unknown.org', 'second.org', misdirected],
        ] as const
      ).flatMap(([serverName, host, expected]) =>
        [false, true].map((http2) => [over(host, { serverName, http2 }), expected] as const),
      ),
      // without a name in TLS the name in the request alone counts
      [over('second.org', { serverName: '' }), { backend: 'b' }],
    ],
    attached: [1, 1, 1, 1],
  },
  {
    // the certificates of one listener differ in their subject
    name: 'several-certificates',
    objects: (port, namespace) => [
      gateway([
        https('https', port, {
          tls: { certificateRefs: [certificateRef('a.example.com'), certificateRef('b.example.com')] },
        }),
      ]),
      secretGrant(namespace),
      httpRoute('r', { rules: [rule('a')] }),
      httpRoute('x', { hostnames: ['x.example.com'], rules: [rule('b')] }),
    ],
    asks: [
      [over('a.example.com'), { backend: 'a', certificate: 'a.example.com' }],
      [over('b.example.com'), { backend: 'a', certificate: 'b.example.com' }],
      [over('x.example.com'), { backend: 'b', certificate: 'a.example.com' }],
      [over('y.example.com'), { backend: 'a', certificate: 'a.example.com' }],
    ],
  },
  {
    name: 'GatewayHTTPSAndTLSPassthroughSamePort',
    without: ['nginx'],
    objects: (port, namespace) => [
      gateway([https('https', port), passing('tls', port, 'passed.example.com')]),
      secretGrant(namespace),
      httpRoute('r', { rules: [rule('a')] }),
      tlsRoute('t', ['passed.example.com'], 'secure'),
    ],
    asks: [
      [over('passed.example.com'), { backend: 'secure', certificate: 'backend' }],
      [over('ended.example.com'), { backend: 'a', certificate: 'a.example.com' }],
    ],
    attached: [1, 1],
  },
  {
    name: 'GatewaySecretMissingReferenceGrant',
    objects: (port) => [
      gateway([listener('http', { port }), https('https', port + 1)]),
      httpRoute('r', { rules: [rule('a')] }),
    ],
    asks: [
      [{}, { backend: 'a' }],
      [over('a.example.com', { above: 1 }), { closed: true }],
    ],
  },
  {
    name: 'TLSRouteSimpleSameNamespace',
    objects: (port) => [
      gateway([passing('tls', port, '*.example.com')]),
      tlsRoute('r', ['abc.example.com'], 'secure'),
    ],
    asks: [
      [over('abc.example.com'), { backend: 'secure', certificate: 'backend' }],
      [over('other.example.com'), { closed: true }],
      [over('example.org'), { closed: true }],
    ],
    reasons: { 'TLSRoute/r': served },
    attached: [1],
  },
  {
    name: 'TLSRouteInvalidReferenceGrant',
    objects: (port, namespace) => [
      gateway([passing('tls', port, '*.example.com')]),
      serviceNamed('secure', { port: 80 }, { namespace: elsewhere(namespace) }),
      route('TLSRoute', 'r', {
        hostnames: ['abc.example.com'],
        rules: [{ backendRefs: [to('secure', { namespace: elsewhere(namespace) })] }],
      }),
    ],
    asks: [[over('abc.example.com'), { closed: true }]],
    reasons: { 'TLSRoute/r': ['Accepted', 'RefNotPermitted'] },
    attached: [1],
  },
  {
    name: 'GRPCExactMethodMatching',
    objects: (port) => [
      gateway([listener('http', { port })]),
      route('GRPCRoute', 'r', {
        rules: [grpcRule(isMethod('shop.Cart', 'Add')), grpcRule(isMethod('shop.Stock'))],
      }),
    ],
    asks: [
      [grpcCall('x.y', '/shop.Cart/Add'), { status: 200, answered: { 'X-Path': '/shop.Cart/Add' } }],
      [grpcCall('x.y', '/shop.Stock/Any'), { status: 200, answered: { 'X-Path': '/shop.Stock/Any' } }],
      [grpcCall('x.y', '/shop.Cart/Remove'), notServed],
      [grpcCall('x.y', '/shop.Other/Add'), notServed],
    ],
    reasons: { 'GRPCRoute/r': served },
  },
  {
    name: 'GRPCRouteHeaderMatching',
    objects: (port) => [
      gateway([listener('http', { port })]),
      route('GRPCRoute', 'r', {
        rules: [
          grpcRule({ headers: [{ name: 'version', value: 'one' }] }),
          grpcRule({
            headers: [
              { name: 'version', value: 'two' },
              { name: 'color', value: 'orange' },
            ],
          }),
        ],
      }),
    ],
    asks: [
      [grpcCall('x.y', '/a.B/C', { headers: { Version: 'one' } }), { status: 200 }],
      [grpcCall('x.y', '/a.B/C', { headers: { Version: 'two', Color: 'orange' } }), { status: 200 }],
      [grpcCall('x.y', '/a.B/C', { headers: { Version: 'two' } }), notServed],
      [grpcCall('x.y', '/a.B/C'), notServed],
    ],
  },
  {
    name: 'GRPCRouteListenerHostnameMatching',
    objects: (port) => [
      gateway([
        listener('bar', { port, hostname: 'bar.com' }),
        listener('wild', { port, hostname: '*.bar.com' }),
        listener('other', { port, hostname: '*.foo.com' }),
      ]),
      ...['bar', 'wild'].map((sectionName) =>
        route('GRPCRoute', sectionName, {
          parentRefs: [{ name: 'edge', sectionName }],
          rules: [grpcRule(isMethod(sectionName))],
        }),
      ),
    ],
    asks: [
      [grpcCall('bar.com', '/bar/C'), { status: 200 }],
      [grpcCall('x.bar.com', '/wild/C'), { status: 200 }],
      [grpcCall('x.y.bar.com', '/wild/C'), { status: 200 }],
      [grpcCall('x.bar.com', '/bar/C'), notServed],
      [grpcCall('x.foo.com', '/wild/C'), notServed],
      [grpcCall('foo.com', '/wild/C'), notServed],
    ],
    attached: [1, 1, 0],
  },
  {
    name: 'GRPCRouteNamedRule',
    objects: (port, namespace) => [
      gateway([https('https', port)]),
      secretGrant(namespace),
      route('GRPCRoute', 'r', {
        hostnames: ['grpc.example.com'],
        rules: [{ name: 'named', ...grpcRule(isMethod('shop.Cart')) }],
      }),
      // the other kind of route beside it, for other names
      httpRoute('h', { hostnames: ['web.example.com'], rules: [rule('a')] }),
    ],
    asks: [
      [{ ...grpcCall('grpc.example.com', '/shop.Cart/Add'), tls: true }, { status: 200 }],
      [over('web.example.com'), { backend: 'a' }],
    ],
    reasons: { 'GRPCRoute/r': served, 'HTTPRoute/h': served },
  },
  {
    name: 'GRPCRouteWeight',
    objects: (port) => [
      gateway([listener('http', { port })]),
      route('GRPCRoute', 'r', {
        rules: [
          { backendRefs: [to('grpc', { weight: 1 }), to('none', { weight: 0 })] },
          { matches: [isMethod('zero')], backendRefs: [to('grpc', { weight: 0 })] },
          { matches: [isMethod('missing')], backendRefs: [to('none')] },
        ],
      }),
    ],
    asks: [
      [grpcCall('x.y', '/a.B/C'), { status: 200 }],
      [grpcCall('x.y', '/zero/C'), { status: 500 }],
      [grpcCall('x.y', '/missing/C'), { status: 500 }],
    ],
  },
  {
    name: 'HTTPRouteBackendProtocolH2C',
    objects: (port, namespace) => [
      gateway([listener('http', { port })]),
      serviceNamed(
        'grpc',
        { port: 80, appProtocol: 'kubernetes.io/h2c' },
        { namespace: elsewhere(namespace) },
      ),
      route('HTTPRoute', 'r', {
        rules: [{ backendRefs: [to('grpc', { namespace: elsewhere(namespace) })] }],
      }),
      grantAll(namespace),
    ],
    asks: [
      [
        { path: '/h2c?q=1', headers: { 'X-A': 'b' } },
        { backend: 'grpc', url: '/h2c?q=1', seen: { 'X-A': 'b' } },
      ],
    ],
    reasons: { 'HTTPRoute/r': served },
  },
  {
    name: 'HTTPRouteBackendProtocolWebSocket',
    objects: (port, namespace) => [
      gateway([listener('http', { port })]),
      serviceNamed('a', { port: 80, appProtocol: 'kubernetes.io/ws' }, { namespace: elsewhere(namespace) }),
      route('HTTPRoute', 'r', {
        rules: [{ backendRefs: [to('a', { namespace: elsewhere(namespace) })] }],
      }),
      grantAll(namespace),
    ],
    asks: [
      [
        { path: '/ws', upgrade: 'hello' },
        { status: 101, body: 'hello' },
      ],
    ],
    reasons: { 'HTTPRoute/r': served },
  },
]

/** Leave for the HTTPRoutes of a case to use the Services of its second namespace. */
function grantAll(namespace: string): object {
  return grant({ kind: 'HTTPRoute', namespace }, {}, { namespace: elsewhere(namespace) })
}

for (const name of proxyNames)
  t.test(
    `${name} serves TLS, gRPC, HTTP/2 and WebSockets of routes`,
    { skip: cannotRun || missingProxy(name) },
    (t) => tryGatewayCases(t, name, cases),
  )
