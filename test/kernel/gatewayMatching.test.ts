// What the conformance tests of the Gateway API test of the matching of requests, by their short names: kubernetes-sigs/gateway-api,
// conformance/tests, v1.4. The objects and requests here are our own.
import t from 'tap'
import { below, exactly, gateway, httpRoute, listener, rule, to } from '../ingress/gateway/objects.js'
import { cannotRun } from './ability.js'
import { tryGatewayCases, type CaseAsk, type GatewayCase } from './gatewayUnderTest.js'
import { missingProxy, proxyNames } from './proxyUnderTest.js'

const at = (path: string, more: CaseAsk = {}): CaseAsk => ({ path, ...more })
const of = (host: string, path = '/', more: CaseAsk = {}): CaseAsk => ({ host, path, ...more })
const [a, b, c] = [{ backend: 'a' }, { backend: 'b' }, { backend: 'c' }]
const nothing = { status: 404 }
const broken = { status: 500 }
const header = (name: string, value: string) => ({ headers: { [name]: value } })
const isHeader = (name: string, value: string) => ({ headers: [{ name, value }] })
const isQuery = (...pairs: readonly [name: string, value: string][]) => ({
  queryParams: pairs.map(([name, value]) => ({ name, value })),
})
const cases: readonly GatewayCase[] = [
  {
    name: 'HTTPRouteMatching',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [
          rule('a', below('/'), isHeader('version', 'one')),
          rule('b', below('/v2'), isHeader('version', 'two')),
        ],
      }),
    ],
    asks: [
      [at('/'), a],
      [at('/example'), a],
      [at('/', header('Version', 'one')), a],
      [at('/v2'), b],
      [at('/v2/example'), b],
      [at('/', header('Version', 'two')), b],
      // a path goes before a header, and a prefix is of whole elements
      [at('/v2', header('Version', 'one')), b],
      [at('/v2example'), a],
      [at('/foo/v2/example'), a],
    ],
  },
  {
    name: 'HTTPRouteMatchingAcrossRoutes',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('part1', {
        hostnames: ['example.com', 'example.net'],
        rules: [rule('a', below('/'), isHeader('version', 'one'))],
      }),
      httpRoute('part2', {
        hostnames: ['example.com'],
        rules: [rule('b', below('/v2'), isHeader('version', 'two'))],
      }),
    ],
    asks: [
      [of('example.com'), a],
      [of('example.com', '/example'), a],
      [of('example.net', '/example'), a],
      [of('example.com', '/example', header('Version', 'one')), a],
      [of('example.com', '/v2'), b],
      [of('example.net', '/v2'), a],
      [of('example.com', '/v2/example'), b],
      [of('example.com', '/', header('Version', 'two')), b],
      [of('example.net', '/', header('Version', 'two')), a],
      [of('example.org'), nothing],
    ],
  },
  {
    name: 'HTTPRouteExactPathMatching',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', { rules: [rule('a', exactly('/one')), rule('b', exactly('/two'))] }),
    ],
    asks: [
      [at('/one'), a],
      [at('/two?q=1'), b],
      ...['/', '/one/example', '/two/', '/Two', '/three'].map((path) => [at(path), nothing] as const),
    ],
  },
  {
    name: 'HTTPRoutePathMatchOrder',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [
          rule('c', below('/match')),
          rule('b', exactly('/match/exact')),
          rule('a', exactly('/match')),
          rule('a', below('/match/prefix')),
          rule('b', below('/match/prefix/one')),
          rule('c', exactly('/match/exact/one')),
        ],
      }),
    ],
    asks: [
      [at('/match/exact/one'), c],
      [at('/match/exact'), b],
      [at('/match'), a],
      [at('/match/prefix/one/any'), b],
      [at('/match/prefix/any'), a],
      [at('/match/any'), c],
    ],
  },
  {
    name: 'HTTPRouteHeaderMatching',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [
          rule('a', isHeader('version', 'one')),
          rule('b', isHeader('version', 'two')),
          rule('a', {
            headers: [
              { name: 'Version', value: 'two' },
              { name: 'Color', value: 'orange' },
            ],
          }),
          rule('a', isHeader('color', 'blue'), isHeader('color', 'green')),
          rule('b', isHeader('color', 'red'), isHeader('color', 'yellow')),
          // of two with one name the first counts
          rule('c', {
            headers: [
              { name: 'twice', value: 'yes' },
              { name: 'TWICE', value: 'no' },
            ],
          }),
        ],
      }),
    ],
    asks: [
      [at('/', header('Version', 'one')), a],
      [at('/', header('VERSION', 'two')), b],
      [at('/', { headers: { Version: 'two', Color: 'orange' } }), a],
      [at('/', header('Color', 'blue')), a],
      [at('/', header('Color', 'green')), a],
      [at('/', header('Color', 'red')), b],
      [at('/', header('Color', 'yellow')), b],
      [at('/', header('Twice', 'yes')), c],
      [at('/', header('Twice', 'no')), nothing],
      [at('/', header('Color', 'purple')), nothing],
      [at('/', header('Version', 'One')), nothing],
      [at('/'), nothing],
    ],
  },
  {
    name: 'HTTPRouteQueryParamMatching',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [
          rule('a', isQuery(['animal', 'whale'])),
          rule('b', isQuery(['animal', 'dolphin'])),
          rule('c', isQuery(['animal', 'dolphin'], ['color', 'blue'])),
          rule('a', isQuery(['ANIMAL', 'Whale'])),
          rule('b', below('/path', isQuery(['animal', 'whale']))),
          rule('c', { ...isQuery(['animal', 'whale']), ...isHeader('version', 'one') }),
        ],
      }),
    ],
    asks: [
      [at('/?animal=whale'), a],
      [at('/?animal=dolphin'), b],
      [at('/?animal=dolphin&color=blue'), c],
      [at('/?color=blue&animal=dolphin'), c],
      [at('/?ANIMAL=Whale'), a],
      [at('/?animal=whale&otherparam=irrelevant'), a],
      [at('/?animal=dolphin&color=yellow'), b],
      [at('/path?animal=whale'), b],
      [at('/?animal=whale', header('version', 'one')), c],
      [at('/'), nothing],
      [at('/?animal=cat'), nothing],
      [at('/?animal=whaledolphin'), nothing],
      [at('/?animal='), nothing],
    ],
  },
  {
    name: 'HTTPRouteMethodMatching',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [
          rule('a', { method: 'POST' }),
          rule('b', { method: 'GET' }),
          rule('a', below('/path1', { method: 'GET' })),
          rule('b', { method: 'PUT', ...isHeader('version', 'one') }),
          rule('c', below('/path2', { method: 'POST', ...isHeader('version', 'two') })),
          // the method goes before the header, the path before both
          rule('a', below('/path3', { method: 'PATCH' })),
          rule('b', below('/path3', isHeader('version', 'three'))),
        ],
      }),
    ],
    asks: [
      [at('/', { method: 'POST' }), a],
      [at('/'), b],
      [at('/path1'), a],
      [at('/', { method: 'PUT', ...header('version', 'one') }), b],
      [at('/path2', { method: 'POST', ...header('version', 'two') }), c],
      [at('/path3', { method: 'PATCH', ...header('version', 'three') }), a],
      [at('/path3', { method: 'DELETE', ...header('version', 'three') }), b],
      [at('/', { method: 'DELETE' }), nothing],
      [at('/', { method: 'PUT' }), nothing],
    ],
  },
  {
    name: 'HTTPRouteNamedRule',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [{ name: 'named-rule', ...rule('a', below('/named')) }, rule('b', below('/unnamed'))],
      }),
    ],
    asks: [
      [at('/named'), a],
      [at('/unnamed'), b],
    ],
  },
  {
    name: 'HTTPRouteWeight',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [
          { backendRefs: [to('a', { weight: 70 }), to('b', { weight: 30 }), to('c', { weight: 0 })] },
          { matches: [below('/none')] },
          { matches: [below('/zero')], backendRefs: [to('a', { weight: 0 })] },
          { matches: [below('/half')], backendRefs: [to('a'), to('missing')] },
        ],
      }),
    ],
    asks: [
      [at('/none'), broken],
      [at('/zero'), broken],
    ],
  },
]

for (const name of proxyNames)
  t.test(
    `${name} finds the backend that routes name`,
    { skip: cannotRun || missingProxy(name) },
    async (t) => {
      const proxy = await tryGatewayCases(t, name, cases)
      const port = 8100 + cases.findIndex((one) => one.name === 'HTTPRouteWeight') * 5
      const many = await proxy.ask(...Array.from({ length: 500 }, () => ({ port, path: '/' })))
      const shareOf = (wanted: string) =>
        many.filter(({ body }) => body.includes(`"backend":"${wanted}"`)).length
      t.equal(shareOf('a') + shareOf('b'), 500)
      // 150 are expected: six standard deviations to either side
      t.ok(shareOf('b') > 88 && shareOf('b') < 212, `${shareOf('b')} of 500`)
      const half = await proxy.ask(...Array.from({ length: 100 }, () => ({ port, path: '/half' })))
      const failed = half.filter(({ status }) => status === 500).length
      t.equal(half.filter(({ status }) => status === 200).length, 100 - failed)
      t.ok(failed > 15 && failed < 85, `${failed} of 100 answered 500`)
    },
  )
