import t, { type Test } from 'tap'
import { defaultCertificate } from '../../src/ingress/certificateFiles.js'
import { prefixes } from '../../src/ingress/rules/annotations.js'
import { ingressConfiguration } from '../../src/ingress/rules/ingressConfiguration.js'
import type { Answer, Ask } from '../fixtures/ingressPeer.js'
import { cluster } from '../cluster/lab.js'
import { cannotRun } from './ability.js'
import { pointed } from './pointed.js'
import { echo, port } from './proxyModels.js'
import {
  missingProxy,
  proxyNames,
  proxyUnderTest,
  selfSigned,
  type ProxyUnderTest,
} from './proxyUnderTest.js'
import { ingressClass, objects, services, upstreamAddress } from './ruleObjects.js'

const securePort = 8443

interface Expected {
  readonly status?: number
  readonly backend?: string
  readonly url?: string
  readonly location?: string
  readonly certificate?: string
}

const get = (host: string, path = '/', given: Partial<Ask> = {}): Ask => ({
  ...{ port, host, path },
  ...given,
})
const over = (host: string, path = '/', given: Partial<Ask> = {}): Ask =>
  get(host, path, { port: securePort, tls: true, ...given })
const asked = (header: string, value: string) => ({ headers: { [header]: value } })

type Cases = readonly (readonly [ask: Ask, expected: Expected])[]

const cases: Cases = [
  [get('example.com', '/a/pings'), { backend: 'a', url: '/ping' }],
  [get('example.com', '/b/pings?n=1'), { backend: 'b', url: '/ping?n=1' }],
  [get('example.com', '/c/pings'), { backend: 'c', url: '/c/pings' }],
  [get('testpath.example', '/testpath'), { backend: 'a', url: '/' }],
  [get('groups.example', '/something/new/x'), { backend: 'a', url: '/new/x' }],
  [get('groups.example', '/something'), { backend: 'a', url: '/' }],
  [get('groups.example', '/Something/New'), { backend: 'a', url: '/New' }],
  [get('groups.example', '/somethingelse'), { backend: 'c' }],
  [get('shared.example', '/x'), { backend: 'a' }],
  [get('shared.example', '/b/x'), { backend: 'b' }],
  [get('shared.example', '/b'), { backend: 'c' }],
  [get('x.wild.example'), { backend: 'a' }],
  [get('y.x.wild.example'), { backend: 'c' }],
  [get('wild.example'), { backend: 'c' }],
  [get('rest.example', '/x'), { backend: 'a' }],
  [get('rest.example', '/y'), { backend: 'c' }],
  [get('nobody.example'), { backend: 'c' }],
  [get('lacks.example'), { status: 503 }],
  [get('lacks.example', '/idle'), { status: 503 }],
  [get('tls.example', '/p?q=1'), { status: 308, location: 'https://tls.example/p?q=1' }],
  [over('tls.example'), { backend: 'a', certificate: 'tls.example' }],
  [get('both.example'), { backend: 'a' }],
  [over('both.example'), { backend: 'a', certificate: 'own.example' }],
  [over('example.com', '/a/pings'), { backend: 'a', url: '/ping', certificate: 'own.example' }],
  [get('forced.example', '/x'), { status: 308, location: 'https://forced.example/x' }],
  [get('closed.example'), { status: 403 }],
  [get('open.example'), { backend: 'a' }],
  [get('unreadable.example'), { status: 403 }],
  [get('small.example', '/', { method: 'POST', body: 'x'.repeat(1024) }), { backend: 'a' }],
  [get('small.example', '/', { method: 'POST', body: 'x'.repeat(1025) }), { status: 413 }],
  [get('secure.example'), { backend: 'secure' }],
  [get('small.example', '/', { method: 'POST', body: 'x'.repeat(1025), sized: false }), { status: 413 }],
  [get('upstream.example'), { backend: 'upstream' }],
  [over('both.example', '/', { http2: true }), { backend: 'a', certificate: 'own.example' }],
  [get('root.example'), { status: 302, location: '/app' }],
  [get('root.example', '/app'), { backend: 'a' }],
  [get('none.example'), { backend: 'a' }],
  [get('all.example'), { backend: 'b' }],
  [get('header.example', '/', asked('X-Canary', 'never')), { backend: 'a' }],
  [get('header.example', '/', asked('X-Canary', 'always')), { backend: 'b' }],
  [get('header.example', '/', asked('X-Canary', 'other')), { backend: 'b' }],
  [get('value.example', '/', asked('X-Canary', 'yes')), { backend: 'b' }],
  [get('value.example', '/', asked('X-Canary', 'always')), { backend: 'a' }],
  [get('pattern.example', '/', asked('X-Canary', 'v12')), { backend: 'b' }],
  [get('pattern.example', '/', asked('X-Canary', 'xv12')), { backend: 'a' }],
  [get('cookie.example', '/', asked('Cookie', 'a=b; canary=always; c=d')), { backend: 'b' }],
  [get('cookie.example', '/', asked('Cookie', 'xcanary=always')), { backend: 'a' }],
]

