import t from 'tap'
import type { Listener, Route } from '../../src/ingress/model.js'
import { matchingRoutes, type RequestHead } from '../../src/ingress/matchingRoutes.js'

const route = (id: string, rest: Partial<Route>): Route => ({
  ...{ id, path: { type: 'Prefix', value: '/' }, headers: [], query: [] },
  action: { kind: 'respond', status: 200 },
  ...rest,
})

const listeners: readonly Listener[] = [
  {
    ...{ port: 80, protocol: 'HTTP', proxyProtocol: false },
    hosts: [
      {
        ...{ hostname: '*', wildcard: 'suffix' },
        routes: [route('any', {})],
      },
      {
        ...{ hostname: '*.example.com', wildcard: 'one-label' },
        routes: [route('label', {})],
      },
      {
        ...{ hostname: 'Shop.example.com', wildcard: 'suffix' },
        routes: [
          route('exact', { path: { type: 'Exact', value: '/a' } }),
          route('canary', { headers: [{ name: 'X-Canary', type: 'Exact', value: '1' }] }),
          route('asked', { query: [{ name: 'v', type: 'Exact', value: '2' }], method: 'POST' }),
          route('pattern', { path: { type: 'RegularExpression', value: '/b.*' } }),
          route('prefix', { path: { type: 'Prefix', value: '/foo/' } }),
        ],
      },
    ],
  },
]

const asked = (target: string, rest: Partial<RequestHead> = {}) =>
  matchingRoutes(listeners, {
    ...{ secure: false, host: 'shop.example.com', target, method: 'GET', headers: {} },
    ...rest,
  }).map((one) => one?.id)

t.test('routes that a proxy can select', (t) => {
  t.strictSame(asked('/a'), ['exact'])
  t.strictSame(asked('/a', { headers: { 'x-canary': '1' } }), ['exact'])
  t.strictSame(asked('/x', { headers: { 'x-canary': '1' } }), ['canary'])
  t.strictSame(asked('/x?v=2', { method: 'POST' }), ['asked'])
  t.strictSame(asked('/x?v=2'), ['pattern', undefined], 'a regular expression is not evaluated')
  t.strictSame(asked('/foo'), ['pattern', 'prefix'])
  t.strictSame(asked('/foo/bar'), ['pattern', 'prefix'])
  t.strictSame(asked('/foobar'), ['pattern', undefined])
  t.end()
})

t.test('the host: its own rules, then wildcards, then any', (t) => {
  t.strictSame(asked('/', { host: 'a.example.com' }), ['label'])
  t.strictSame(asked('/', { host: 'a.b.example.com' }), ['any'], 'the wildcard matches one label')
  t.strictSame(asked('/', { host: 'example.com' }), ['any'])
  t.strictSame(asked('/', { secure: true }), [undefined], 'no listener of TLS')
  t.end()
})
