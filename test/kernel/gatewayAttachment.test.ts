// What the conformance tests of the Gateway API test of listeners and what attaches to them, by their short names: kubernetes-sigs/gateway-api,
// conformance/tests, v1.4. The objects and requests here are our own.
import t from 'tap'
import { below, gateway, grant, httpRoute, listener, rule, to } from '../ingress/gateway/objects.js'
import { cannotRun } from './ability.js'
import {
  elsewhere,
  serviceNamed,
  tryGatewayCases,
  type CaseAsk,
  type GatewayCase,
} from './gatewayUnderTest.js'
import { missingProxy, proxyNames } from './proxyUnderTest.js'

const served = ['Accepted', 'ResolvedRefs']
const at = (path: string, more: CaseAsk = {}): CaseAsk => ({ path, ...more })
const of = (host: string, path = '/', more: CaseAsk = {}): CaseAsk => ({ host, path, ...more })
const [a, b, c] = [{ backend: 'a' }, { backend: 'b' }, { backend: 'c' }]
const nothing = { status: 404 }
const broken = { status: 500 }
const everyone = { allowedRoutes: { namespaces: { from: 'All' } } } as const
const hosts = { bar: 'bar.com', wild: 'x.example.com', deep: 'x.foo.example.com', one: 'abc.foo.example.com' }
const isolated = (given: readonly string[] | undefined) => (port: number) => [
  gateway([
    listener('none', { port }),
    listener('wild', { port, hostname: '*.example.com' }),
    listener('deep', { port, hostname: '*.foo.example.com' }),
    listener('one', { port, hostname: 'abc.foo.example.com' }),
  ]),
  ...['none', 'wild', 'deep', 'one'].map((sectionName) =>
    httpRoute(sectionName, {
      parentRefs: [{ name: 'edge', sectionName }],
      ...(given === undefined ? {} : { hostnames: given }),
      rules: [rule('a', below(`/${sectionName}`))],
    }),
  ),
]
const isolatedAsks = Object.entries({
  none: hosts.bar,
  wild: hosts.wild,
  deep: hosts.deep,
  one: hosts.one,
}).flatMap(([own, host]) =>
  ['none', 'wild', 'deep', 'one'].map((path) => [of(host, `/${path}`), path === own ? a : nothing] as const),
)

