import { deepEqual, ok } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { haproxyConfiguration } from '../../../src/ingress/haproxy/haproxyConfiguration.js'
import { supportedByHaproxy, unsupportedByHaproxy } from '../../../src/ingress/haproxy/unsupported.js'
import type { ProxyConfiguration } from '../../../src/ingress/model.js'
import { harmless, hostileConfiguration, routesOf } from '../hostile.js'
import { backend, configuration, forward, host, listener, prefix, route } from '../models.js'
import { parseHaproxy } from './parseHaproxy.js'

const settings = { folder: '/run/x', generation: '7', families: ['IPv4', 'IPv6'] } as const

function lines(model: ProxyConfiguration): string[][] {
  return parseHaproxy(haproxyConfiguration(model, settings)[0]?.text ?? '')
}

t.test('no text of a user changes the structure', async () => {
  const shape = (model: ProxyConfiguration) =>
    lines(model).map(([first = '', ...rest]) => [first, rest.length])
  fc.assert(
    fc.property(hostileConfiguration, (model) => {
      const usable = supportedByHaproxy(model)
      deepEqual(shape(usable), shape(harmless(usable)))
    }),
    { numRuns: 300 },
  )
})

t.test('a route is either written or reported as unsupported', async () => {
  fc.assert(
    fc.property(hostileConfiguration, (model) => {
      const written = new Set(routesOf(supportedByHaproxy(model)))
      const reported = new Set(unsupportedByHaproxy(model).map(({ route }) => route))
      for (const one of routesOf(model)) ok(written.has(one) || reported.has(one.id))
    }),
  )
})

t.test('a value with special characters is decoded by HAProxy itself', async (t) => {
  const set = [
    { name: 'X-A', value: `%[src] "'$\\  ` },
    { name: 'X-B', value: 'plain text' },
    { name: 'X-C', value: '' },
  ]
  const model = configuration(
    listener(80, [
      host('*', [route({ action: forward(backend([1])), requestHeaders: { set, add: [], remove: [] } })]),
    ]),
  )
  t.same(
    lines(model).filter((words) => words.some((word) => /^X-[ABC]$/.test(word))),
    [
      ['http-request', 'set-header', 'X-A', '%[str(%25%5Bsrc%5D%20%22%27%24%5C%20%20),url_dec]'],
      ['http-request', 'set-header', 'X-B', 'plain text'],
      ['http-request', 'del-header', 'X-C'],
    ],
  )
})

t.test('backends are chosen by weight, and never without a weight', async (t) => {
  const backends = [backend([1], { weight: 1 }), backend([2], { weight: 0 }), backend([3], { weight: 3 })]
  const chosen = lines(configuration(listener(80, [host('*', [route({ action: forward(...backends) })])])))
    .filter(([first]) => first === 'use_backend')
    .map((words) => words.join(' '))
  t.same(chosen, [
    'use_backend route_1_0 if { var(txn.site) -m int 0 } { var(txn.random) -m int lt 250000 }',
    'use_backend route_1_1 if { var(txn.site) -m int 0 }',
  ])
})

t.test('a request with the cookie of a backend goes there, independent of the random number', async (t) => {
  const action = { ...forward(backend([1]), backend([2])), affinity: { cookie: 'kept' } }
  const written = lines(configuration(listener(80, [host('*', [route({ action })])])))
  t.same(
    written.filter(([first]) => first === 'use_backend').map(([, name]) => name),
    ['route_1_0', 'route_1_1', 'route_1_0', 'route_1_1'],
  )
  const cookies = written.filter(([first]) => first === 'server').map((words) => words.at(-1)?.slice(0, 2))
  t.same(cookies, ['0-', '1-'])
})

t.test('without a certificate TLS connections are rejected', async (t) => {
  const model = configuration(listener(443, [host('*', [route()])], { protocol: 'HTTPS' }))
  t.ok(lines(model).some((words) => words.join(' ') === 'tcp-request connection reject'))
})

t.test('the first certificate is that of host `*`, or the default one; others have names', async (t) => {
  const pair = (name: string) => ({ certificate: `${name}\n`, key: 'key' })
  const hosts = [host('*.b', [], { certificate: 'a' }), host('a.b', []), host('c.d', [])]
  const files = haproxyConfiguration(
    {
      ...configuration(listener(443, hosts, { protocol: 'HTTPS' })),
      certificates: { a: pair('A'), default: pair('D') },
    },
    settings,
  )
  t.same(files.slice(1), [
    {
      name: 'certificates-443.list',
      text:
        '/run/x/certificate-1.pem default.invalid\n/run/x/certificate-1.pem a.b\n' +
        '/run/x/certificate-0.pem *.b\n',
    },
    { name: 'certificate-0.pem', text: 'A\nkey\n', holdsKeys: true },
    { name: 'certificate-1.pem', text: 'D\nkey\n', holdsKeys: true },
  ])
})

t.test('the backends of a route on several ports are written once', async (t) => {
  const hosts = [host('a.b', [route({ action: forward(backend([1])) })])]
  const written = lines(configuration(listener(80, hosts), listener(8080, hosts)))
  t.equal(written.filter(([first]) => first === 'use_backend').length, 2)
  t.same(
    written.filter(([first]) => first === 'backend').map(([, name]) => name),
    ['route_1_0', 'no_route'],
  )
})

t.test('mirrored requests and queries in new paths are not supported', async (t) => {
  const mirrored = route({ id: 'a', mirror: [backend([1])] })
  const withQuery = route({ id: 'b', path: prefix('/b'), rewrite: { path: { type: 'Full', value: '/x?y' } } })
  const model = configuration(listener(80, [host('*', [mirrored, withQuery]), host('a.b', [mirrored])]))
  t.same(unsupportedByHaproxy(model), [
    { route: 'a', what: 'HAProxy cannot mirror requests: they go only to the backends' },
    { route: 'b', what: 'HAProxy cannot add a query to a new path' },
  ])
  t.same(
    routesOf(supportedByHaproxy(model)).map(({ id }) => id),
    ['a', 'a'],
  )
})

t.test('TLS is passed through and terminated on one port', async (t) => {
  const passed = listener(443, [host('a.b', [route({ action: forward(backend([1])) })])], { protocol: 'TLS' })
  const terminated = listener(443, [host('*', [route()])], { protocol: 'HTTPS' })
  const model = {
    ...configuration(passed, terminated),
    certificates: { default: { certificate: 'D', key: 'K' } },
  }
  const text = lines(model).map((words) => words.join(' '))
  t.ok(text.includes('server here unix@https-443.sock send-proxy-v2'))
  t.ok(text.some((line) => line.startsWith('bind unix@https-443.sock accept-proxy ssl crt-list ')))
})
