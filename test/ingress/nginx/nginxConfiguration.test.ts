import { deepEqual, ok } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { ProxyConfiguration } from '../../../src/ingress/model.js'
import { nginxConfiguration } from '../../../src/ingress/nginx/nginxConfiguration.js'
import { supportedByNginx, unsupportedByNginx } from '../../../src/ingress/nginx/unsupported.js'
import { harmless, hostileConfiguration, routesOf } from '../hostile.js'
import { backend, configuration, forward, host, listener, prefix, route } from '../models.js'
import { parseNginx, type Parsed } from './parseNginx.js'

const settings = { folder: '/run/x', generation: '7', families: ['IPv4'] } as const

function written(model: ProxyConfiguration): string {
  return nginxConfiguration(model, settings)[0]?.text ?? ''
}

function all(parsed: readonly Parsed[]): Parsed[] {
  return parsed.flatMap((one) => [one, ...all(one.block ?? [])])
}

function words(model: ProxyConfiguration, name: string): string[][] {
  return all(parseNginx(written(model)))
    .filter((one) => one.words[0] === name)
    .map((one) => one.words.slice(1))
}

/** The structure of a configuration: names of directives and numbers of their parameters. */
function shape(parsed: readonly Parsed[]): unknown {
  const named = parsed.filter((one) => one.words.length > 0)
  return named.map(({ words: [name = '', ...rest], block }) => [
    /^[a-z_]+$/.test(name) ? name : '~',
    rest.length,
    ...(block === undefined ? [] : [shape(block)]),
  ])
}

t.test('no text of a user changes the structure', async () => {
  fc.assert(
    fc.property(hostileConfiguration, (model) => {
      const usable = supportedByNginx(model)
      deepEqual(shape(parseNginx(written(usable))), shape(parseNginx(written(harmless(usable)))))
    }),
    { numRuns: 300 },
  )
})

t.test('a route is either written or reported as unsupported', async () => {
  fc.assert(
    fc.property(hostileConfiguration, (model) => {
      const written = new Set(routesOf(supportedByNginx(model)))
      const reported = new Set(unsupportedByNginx(model).map(({ route }) => route))
      for (const one of routesOf(model)) ok(written.has(one) || reported.has(one.id))
    }),
  )
})

t.test('a value with a dollar sign, quotes and a semicolon is literal', async (t) => {
  const value = '"; } $host \' \\'
  const model = configuration(
    listener(80, [
      host('a.example.com', [
        route({
          action: forward(backend([9000])),
          requestHeaders: { set: [{ name: 'X-A', value }], add: [], remove: [] },
        }),
      ]),
    ]),
  )
  t.same(
    words(model, 'proxy_set_header').find(([name]) => name === 'X-A'),
    ['X-A', value.replace('$', '${dollar}')],
  )
})

t.test('routes are evaluated in order, in one map per host', async (t) => {
  const routes = [
    route({ path: { type: 'RegularExpression', value: '/b(/|$)(.*)' }, action: forward(backend([1])) }),
    route({
      path: { type: 'Exact', value: '/a.b' },
      method: 'GET',
      action: { kind: 'respond', status: 204 },
    }),
    route({ path: prefix('/a/'), action: forward(backend([2])) }),
  ]
  const [map] = parseNginx(written(configuration(listener(80, [host('a.example.com', routes)]))))
    .flatMap((one) => one.block ?? [])
    .filter(({ words }) => words[0] === 'map' && words[2]?.startsWith('$route_') === true)
  t.same(
    map?.block?.map((one) => one.words),
    [
      ['default', '/none'],
      ['~^. (?i:/b(/|$)(.*))', '/route/1'],
      ['~^1 /a\\.b\\z', '/route/2'],
      ['~^. /a(?:/|\\z)', '/route/3'],
    ],
  )
})

