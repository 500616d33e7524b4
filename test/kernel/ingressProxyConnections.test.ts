import t from 'tap'
import { configuration, forward, host, listener, prefix, route } from '../ingress/models.js'
import { cannotRun } from './ability.js'
import { echo, port, to } from './proxyModels.js'
import { missingProxy, proxyNames, proxyUnderTest, selfSigned } from './proxyUnderTest.js'

for (const name of proxyNames) {
  const skip = cannotRun || missingProxy(name)
  t.test(`${name} ends TLS for each host with its certificate, and speaks HTTP/2`, { skip }, async (t) => {
    const own = ['default', 'a.example.com', 'wild'].map(
      (subject) => [subject, selfSigned(t, subject)] as const,
    )
    const all = [route({ action: forward(to('a')) })]
    const hosts = [
      host('a.example.com', all, { certificate: 'a.example.com' }),
      host('*.example.com', all, { certificate: 'wild' }),
      host('b.example.com', all),
    ]
    const model = configuration(listener(port, hosts, { protocol: 'HTTPS' }))
    const proxy = await proxyUnderTest(t, name, { ...model, certificates: Object.fromEntries(own) })
    const asked = ['a.example.com', 'b.example.com', 'c.example.com', 'example.org']
    const answers = await proxy.ask(
      ...asked.map((one) => ({ port, path: '/', host: one, tls: true })),
      ...asked.map((one) => ({ port, path: '/', host: one, tls: true, http2: true })),
    )
    const expected = ['200 a.example.com', '200 default', '200 wild', '404 default']
    t.same(
      answers.map(({ status, certificate }) => `${status} ${certificate}`),
      [...expected, ...expected],
    )
    t.match(echo(answers[4]).headers, { host: 'a.example.com', 'x-forwarded-proto': 'https' })
  })

  t.test(`${name} passes TLS through by name`, { skip }, async (t) => {
    const passed = listener(
      port,
      [host('*.example.com', [route({ action: forward(to('secure')) })], { wildcard: 'suffix' })],
      { protocol: 'TLS' },
    )
    const proxy = await proxyUnderTest(t, name, configuration(passed))
    const [through, unknown] = await proxy.ask(
      { port, path: '/x', host: 'a.b.example.com', tls: true },
      { port, path: '/x', host: 'example.org', tls: true },
    )
    t.equal(through?.certificate, 'backend')
    t.equal(echo(through).backend, 'secure')
    t.equal(unknown?.status, undefined)
  })

  t.test(`${name} passes on gRPC, WebSockets and what is for TLS backends`, { skip }, async (t) => {
    const model = configuration(
      listener(port, [
        host('*', [
          route({ path: prefix('/secure'), action: forward(to('secure', { protocol: 'HTTPS' })) }),
          route({ action: forward(to('a')) }),
        ]),
      ]),
      listener(8443, [host('*', [route({ action: forward(to('grpc', { protocol: 'GRPC' })) })])], {
        protocol: 'HTTPS',
      }),
      listener(8081, [host('*', [route({ action: forward(to('grpc', { protocol: 'GRPC' })) })])]),
    )
    const proxy = await proxyUnderTest(t, name, { ...model, certificates: { default: selfSigned(t, 'd') } })
    const call = {
      ...{ path: '/shop.Cart/Add', host: 'x.y', method: 'POST', http2: true, body: 'a message' },
      headers: { 'content-type': 'application/grpc', te: 'trailers' },
    }
    const [socket, secure, ...calls] = await proxy.ask(
      { port, path: '/ws', upgrade: 'hello' },
      { port, path: '/secure' },
      { ...call, port: 8443, tls: true },
      { ...call, port: 8081 },
    )
    t.match(socket, { status: 101, body: 'hello' })
    t.equal(echo(secure).backend, 'secure')
    for (const answer of calls) {
      t.match(answer, { status: 200, body: 'a message', trailers: { 'grpc-status': '0' } })
      t.equal(answer.headers['x-path'], '/shop.Cart/Add')
    }
  })

  t.test(`${name} takes the client's address from the PROXY protocol`, { skip }, async (t) => {
    const hosts = [host('*', [route({ action: forward(to('a')), allowFrom: ['192.0.2.0/24'] })])]
    const proxy = await proxyUnderTest(t, name, configuration(listener(port, hosts, { proxyProtocol: true })))
    const before = (client: string) => `PROXY TCP4 ${client} 198.51.100.1 4711 80\r\n`
    const [forwarded, stranger, withoutHeader] = await proxy.ask(
      { port, path: '/', before: before('192.0.2.7') },
      { port, path: '/', before: before('203.0.113.7') },
      { port, path: '/' },
    )
    t.match(echo(forwarded).headers, { 'x-forwarded-for': '192.0.2.7', 'x-real-ip': '192.0.2.7' })
    t.equal(stranger?.status, 403)
    t.not(withoutHeader?.status, 200)
    t.match(proxy.log().find(({ status }) => status === '200')?.['client'], '192.0.2.7:4711')
  })
}

t.test(
  'haproxy ends TLS and passes it through on one port',
  { skip: cannotRun || missingProxy('haproxy') },
  async (t) => {
    const model = configuration(
      listener(port, [host('passed.example.com', [route({ action: forward(to('secure')) })])], {
        protocol: 'TLS',
      }),
      listener(port, [host('*', [route({ action: forward(to('a')) })])], { protocol: 'HTTPS' }),
    )
    const proxy = await proxyUnderTest(t, 'haproxy', {
      ...model,
      certificates: { default: selfSigned(t, 'd') },
    })
    const [passed, ended] = await proxy.ask(
      { port, path: '/', host: 'passed.example.com', tls: true },
      { port, path: '/', host: 'other.example.com', tls: true },
    )
    t.equal(passed?.certificate, 'backend')
    t.equal(ended?.certificate, 'd')
    t.equal(echo(ended).headers['x-forwarded-for'], '127.0.0.1')
  },
)