/** What is asked of HAProxy alone. */
const haproxyCases: Cases = [
  [get('closed-there.example'), { status: 403 }],
  [get('sticky-there.example'), { backend: 'a' }],
  [get('secure-there.example'), { backend: 'secure' }],
  [get('forced-there.example', '/x'), { status: 308, location: 'https://forced-there.example/x' }],
]

function found({ location, certificate, ...expected }: Expected, answer: Answer): Expected {
  const echoed = answer.status === 200 ? echo(answer) : undefined
  const { status, headers } = answer
  // some proxies forward only the path: the host is the same
  const target = String(headers['location'] ?? '')
  return {
    ...(expected.status === undefined || status === undefined ? {} : { status }),
    ...(expected.backend === undefined ? {} : { backend: echoed?.backend ?? `status ${status}` }),
    ...(expected.url === undefined ? {} : { url: echoed?.url ?? '' }),
    ...(location === undefined
      ? {}
      : { location: location.startsWith('/') ? target.replace(/^http:\/\/[^/]+/, '') : target }),
    ...(certificate === undefined ? {} : { certificate: answer.certificate ?? '' }),
  }
}

/** A client without the cookie goes to either pod, and one with it to the same again. */
async function keepsClients(t: Test, proxy: ProxyUnderTest): Promise<void> {
  const first = await proxy.ask(...Array.from({ length: 20 }, () => get('pair.example')))
  t.same([...new Set(first.map((answer) => echo(answer).backend))].sort(), ['a', 'b'])
  for (const wanted of ['a', 'b']) {
    const cookies = first.find((answer) => echo(answer).backend === wanted)?.headers['set-cookie'] ?? []
    const cookie = [cookies].flat()[0]?.replace(/;.*/, '') ?? ''
    t.match(cookie, /^pod=./)
    const again = await proxy.ask(
      ...Array.from({ length: 5 }, () => get('pair.example', '/', asked('Cookie', cookie))),
    )
    t.same([...new Set(again.map((answer) => echo(answer).backend))], [wanted], `${cookie} is for ${wanted}`)
  }
}

/** Half of the requests go to the canary: none, or all, of 60 would be by luck once in 10 to the 18. */
async function shares(t: Test, proxy: ProxyUnderTest): Promise<void> {
  const answers = await proxy.ask(...Array.from({ length: 60 }, () => get('half.example')))
  t.same([...new Set(answers.map((answer) => echo(answer).backend))].sort(), ['a', 'b'])
}

/** Who asks, gRPC and WebSockets. */
async function passesOn(t: Test, proxy: ProxyUnderTest): Promise<void> {
  const call = {
    ...{ method: 'POST', http2: true, body: 'a message' },
    headers: { 'content-type': 'application/grpc', te: 'trailers' },
  }
  const given = { 'X-Forwarded-For': '192.0.2.1', 'X-Real-IP': '192.0.2.1', 'X-Request-ID': 'mine' }
  const [plain, secure, socket, ...calls] = await proxy.ask(
    get('open.example', '/', { headers: given }),
    over('both.example'),
    get('open.example', '/', { upgrade: 'hello' }),
    over('grpc.example', '/shop.Cart/Add', call),
    over('grpcs.example', '/shop.Cart/Add', call),
  )
  const client = { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' }
  t.match(echo(plain).headers, { ...client, 'x-forwarded-proto': 'http', 'x-request-id': 'mine' })
  t.match(echo(secure).headers, {
    ...client,
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'both.example',
  })
  t.match(socket, { status: 101, body: 'hello' })
  for (const [index, name] of ['grpc', 'grpcs'].entries())
    t.match(calls[index], {
      ...{ status: 200, body: 'a message', trailers: { 'grpc-status': '0' } },
      headers: { 'x-backend': name, 'x-path': '/shop.Cart/Add' },
    })
}

for (const name of proxyNames) {
  const skip = cannotRun || missingProxy(name)
  t.test(`${name} serves Ingresses and their annotations`, { skip }, async (t) => {
    const given = cluster(
      [services, ingressClass, ...objects(name, selfSigned(t, 'tls.example'))].join('\n---\n'),
    )
    const compiled = ingressConfiguration(given, {
      controller: 'a.example/c',
      prefixes: prefixes[name],
      ports: { http: port, https: securePort },
      proxyProtocol: false,
    })
    const certificates = { [defaultCertificate]: selfSigned(t, 'own.example') }
    const configuration = pointed({
      ...compiled.configuration,
      certificates: { ...compiled.configuration.certificates, ...certificates },
    })
    const proxy = await proxyUnderTest(t, name, configuration)
    await proxy.sandbox.must('the address of a Service', ['ip', 'addr', 'add', upstreamAddress, 'dev', 'lo'])
    const all = name === 'haproxy' ? [...cases, ...haproxyCases] : cases
    const answers = await proxy.ask(...all.map(([ask]) => ask))
    for (const [index, [ask, expected]] of all.entries()) {
      const answer = answers[index]
      t.strictSame(answer && found(expected, answer), expected, JSON.stringify(ask).slice(0, 150))
    }
    await keepsClients(t, proxy)
    await shares(t, proxy)
    await passesOn(t, proxy)
    const [sticky] = await proxy.ask(get('sticky.example'))
    t.match(String(sticky?.headers['set-cookie']), /^route=/, 'a new client is given a cookie')
  })
}
