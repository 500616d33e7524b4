// What the conformance tests of the Gateway API test of filters and timeouts, by their short names:
// kubernetes-sigs/gateway-api, conformance/tests, v1.4. The objects and requests here are our own.
import t from 'tap'
import { below, gateway, httpRoute, listener, to } from '../ingress/gateway/objects.js'
import { cannotRun } from './ability.js'
import {
  certificateRef,
  secretGrant,
  tryGatewayCases,
  type CaseAsk,
  type GatewayCase,
} from './gatewayUnderTest.js'
import { echo } from './proxyModels.js'
import { missingProxy, proxyNames, mustHold } from './proxyUnderTest.js'

const at = (path: string, more: CaseAsk = {}): CaseAsk => ({ path, ...more })
const named = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }))
const modifier = (set = {}, add = {}, remove: string[] = []) => ({
  set: named(set),
  add: named(add),
  remove,
})
const rule = (path: string, ...filters: readonly object[]) => ({
  matches: [below(path)],
  filters,
  backendRefs: [to('a')],
})
const onRequest = (...given: Parameters<typeof modifier>) => ({
  type: 'RequestHeaderModifier',
  requestHeaderModifier: modifier(...given),
})
const onAnswer = (...given: Parameters<typeof modifier>) => ({
  type: 'ResponseHeaderModifier',
  responseHeaderModifier: modifier(...given),
})
const redirect = (path: string, requestRedirect: object) => ({
  matches: [below(path)],
  filters: [{ type: 'RequestRedirect', requestRedirect }],
})
const rewrite = (urlRewrite: object) => ({ type: 'URLRewrite', urlRewrite })
const newPrefix = (replacePrefixMatch: string) => ({
  path: { type: 'ReplacePrefixMatch', replacePrefixMatch },
})
const newPath = (replaceFullPath: string) => ({ path: { type: 'ReplaceFullPath', replaceFullPath } })
const mirror = (backendRef: object) => ({ type: 'RequestMirror', requestMirror: { backendRef } })

const changes = onRequest({ 'X-Set': 'set' }, { 'X-Add': 'added', 'X-Append': 'more' }, ['X-Remove'])
const changed = {
  ask: { headers: { 'X-Set': 'before', 'X-Append': 'some', 'X-Remove': 'gone' } },
  seen: { 'X-Set': 'set', 'X-Add': 'added', 'X-Append': 'some, more', 'X-Remove': undefined },
}
const to302 = (location: string) => ({ status: 302, location })

/** Redirects on a listener, by where they lead from it. */
const schemesAndPorts = (given: Readonly<Record<string, object>>) =>
  Object.entries(given).map(([path, one]) => redirect(path, { hostname: 'example.org', ...one }))