t.test('a host whose routes match only paths has locations in order, and no map', async (t) => {
  const routes = [
    route({ path: { type: 'Exact', value: '/a.b' }, action: { kind: 'respond', status: 204 } }),
    route({ path: prefix('/a/'), action: forward(backend([2])) }),
  ]
  const model = configuration(listener(80, [host('a.example.com', routes)]))
  t.same(words(model, 'location').slice(1, 4), [['~', '^/a\\.b\\z'], ['~', '^/a(?:/|\\z)'], ['/']])
  t.notOk(written(model).includes('$route_'))
  // unchanged URI: with a rewrite proxy_pass would need $request_uri and a TLS context per location
  t.same(words(model, 'proxy_pass'), [['http://upstream_1']])
})

t.test('a host that is the same on two ports is one server, with a certificate if needed', async (t) => {
  const hosts = [host('a.b', [route()]), host('c.d', [route()], { certificate: 'own' })]
  const pair = { certificate: 'C', key: 'K' }
  const model = {
    ...configuration(listener(80, hosts), listener(443, hosts, { protocol: 'HTTPS' })),
    certificates: { default: pair, own: pair },
  }
  const servers = all(parseNginx(written(model)))
    .filter((one) => one.words[0] === 'server' && one.block !== undefined)
    .map(({ block = [] }) =>
      ['listen', 'server_name', 'ssl_certificate'].map((name) =>
        block.filter((one) => one.words[0] === name).map((one) => one.words.slice(1).join(' ')),
      ),
    )
  t.same(servers.slice(1), [
    [['80', '443'], ['a.b'], []],
    [['80', '443'], ['c.d'], ['/run/x/certificate-1.pem']],
    [['80 default_server', '443 default_server ssl http2'], ['_'], ['/run/x/certificate-0.pem']],
  ])
})

t.test('exact names come before wildcards, longer wildcards before shorter ones, `*` last', async (t) => {
  const names = ['*', '*.com', '*.example.com', 'a.example.com']
  const hosts = names.map((name) => host(name, [], { wildcard: 'suffix' }))
  t.same(words(configuration(listener(80, hosts)), 'server_name').flat(), [
    'a.example.com',
    '~^.+\\.example\\.com$',
    '~^.+\\.com$',
    '_',
  ])
})

t.test('a name that two listeners of a port have is one server', async (t) => {
  const one = listener(80, [host('*', [route({ path: prefix('/a'), action: forward(backend([1])) })])])
  const other = listener(80, [host('*', [route({ action: forward(backend([2])) })])])
  t.equal(words(configuration(one, other), 'server_name').length, 1)
})

t.test('a port without TLS has either HTTP/1.1 or HTTP/2: HTTP/2 if it serves only gRPC', async (t) => {
  const grpc = listener(80, [host('*', [route({ action: forward(backend([1], { protocol: 'GRPC' })) })])])
  t.same(words(configuration(grpc), 'listen').at(-1), ['80', 'default_server', 'http2'])
  const mixed = listener(80, [...grpc.hosts, host('a.b', [route({ action: forward(backend([1])) })])])
  t.same(words(configuration(mixed), 'listen').at(-1), ['80', 'default_server'])
  t.same(
    unsupportedByNginx(configuration(mixed)).map(({ what }) => what),
    ['nginx does not support HTTP/2, and so no gRPC, on port 80, which has no TLS and serves HTTP/1.1 too'],
  )
})

t.test('TLS is passed through by name if the port has no other listener', async (t) => {
  const passed = listener(443, [host('a.example.com', [route({ action: forward(backend([1])) })])], {
    protocol: 'TLS',
  })
  t.same(words(configuration(passed), 'ssl_preread'), [['on']])
  const ended = listener(443, [], { protocol: 'HTTPS' })
  t.same(words(configuration(passed, ended), 'ssl_preread'), [])
  t.equal(unsupportedByNginx(configuration(passed, ended)).length, 1)
  t.same(unsupportedByNginx(configuration(passed)), [])
})