const cases: readonly GatewayCase[] = [
  {
    name: 'HTTPRouteSimpleSameNamespace',
    objects: (port) => [gateway([listener('http', { port })]), httpRoute('r', { rules: [rule('a')] })],
    asks: [[at('/'), a]],
    reasons: { 'HTTPRoute/r': served },
    attached: [1],
  },
  {
    name: 'HTTPRouteCrossNamespace',
    objects: (port, namespace) => [
      gateway([listener('http', { port, ...everyone })]),
      httpRoute(
        'r',
        { parentRefs: [{ name: 'edge', namespace }], rules: [rule('a')] },
        { namespace: elsewhere(namespace) },
      ),
      serviceIn(elsewhere(namespace)),
    ],
    asks: [[at('/'), a]],
    reasons: { 'HTTPRoute/r': served },
  },
  {
    name: 'HTTPRouteInvalidCrossNamespaceParentRef',
    objects: (port, namespace) => [
      gateway([listener('http', { port })]),
      httpRoute(
        'r',
        { parentRefs: [{ name: 'edge', namespace }], rules: [rule('a')] },
        { namespace: elsewhere(namespace) },
      ),
      serviceIn(elsewhere(namespace)),
    ],
    asks: [[at('/'), nothing]],
    reasons: { 'HTTPRoute/r': ['NotAllowedByListeners', 'ResolvedRefs'] },
    attached: [0],
  },
  {
    name: 'HTTPRouteReferenceGrant',
    objects: (port, namespace) => [
      gateway([listener('http', { port })]),
      httpRoute('r', { rules: [{ backendRefs: [to('a', { namespace: elsewhere(namespace) })] }] }),
      serviceIn(elsewhere(namespace)),
      grant({ kind: 'HTTPRoute', namespace }, { name: 'a' }, { namespace: elsewhere(namespace) }),
    ],
    asks: [[at('/'), a]],
    reasons: { 'HTTPRoute/r': served },
  },
  {
    name: 'HTTPRouteInvalidCrossNamespaceBackendRef',
    objects: (port, namespace) => [
      gateway([listener('http', { port })]),
      httpRoute('r', { rules: [{ backendRefs: [to('a', { namespace: elsewhere(namespace) })] }] }),
      serviceIn(elsewhere(namespace)),
    ],
    asks: [[at('/'), broken]],
    reasons: { 'HTTPRoute/r': ['Accepted', 'RefNotPermitted'] },
  },
  {
    name: 'HTTPRouteInvalidReferenceGrant',
    objects: (port, namespace) => [
      gateway([listener('http', { port })]),
      httpRoute('r', { rules: [{ backendRefs: [to('a', { namespace: elsewhere(namespace) })] }] }),
      serviceIn(elsewhere(namespace)),
      // of another namespace, of another kind, for another Service, and in the wrong place
      ...[
        grant({ kind: 'HTTPRoute', namespace: 'default' }, {}, { namespace: elsewhere(namespace) }),
        grant({ kind: 'GRPCRoute', namespace }, {}, { namespace: elsewhere(namespace) }),
        grant({ kind: 'HTTPRoute', namespace }, { name: 'b' }, { namespace: elsewhere(namespace) }),
        grant({ kind: 'HTTPRoute', namespace }, { name: 'a' }),
      ].map((one, index) => ({ ...one, metadata: { ...one.metadata, name: `leave-${index}` } })),
    ],
    asks: [[at('/'), broken]],
    reasons: { 'HTTPRoute/r': ['Accepted', 'RefNotPermitted'] },
    attached: [1],
  },
  {
    name: 'HTTPRoutePartiallyInvalidViaInvalidReferenceGrant',
    objects: (port, namespace) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [
          { matches: [below('/other')], backendRefs: [to('a', { namespace: elsewhere(namespace) })] },
          rule('b', below('/own')),
        ],
      }),
      serviceIn(elsewhere(namespace)),
    ],
    asks: [
      [at('/other'), broken],
      [at('/own'), b],
    ],
    reasons: { 'HTTPRoute/r': ['Accepted', 'RefNotPermitted'] },
  },
  {
    name: 'HTTPRouteInvalidNonExistentBackendRef',
    objects: (port) => [gateway([listener('http', { port })]), httpRoute('r', { rules: [rule('none')] })],
    asks: [[at('/'), broken]],
    reasons: { 'HTTPRoute/r': ['Accepted', 'BackendNotFound'] },
  },
  {
    name: 'HTTPRouteInvalidBackendRefUnknownKind',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [{ backendRefs: [{ group: 'unknown.example.com', kind: 'Thing', name: 'a' }] }],
      }),
    ],
    asks: [[at('/'), broken]],
    reasons: { 'HTTPRoute/r': ['Accepted', 'InvalidKind'] },
  },
  {
    name: 'HTTPRouteInvalidParentRefNotMatchingSectionName',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', { parentRefs: [{ name: 'edge', sectionName: 'none' }], rules: [rule('a')] }),
    ],
    asks: [[at('/'), nothing]],
    reasons: { 'HTTPRoute/r': ['NoMatchingParent', 'ResolvedRefs'] },
    attached: [0],
  },
  {
    name: 'HTTPRouteInvalidParentRefSectionNameNotMatchingPort',
    objects: (port) => [
      gateway([listener('http', { port }), listener('other', { port: port + 1 })]),
      httpRoute('r', {
        parentRefs: [{ name: 'edge', sectionName: 'http', port: port + 1 }],
        rules: [rule('a')],
      }),
    ],
    asks: [
      [at('/'), nothing],
      [at('/', { above: 1 }), nothing],
    ],
    reasons: { 'HTTPRoute/r': ['NoMatchingParent', 'ResolvedRefs'] },
    attached: [0, 0],
  },
  {
    name: 'HTTPRouteInvalidParentRefNotMatchingListenerPort',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', { parentRefs: [{ name: 'edge', port: port + 1 }], rules: [rule('a')] }),
    ],
    asks: [[at('/'), nothing]],
    reasons: { 'HTTPRoute/r': ['NoMatchingParent', 'ResolvedRefs'] },
    attached: [0],
  },
  {
    name: 'HTTPRouteListenerPortMatching',
    objects: (port) => [
      gateway([
        listener('first', { port }),
        listener('second', { port: port + 1 }),
        listener('third', { port: port + 2, hostname: 'foo.com' }),
        listener('fourth', { port: port + 3 }),
      ]),
      httpRoute('one', { parentRefs: [{ name: 'edge', port }], rules: [rule('a')] }),
      httpRoute('two', { parentRefs: [{ name: 'edge', sectionName: 'second' }], rules: [rule('b')] }),
      httpRoute('three', {
        parentRefs: [{ name: 'edge', port: port + 2, sectionName: 'third' }],
        rules: [rule('c')],
      }),
    ],
    asks: [
      [of('foo.com'), a],
      [of('foo.com:8080', '/', { above: 1 }), b],
      [of('bar.com', '/', { above: 1 }), b],
      [of('foo.com', '/', { above: 2 }), c],
      [of('bar.com', '/', { above: 2 }), nothing],
      [of('foo.com', '/', { above: 3 }), nothing],
    ],
    attached: [1, 1, 1, 0],
  },
  {
    name: 'HTTPRouteListenerHostnameMatching',
    objects: (port) => [
      gateway([
        listener('bar', { port, hostname: 'bar.com' }),
        listener('foo', { port, hostname: 'foo.bar.com' }),
        listener('wild', { port, hostname: '*.bar.com' }),
        listener('other', { port, hostname: '*.foo.com' }),
      ]),
      ...Object.entries({ bar: 'a', foo: 'b', wild: 'c', other: 'c' }).map(([sectionName, name]) =>
        httpRoute(sectionName, { parentRefs: [{ name: 'edge', sectionName }], rules: [rule(name)] }),
      ),
    ],
    asks: [
      [of('bar.com'), a],
      [of('foo.bar.com'), b],
      [of('FOO.Bar.com:8080'), b],
      [of('baz.bar.com'), c],
      [of('boo.bar.com'), c],
      [of('multiple.prefixes.bar.com'), c],
      [of('multiple.prefixes.foo.com'), c],
      [of('foo.com'), nothing],
      [of('no.matching.host'), nothing],
    ],
    attached: [1, 1, 1, 1],
  },
  {
    name: 'HTTPRouteHostnameIntersection',
    objects: (port) => [
      gateway([
        listener('exact', { port, hostname: 'very.specific.com' }),
        listener('wild', { port, hostname: '*.wildcard.io' }),
        listener('other', { port, hostname: '*.another.io' }),
      ]),
      httpRoute('one', {
        hostnames: ['non.matching.com', '*.nonmatching.io', 'very.specific.com'],
        rules: [rule('a', below('/s1'))],
      }),
      httpRoute('two', {
        hostnames: ['wildcard.io', 'foo.wildcard.io', 'foo.bar.wildcard.io'],
        rules: [rule('b', below('/s2'))],
      }),
      httpRoute('three', { hostnames: ['*.specific.com'], rules: [rule('c', below('/s3'))] }),
      httpRoute('four', { hostnames: ['*.another.io'], rules: [rule('a', below('/s4'))] }),
      httpRoute('five', { hostnames: ['specific.but.wrong.com', 'wildcard.io'], rules: [rule('b')] }),
    ],
    asks: [
      [of('very.specific.com', '/s1'), a],
      [of('very.specific.com:1234', '/s1'), a],
      [of('non.matching.com', '/s1'), nothing],
      [of('foo.nonmatching.io', '/s1'), nothing],
      [of('foo.wildcard.io', '/s1'), nothing],
      [of('foo.wildcard.io', '/s2'), b],
      [of('foo.bar.wildcard.io', '/s2'), b],
      [of('bar.wildcard.io', '/s2'), nothing],
      [of('wildcard.io', '/s2'), nothing],
      [of('very.specific.com', '/s3'), c],
      [of('foo.specific.com', '/s3'), nothing],
      [of('foo.another.io', '/s4'), a],
      [of('foo.bar.another.io', '/s4'), a],
      [of('another.io', '/s4'), nothing],
      [of('specific.but.wrong.com'), nothing],
    ],
    reasons: {
      'HTTPRoute/one': served,
      'HTTPRoute/two': served,
      'HTTPRoute/three': served,
      'HTTPRoute/five': ['NoMatchingListenerHostname', 'ResolvedRefs'],
    },
    attached: [2, 1, 1],
  },
  {
    name: 'GatewayHTTPListenerIsolation',
    objects: isolated(undefined),
    asks: isolatedAsks,
    attached: [1, 1, 1, 1],
  },
  {
    // the same where routes ask for names that other listeners have
    name: 'GatewayHTTPListenerIsolation-hostnames',
    objects: isolated(['bar.com', '*.example.com', '*.foo.example.com', 'abc.foo.example.com']),
    asks: isolatedAsks,
    attached: [1, 1, 1, 1],
  },
  {
    name: 'HTTPRouteDisallowedKind',
    objects: (port) => [
      gateway([listener('http', { port, allowedRoutes: { kinds: [{ kind: 'GRPCRoute' }] } })]),
      httpRoute('r', { rules: [rule('a')] }),
    ],
    asks: [[at('/'), nothing]],
    reasons: { 'HTTPRoute/r': ['NotAllowedByListeners', 'ResolvedRefs'] },
    attached: [0],
  },
]

function serviceIn(namespace: string): object {
  return serviceNamed('a', { port: 80 }, { namespace })
}

for (const name of proxyNames)
  t.test(
    `${name} serves routes of the listeners that let them in`,
    { skip: cannotRun || missingProxy(name) },
    (t) => tryGatewayCases(t, name, cases),
  )