const cases: readonly GatewayCase[] = [
  {
    name: 'HTTPRouteRequestHeaderModifier',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [
          rule('/set', onRequest({ 'X-Header': 'set' })),
          rule('/add', onRequest({}, { 'X-Header': 'added' })),
          rule('/remove', onRequest({}, {}, ['X-Header'])),
          rule(
            '/all',
            onRequest({ 'X-One': '1', 'X-Two': '2' }, { 'X-Three': '3', 'X-Four': '4' }, ['X-Five']),
          ),
        ],
      }),
    ],
    asks: [
      [at('/set'), { seen: { 'X-Header': 'set' } }],
      [
        at('/set', { headers: { 'x-header': 'other', 'Some-Other': 'val' } }),
        { seen: { 'X-Header': 'set', 'Some-Other': 'val' } },
      ],
      [at('/add'), { seen: { 'X-Header': 'added' } }],
      [at('/add', { headers: { 'x-header': 'other' } }), { seen: { 'X-Header': 'other, added' } }],
      [at('/remove', { headers: { 'x-header': 'val' } }), { seen: { 'X-Header': undefined } }],
      [
        at('/all', { headers: { 'X-Two': 'b', 'X-Four': 'd', 'X-Five': 'e', 'X-Six': 'f' } }),
        {
          seen: {
            'X-One': '1',
            'X-Two': '2',
            'X-Three': '3',
            'X-Four': 'd, 4',
            'X-Five': undefined,
            'X-Six': 'f',
          },
        },
      ],
    ],
  },
  {
    name: 'HTTPRouteBackendRequestHeaderModifier',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [
          {
            filters: [onRequest({ 'X-Of': 'rule', 'X-Rule': 'yes' })],
            backendRefs: [to('a', { filters: [onRequest({ 'X-Of': 'backend' }, {}, ['X-Remove'])] })],
          },
        ],
      }),
    ],
    asks: [
      [
        at('/', { headers: { 'X-Remove': 'gone' } }),
        { seen: { 'X-Of': 'backend', 'X-Rule': 'yes', 'X-Remove': undefined } },
      ],
    ],
  },
  {
    name: 'HTTPRouteRequestHeaderModifierBackendWeights',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [
          {
            backendRefs: ['a', 'b'].map((name) => to(name, { filters: [onRequest({ 'X-Backend': name })] })),
          },
        ],
      }),
    ],
  },
  {
    name: 'HTTPRouteResponseHeaderModifier',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [
          rule('/set', onAnswer({ 'X-Replaced': 'after', 'X-New': 'new' })),
          rule('/add', onAnswer({}, { 'X-New': 'one', 'X-Replaced': 'after' })),
          rule('/remove', onAnswer({}, {}, ['x-dropped'])),
          {
            matches: [below('/backend')],
            backendRefs: [to('a', { filters: [onAnswer({ 'X-Replaced': 'by backend' })] })],
          },
        ],
      }),
    ],
    asks: [
      [at('/set'), { answered: { 'X-Replaced': 'after', 'X-New': 'new', 'X-Dropped': 'yes' } }],
      [at('/add'), { answered: { 'X-New': 'one', 'X-Replaced': 'before, after' } }],
      [at('/remove'), { answered: { 'X-Dropped': undefined, 'X-Replaced': 'before' } }],
      [at('/backend'), { answered: { 'X-Replaced': 'by backend' } }],
    ],
  },
  {
    name: 'HTTPRouteRedirectHostAndStatus',
    port: 80,
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [
          redirect('/hostname', { hostname: 'example.org' }),
          redirect('/host-and-status', { hostname: 'example.org', statusCode: 301 }),
          redirect('/scheme', { scheme: 'https', statusCode: 301 }),
          redirect('/original', newPrefix('/replacement')),
          redirect('/full', { ...newPath('/whole'), hostname: 'example.org', statusCode: 301 }),
          redirect('/nothing', {}),
          ...schemesAndPorts({
            '/nil-80': { port: 80 },
            '/nil-8080': { port: 8080 },
            '/https-443': { scheme: 'https', port: 443 },
            '/https-8443': { scheme: 'https', port: 8443 },
          }),
        ],
      }),
    ],
    asks: [
      [at('/hostname?q=1', { host: 'x.y' }), to302('http://example.org/hostname?q=1')],
      [
        at('/host-and-status', { host: 'x.y' }),
        { status: 301, location: 'http://example.org/host-and-status' },
      ],
      [at('/scheme', { host: 'x.y' }), { status: 301, location: 'https://x.y/scheme' }],
      [at('/original/lemon?q=1', { host: 'x.y' }), to302('http://x.y/replacement/lemon?q=1')],
      [at('/full/lemon', { host: 'x.y' }), { status: 301, location: 'http://example.org/whole' }],
      // the port is that of the listener, whatever the client calls it
      [at('/nothing', { host: 'x.y:32080' }), to302('http://x.y/nothing')],
      [at('/nil-80'), to302('http://example.org/nil-80')],
      [at('/nil-8080'), to302('http://example.org:8080/nil-8080')],
      [at('/https-443'), to302('https://example.org/https-443')],
      [at('/https-8443'), to302('https://example.org:8443/https-8443')],
    ],
  },
  {
    name: 'HTTPRouteRedirectPort',
    port: 8080,
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [
          redirect('/port', { port: 8083 }),
          redirect('/keeps', { statusCode: 301 }),
          ...schemesAndPorts({
            '/nil-nil': {},
            '/nil-80': { port: 80 },
            '/https-nil': { scheme: 'https' },
            '/http-nil': { scheme: 'http' },
          }),
        ],
      }),
    ],
    asks: [
      [at('/port', { host: 'x.y:8080' }), to302('http://x.y:8083/port')],
      [at('/keeps', { host: 'x.y' }), { status: 301, location: 'http://x.y:8080/keeps' }],
      [at('/nil-nil'), to302('http://example.org:8080/nil-nil')],
      [at('/nil-80'), to302('http://example.org/nil-80')],
      [at('/https-nil'), to302('https://example.org/https-nil')],
      [at('/http-nil'), to302('http://example.org/http-nil')],
    ],
  },
  {
    name: 'HTTPRouteRedirectPortAndScheme',
    port: 443,
    objects: (port, namespace) => [
      gateway([
        listener('https', {
          ...{ port, protocol: 'HTTPS' },
          tls: { certificateRefs: [certificateRef('a.example.com')] },
        }),
      ]),
      secretGrant(namespace),
      httpRoute('r', {
        rules: schemesAndPorts({
          '/nil-nil': {},
          '/nil-443': { port: 443 },
          '/nil-8443': { port: 8443 },
          '/http-nil': { scheme: 'http' },
          '/http-80': { scheme: 'http', port: 80 },
          '/http-8080': { scheme: 'http', port: 8080 },
        }),
      }),
    ],
    asks: (
      [
        ['/nil-nil', 'https://example.org'],
        ['/nil-443', 'https://example.org'],
        ['/nil-8443', 'https://example.org:8443'],
        ['/http-nil', 'http://example.org'],
        ['/http-80', 'http://example.org'],
        ['/http-8080', 'http://example.org:8080'],
      ] as const
    ).map(([path, origin]) => [at(path, { host: 'x.y', tls: true }), to302(`${origin}${path}`)]),
  },
  ...([303, 307, 308] as const).map((status): GatewayCase => ({
    name: `HTTPRoute${status}Redirect`,
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', { rules: [redirect('/', { hostname: 'example.org', port: 80, statusCode: status })] }),
    ],
    asks: [[at('/x', { method: 'POST', body: 'b' }), { status, location: 'http://example.org/x' }]],
  })),
  {
    name: 'HTTPRouteRewriteHost',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        hostnames: ['rewrite.example'],
        rules: [
          rule('/one', rewrite({ hostname: 'one.example.org' })),
          rule('/', rewrite({ hostname: 'example.org' })),
          rule('/headers', rewrite({ hostname: 'test.example.org' }), changes),
        ],
      }),
    ],
    asks: [
      [at('/one', { host: 'rewrite.example' }), { url: '/one', seen: { Host: 'one.example.org' } }],
      [at('/two', { host: 'rewrite.example' }), { url: '/two', seen: { Host: 'example.org' } }],
      [
        at('/headers', { host: 'rewrite.example', ...changed.ask }),
        { seen: { Host: 'test.example.org', ...changed.seen } },
      ],
    ],
  },
  {
    name: 'HTTPRouteRewritePath',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [
          rule('/prefix/one', rewrite(newPrefix('/one'))),
          rule('/strip', rewrite(newPrefix('/'))),
          rule('/full/one', rewrite(newPath('/one'))),
          rule('/full/headers', rewrite(newPath('/test')), changes),
          rule('/prefix/headers', rewrite(newPrefix('/prefix')), changes),
        ],
      }),
    ],
    asks: [
      [at('/prefix/one/two?q=1'), { url: '/one/two?q=1' }],
      [at('/strip/three'), { url: '/three' }],
      [at('/strip'), { url: '/' }],
      [at('/full/one/two'), { url: '/one' }],
      [at('/full/headers/x', changed.ask), { url: '/test', seen: changed.seen }],
      [at('/prefix/headers/x', changed.ask), { url: '/prefix/x', seen: changed.seen }],
    ],
  },
  {
    name: 'HTTPRouteTimeoutRequest',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [
          { ...rule('/request'), timeouts: { request: '60s' } },
          { ...rule('/request-late'), timeouts: { request: '500ms' } },
          {
            matches: [below('/pair')],
            backendRefs: [to('pair')],
            timeouts: { request: '500ms' },
          },
          { ...rule('/disabled'), timeouts: { request: '0s' } },
          { ...rule('/both'), timeouts: { request: '60s', backendRequest: '500ms' } },
        ],
      }),
    ],
    asks: [
      [at('/request'), { status: 200 }],
      [at('/request-late?wait=60000'), { status: 504 }],
      [at('/pair?wait=60000', { headers: { 'X-Request-ID': 'late' } }), { status: 504 }],
      [at('/disabled?wait=1000'), { status: 200 }],
      [at('/both?wait=60000'), { status: 504 }],
    ],
  },
  {
    name: 'HTTPRouteTimeoutBackendRequest',
    objects: (port) => [
      gateway([listener('http', { port })]),
      httpRoute('r', {
        rules: [
          { ...rule('/backend'), timeouts: { backendRequest: '60s' } },
          { ...rule('/backend-late'), timeouts: { backendRequest: '500ms' } },
        ],
      }),
    ],
    asks: [
      [at('/backend'), { status: 200 }],
      [at('/backend-late?wait=60000'), { status: 504 }],
    ],
  },
]

