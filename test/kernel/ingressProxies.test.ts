import t from 'tap'
import type { Route } from '../../src/ingress/model.js'
import { backend, forward, host, prefix, route } from '../ingress/models.js'
import { documentedPaths, furtherPaths, inOrder } from '../ingress/pathExamples.js'
import { cannotRun } from './ability.js'
import { echo, everywhere, plain, port, to } from './proxyModels.js'
import { missingProxy, ports, proxyNames, proxyUnderTest, mustHold } from './proxyUnderTest.js'

for (const name of proxyNames) {
  const skip = cannotRun || missingProxy(name)
  t.test(`${name} finds the path of the documentation's examples`, { skip }, async (t) => {
    const examples = [...documentedPaths, ...furtherPaths]
    const hosts = examples.map(({ paths }, index) =>
      host(
        `h${index}.example.com`,
        inOrder(paths).map((path) =>
          route({
            path,
            action: forward(to('a')),
            requestHeaders: {
              set: [{ name: 'X-Taken', value: `${path.type} ${path.value}` }],
              add: [],
              remove: [],
            },
          }),
        ),
      ),
    )
    const proxy = await proxyUnderTest(t, name, plain(...hosts))
    const answers = await proxy.ask(
      ...examples.map(({ request }, index) => ({ port, path: request, host: `h${index}.example.com` })),
    )
    for (const [index, { request, taken }] of examples.entries()) {
      const answer = answers[index]
      const expected = taken === undefined ? 404 : `${taken.type} ${taken.value}`
      const found = answer?.status === 404 ? 404 : echo(answer).headers['x-taken']
      t.equal(found, expected, `${index}: ${request}`)
    }
  })

  t.test(`${name} routes by host, method, header and query`, { skip }, async (t) => {
    const marked = (id: string, given: Partial<Route>) =>
      route({
        id,
        action: forward(to('a')),
        requestHeaders: { set: [{ name: 'X-Route', value: id }], add: [], remove: [] },
        ...given,
      })
    const asked = 'va"l; }$x'
    const proxy = await proxyUnderTest(
      t,
      name,
      plain(
        host('a.example.com', [
          marked('post', { path: prefix('/x'), method: 'POST' }),
          marked('both', {
            headers: [{ name: 'X-A', type: 'Exact', value: asked }],
            query: [{ name: 'q', type: 'Exact', value: 'a b' }],
          }),
          marked('header', { headers: [{ name: 'x-a', type: 'Exact', value: asked }] }),
          marked('pattern', { headers: [{ name: 'X-B', type: 'RegularExpression', value: 'v[0-9]+' }] }),
          marked('query', { query: [{ name: 'n&=', type: 'RegularExpression', value: '\\d+' }] }),
          marked('rest', {}),
        ]),
        host('*.example.com', [marked('one label', {})]),
        host('*.deep.example.com', [marked('any depth', {})], { wildcard: 'suffix' }),
      ),
    )
    const ask = (given: {
      host?: string
      path?: string
      method?: string
      headers?: Record<string, string>
    }) => ({
      ...{ port, path: '/', host: 'a.example.com' },
      ...given,
    })
    const cases: readonly (readonly [string | number, ReturnType<typeof ask>])[] = [
      ['post', ask({ path: '/x/y', method: 'POST' })],
      ['rest', ask({ path: '/x/y' })],
      ['both', ask({ path: '/?q=%61+b&z', headers: { 'X-A': asked } })],
      ['header', ask({ path: '/?q=ab', headers: { 'X-A': asked } })],
      ['rest', ask({ headers: { 'X-A': asked.toUpperCase() } })],
      ['pattern', ask({ headers: { 'X-B': 'v12' } })],
      ['rest', ask({ headers: { 'X-B': 'v12x' } })],
      ['query', ask({ path: '/?x=1&n%26%3d=12' })],
      ['rest', ask({ path: '/?n%26%3d=12x' })],
      ['rest', ask({ host: 'A.Example.com:8080' })],
      ['one label', ask({ host: 'b.example.com' })],
      [404, ask({ host: 'c.b.example.com' })],
      [404, ask({ host: 'example.com' })],
      ['any depth', ask({ host: 'b.deep.example.com' })],
      ['any depth', ask({ host: 'c.b.deep.example.com' })],
      [404, ask({ host: 'a.example.org' })],
    ]
    const answers = await proxy.ask(...cases.map(([, one]) => one))
    for (const [index, [expected, one]] of cases.entries()) {
      const answer = answers[index]
      t.equal(
        answer?.status === 200 ? echo(answer).headers['x-route'] : answer?.status,
        expected,
        JSON.stringify(one),
      )
    }
  })

  t.test(`${name} shares requests by weight`, { skip }, async (t) => {
    const backends = [to('a', { weight: 1 }), to('b', { weight: 3 }), to('c', { weight: 0 })]
    const proxy = await proxyUnderTest(t, name, everywhere(route({ action: forward(...backends) })))
    const answers = await proxy.ask(...Array.from({ length: 600 }, () => ({ port, path: '/' })))
    const of = (wanted: string) => answers.filter((answer) => echo(answer).backend === wanted).length
    t.equal(of('c'), 0)
    t.equal(of('a') + of('b'), 600)
    // 150 are expected: seven standard deviations to either side
    t.ok(of('a') > 75 && of('a') < 225, `${of('a')} of 600`)
  })

  t.test(`${name} answers in place of backends that are not there, in their share`, { skip }, async (t) => {
    const nowhere = to('b', { endpoints: [] })
    const proxy = await proxyUnderTest(
      t,
      name,
      everywhere(
        route({ path: prefix('/none'), action: forward(nowhere) }),
        route({ path: prefix('/unresolved'), action: forward({ ...nowhere, unresolvedStatus: 500 }) }),
        route({ path: prefix('/zero'), action: forward(to('a', { weight: 0 })) }),
        route({ path: prefix('/half'), action: forward(to('a'), nowhere) }),
        route({ path: prefix('/said'), action: { kind: 'respond', status: 418 } }),
      ),
    )
    const paths = ['/none', '/unresolved', '/zero', '/said', '/nothing']
    const answers = await proxy.ask(...paths.map((path) => ({ port, path })))
    t.same(
      answers.map(({ status }) => status),
      [503, 500, 503, 418, 404],
    )
    const half = await proxy.ask(...Array.from({ length: 100 }, () => ({ port, path: '/half' })))
    const served = half.filter(({ status }) => status === 200).length
    t.equal(half.filter(({ status }) => status === 503).length, 100 - served)
    t.ok(served > 15 && served < 85, `${served} of 100`)
  })

  t.test(`${name} keeps a client with its endpoint by a cookie`, { skip }, async (t) => {
    const several = backend([ports.a, ports.b, ports.c])
    const proxy = await proxyUnderTest(
      t,
      name,
      everywhere(
        route({ path: prefix('/one'), action: { ...forward(several), affinity: { cookie: 'kept-by' } } }),
        route({ action: { ...forward(to('a'), to('b')), affinity: { cookie: 'kept-by' } } }),
      ),
    )
    for (const path of ['/one', '/two']) {
      const firsts = await proxy.ask(...Array.from({ length: 24 }, () => ({ port, path })))
      t.ok(new Set(firsts.map((answer) => echo(answer).backend)).size > 1, 'new clients go to several')
      for (const first of firsts.slice(0, 4)) {
        const cookie = String(first.headers['set-cookie']).split(';')[0] ?? ''
        t.match(cookie, /^kept-by=/)
        const again = await proxy.ask(
          ...Array.from({ length: 8 }, () => ({ port, path, headers: { Cookie: `x=1; ${cookie}; y=2` } })),
        )
        t.same([...new Set(again.map((answer) => echo(answer).backend))], [echo(first).backend])
        t.same(
          again.filter(({ headers }) => headers['set-cookie'] !== undefined),
          [],
          'it has one',
        )
      }
    }
  })

  t.test(`${name} asks backends for other paths and hosts`, { skip }, async (t) => {
    const proxy = await proxyUnderTest(
      t,
      name,
      everywhere(
        route({
          path: prefix('/a/b'),
          action: forward(to('a')),
          rewrite: { path: { type: 'Prefix', value: '/' } },
        }),
        route({
          path: prefix('/c/'),
          action: forward(to('a')),
          rewrite: { path: { type: 'Prefix', value: '/n%w/$1/' } },
        }),
        route({
          path: prefix('/full'),
          action: forward(to('a')),
          rewrite: { path: { type: 'Full', value: '/ping' } },
        }),
        route({
          path: { type: 'RegularExpression', value: '/re(/|$)(.*)' },
          action: forward(to('a')),
          rewrite: { path: { type: 'Regex', value: '/$2' }, hostname: 'other.example.com' },
        }),
        route({ action: forward(to('a')) }),
      ),
    )
    const expected: Readonly<Record<string, string>> = {
      '/a/b': '/',
      '/a/b/': '/',
      '/a/b/c?x=1&y': '/c?x=1&y',
      '/c': '/n%25w/$1',
      '/c/d/e': '/n%25w/$1/d/e',
      '/full/x?y=z': '/ping?y=z',
      '/re/x/y': '/x/y',
      '/RE': '/',
      '/as/it%20is/%2F//a+b?q=%41': '/as/it%20is/%2F//a+b?q=%41',
    }
    const answers = await proxy.ask(...Object.keys(expected).map((path) => ({ port, path, host: 'x.y' })))
    const echoes = answers.map(echo)
    t.same(
      echoes.map(({ url }) => url),
      Object.values(expected),
    )
    t.same(
      echoes.map(({ headers }) => headers['host']),
      Object.keys(expected).map((path) => (/^\/re/i.test(path) ? 'other.example.com' : 'x.y')),
    )
  })

  t.test(`${name} sends clients elsewhere`, { skip }, async (t) => {
    const redirect = (path: string, given: Partial<Extract<Route['action'], { kind: 'redirect' }>>) =>
      route({ path: prefix(path), action: { kind: 'redirect', status: 302, ...given } })
    const proxy = await proxyUnderTest(
      t,
      name,
      everywhere(
        redirect('/tls', { scheme: 'https', status: 308 }),
        redirect('/host', { hostname: 'b.example.com', status: 301 }),
        redirect('/port', { scheme: 'https', port: 8443 }),
        redirect('/usual', { scheme: 'http', port: 80 }),
        redirect('/full', { path: { type: 'Full', value: '/$new' } }),
        redirect('/old/a', { path: { type: 'Prefix', value: '/new' }, status: 303 }),
        redirect('/gone', { path: { type: 'Prefix', value: '/' }, status: 307 }),
      ),
    )
    const expected: Readonly<Record<string, string>> = {
      '/tls/a%20b?c=%0d%0ad': '308 https://x.y/tls/a%20b?c=%0d%0ad',
      '/host/%0d%0aX-Evil:1': '301 http://b.example.com/host/%0d%0aX-Evil:1',
      '/port': '302 https://x.y:8443/port',
      '/usual': '302 http://x.y/usual',
      '/full/x?y=1': '302 http://x.y:8080/$new?y=1',
      '/old/a/%41?y=1': '303 http://x.y:8080/new/%41?y=1',
      '/old/a': '303 http://x.y:8080/new',
      '/gone/a/b': '307 http://x.y:8080/a/b',
      '/gone': '307 http://x.y:8080/',
    }
    const answers = await proxy.ask(
      ...Object.keys(expected).map((path) => ({ port, path, host: 'x.y:8080' })),
    )
    t.same(
      answers.map(({ status, headers }) => `${status} ${String(headers['location'])}`),
      Object.values(expected),
    )
  })

  t.test(`${name} forwards the address of the client, and changes headers`, { skip }, async (t) => {
    const value = `a"b'c\\d $host %[src] {e}; #f`
    const proxy = await proxyUnderTest(
      t,
      name,
      everywhere(
        route({
          id: 'Ingress/default/shop/3',
          action: forward(
            to('a', { requestHeaders: { set: [{ name: 'X-Own', value: 'backend' }], add: [], remove: [] } }),
          ),
          requestHeaders: {
            set: [
              { name: 'X-Set', value },
              { name: 'X-Own', value: 'route' },
            ],
            add: [{ name: 'X-Added', value: 'more' }],
            remove: ['X-Removed'],
          },
          responseHeaders: {
            set: [{ name: 'X-Replaced', value }],
            add: [{ name: 'X-New', value: 'n' }],
            remove: ['X-Dropped'],
          },
        }),
      ),
    )
    const given = { 'X-Removed': 'r', 'X-Added': 'some', 'X-Set': 's', 'X-Forwarded-For': '1.2.3.4' }
    const [first, second] = await proxy.ask(
      { port, path: '/p', host: 'x.y:8080', headers: { ...given, 'X-Request-ID': 'my-id' } },
      { port, path: '/p', host: 'x.y' },
    )
    const { headers } = echo(first)
    t.match(headers, {
      ...{ 'x-request-id': 'my-id', 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' },
      ...{ 'x-forwarded-host': 'x.y:8080', 'x-forwarded-port': '8080', 'x-forwarded-proto': 'http' },
      ...{ host: 'x.y:8080', 'x-set': value, 'x-own': 'backend', 'x-added': /^some, ?more$/ },
    })
    t.notOk('x-removed' in headers)
    t.match(first?.headers, { 'x-replaced': value, 'x-new': 'n' })
    t.notOk('x-dropped' in (first?.headers ?? {}))
    const own = echo(second).headers['x-request-id'] ?? ''
    t.match(own, /^[0-9a-f-]{32,36}$/, 'a request without an id gets one')
    t.equal(echo(second).headers['x-added'], 'more')
    const logged = (id: string) => proxy.log().find((line) => line['id'] === id)
    t.match(logged('my-id'), {
      ...{ id: 'my-id', client: /^127\.0\.0\.1:\d+$/, host: 'x.y:8080', method: 'GET', path: '/p' },
      ...{ route: 'Ingress/default/shop/3', upstream: `127.0.0.1:${ports.a}`, status: '200' },
    })
    t.match(logged(own), { host: 'x.y', status: '200' })
  })

  t.test(
    `${name} rejects large bodies and clients that are not allowed, and observes timeouts`,
    { skip },
    async (t) => {
      const proxy = await proxyUnderTest(
        t,
        name,
        everywhere(
          route({ path: prefix('/small'), action: forward(to('a')), maxBodyBytes: 10 }),
          route({ path: prefix('/large'), action: forward(to('a')), maxBodyBytes: 100_000 }),
          route({ path: prefix('/strangers'), action: forward(to('a')), allowFrom: ['10.0.0.0/8', '::1'] }),
          route({
            path: prefix('/friends'),
            action: forward(to('a')),
            allowFrom: ['10.0.0.0/8', '127.0.0.1'],
          }),
          route({ path: prefix('/late'), action: forward(to('a')), timeouts: { backendRequestMs: 100 } }),
          route({
            path: prefix('/timely'),
            action: forward(to('a')),
            timeouts: { backendRequestMs: 60_000 },
          }),
          route({ action: forward(to('a')) }),
        ),
      )
      const post = (path: string, length: number) => ({
        port,
        path,
        method: 'POST',
        body: 'x'.repeat(length),
      })
      const answers = await proxy.ask(
        ...[post('/small', 10), post('/small', 11), post('/', 3_000_000)],
        ...['/strangers', '/friends', '/late?wait=60000', '/timely'].map((path) => ({ port, path })),
      )
      t.same(
        answers.map(({ status }) => status),
        [200, 413, 200, 403, 200, 504, 200],
      )
      t.equal(echo(answers[2]).length, 3_000_000)
      const chunked = await proxy.ask(
        ...[post('/small', 10), post('/small', 11), post('/large', 11_000), post('/large', 200_000)].map(
          (one) => ({
            ...one,
            sized: false,
          }),
        ),
        post('/large', 100_000),
      )
      // HAProxy cannot look so far ahead: it asks for the length
      t.same(
        chunked.map(({ status, error }) => error ?? status),
        [200, 413, 200, name === 'haproxy' ? 411 : 413, 200],
      )
      t.same(
        [0, 2, 4].map((index) => echo(chunked[index]).length),
        [10, 11_000, 100_000],
      )
    },
  )
}

t.test('nginx sends copies of requests', { skip: cannotRun || missingProxy('nginx') }, async (t) => {
  const proxy = await proxyUnderTest(
    t,
    'nginx',
    everywhere(route({ action: forward(to('a')), mirror: [to('b'), to('c')] })),
  )
  const [answer] = await proxy.ask({ port, path: '/copied?x=1', method: 'POST', body: 'hello' })
  const id = echo(answer).headers['x-request-id']
  t.equal(echo(answer).backend, 'a')
  const copies = async () => (await proxy.seen()).filter((one) => one.id === id && one.backend !== 'a')
  await mustHold(
    async () => (await copies()).length === 2,
    () => 'no copies',
  )
  t.same(
    (await copies()).map(({ url }) => url),
    ['/copied?x=1', '/copied?x=1'],
  )
})