const mirrors: GatewayCase = {
  name: 'HTTPRouteRequestMirror',
  objects: (port) => [
    gateway([listener('http', { port })]),
    httpRoute('r', {
      rules: [
        rule('/one', mirror(to('b'))),
        // HTTPRouteRequestMultipleMirrors
        rule('/several', mirror(to('b')), mirror(to('c'))),
        rule('/changed', mirror(to('b')), changes),
        rule('/missing', mirror(to('none')), mirror(to('c'))),
      ],
    }),
  ],
}

for (const name of proxyNames)
  t.test(`${name} does what filters ask for`, { skip: cannotRun || missingProxy(name) }, async (t) => {
    const proxy = await tryGatewayCases(t, name, cases)
    const shared = 8100 + 5 * cases.findIndex((one) => one.name.endsWith('BackendWeights'))
    const answers = await proxy.ask(...Array.from({ length: 40 }, () => ({ port: shared, path: '/' })))
    const echoes = answers.map(echo)
    t.same(new Set(echoes.map(({ backend }) => backend)), new Set(['a', 'b']))
    t.same(
      echoes.filter(({ backend, headers }) => headers['x-backend'] !== backend),
      [],
      'each backend gets the headers of its own filters',
    )
    const late = (await proxy.seen()).filter(({ id }) => id === 'late')
    t.equal(late.length, 1, 'when its time is over a request is over, not sent to another endpoint')
  })

t.test(
  'nginx sends copies of requests of HTTPRoutes',
  { skip: cannotRun || missingProxy('nginx') },
  async (t) => {
    const proxy = await tryGatewayCases(t, 'nginx', [mirrors])
    const expected = {
      '/one': ['a', 'b'],
      '/several': ['a', 'b', 'c'],
      '/changed': ['a', 'b'],
      '/missing': ['a', 'c'],
    }
    const paths = Object.keys(expected)
    const answers = await proxy.ask(
      ...paths.map((path) => ({ port: 8100, path, method: 'POST', body: 'hello' })),
    )
    t.same(
      answers.map((answer) => echo(answer).backend),
      paths.map(() => 'a'),
    )
    const ids = answers.map((answer) => echo(answer).headers['x-request-id'])
    const seen = async () => {
      const all = await proxy.seen()
      return ids.map((id) =>
        all
          .filter((one) => one.id === id)
          .map(({ backend }) => backend)
          .sort(),
      )
    }
    const wanted = JSON.stringify(Object.values(expected))
    await mustHold(
      async () => JSON.stringify(await seen()) === wanted,
      () => 'the copies are not those that were asked for',
    )
    t.same(await seen(), Object.values(expected))
  },
)
