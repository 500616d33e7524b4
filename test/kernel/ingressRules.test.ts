import t from 'tap'
import { defaultCertificate } from '../../src/ingress/certificateFiles.js'
import type { Certificate } from '../../src/ingress/model.js'
import { prefixes } from '../../src/ingress/rules/annotations.js'
import { ingressConfiguration } from '../../src/ingress/rules/ingressConfiguration.js'
import type { Answer, Ask } from '../fixtures/ingressPeer.js'
import { cluster, service } from '../cluster/lab.js'
import { ingress, rule, to80 } from '../ingress/rules/objects.js'
import { cannotRun } from './ability.js'
import { pointed } from './pointed.js'
import { echo, port } from './proxyModels.js'
import { lacking, proxyNames, proxyUnderTest, selfSigned, type ProxyName } from './proxyUnderTest.js'

const securePort = 8443

/** The Services that Ingresses name; which of them have endpoints, and where, `pointed` says. */
const services = ['a', 'b', 'c', 'secure', 'idle'].map((name) => service(name)).join('')
const ingressClass = `apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: nginx }
spec: { controller: a.example/c }
`

function tlsSecret(name: string, { certificate, key }: Certificate): string {
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const data = { 'tls.crt': encoded(certificate), 'tls.key': encoded(key) }
  return JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name }, type: 'kubernetes.io/tls', data },
  })
}

const annotated = (annotations: Record<string, string>, prefix = 'nginx.ingress.kubernetes.io') => ({
  annotations: Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [`${prefix}/${name}`, value]),
  ),
})

/** Ingresses of one host each, with one annotation or a few. */
const annotations: Readonly<Record<string, Record<string, string>>> = {
  closed: { 'whitelist-source-range': '10.0.0.0/8' },
  open: { 'whitelist-source-range': '10.0.0.0/8, 127.0.0.1' },
  unreadable: { 'whitelist-source-range': 'office' },
  small: { 'proxy-body-size': '1k' },
  sticky: { affinity: 'cookie', 'session-cookie-name': 'route' },
  secure: { 'backend-protocol': 'HTTPS' },
  root: { 'app-root': '/app' },
  forced: { 'force-ssl-redirect': 'true' },
}

function objects(name: ProxyName, certificate: Certificate): string[] {
  const canary = (host: string, given: Record<string, string>) => [
    ingress(`main-${host}`, { rules: [rule(`${host}.example`, { '/': 'a' })] }),
    ingress(
      `canary-${host}`,
      { rules: [rule(`${host}.example`, { '/': 'b' })] },
      annotated({ canary: 'true', ...given }),
    ),
  ]
  return [
    tlsSecret('tls', certificate),
    ingress(
      'pings',
      { rules: [rule('example.com', { '/a/pings': 'a', '/b/pings': 'b' })] },
      annotated({ 'rewrite-target': '/ping' }),
    ),
    ingress(
      'testpath',
      { rules: [rule('testpath.example', { '/testpath': 'a' })] },
      name === 'haproxy'
        ? annotated({ 'path-rewrite': '/' }, 'haproxy.org')
        : annotated({ 'rewrite-target': '/' }),
    ),
    ingress(
      'groups',
      { rules: [rule('groups.example', { '/something(/|$)(.*)': 'a' }, 'ImplementationSpecific')] },
      annotated({ 'rewrite-target': '/$2' }),
    ),
    ingress('first', { rules: [rule('shared.example', { '/': 'a' })] }),
    ingress('second', { rules: [rule('shared.example', { '/': 'b', '/b': 'b' })] }),
    ingress('third', { rules: [rule('shared.example', { '/b': 'c' }, 'Exact')] }),
    ingress('wild', { rules: [rule('*.wild.example', { '/': 'a' })] }),
    ingress('rest', { defaultBackend: to80('c'), rules: [rule('rest.example', { '/x': 'a' })] }),
    ingress('lacks', { rules: [rule('lacks.example', { '/': 'none', '/idle': 'idle' })] }),
    ingress('tls', {
      tls: [{ hosts: ['tls.example'], secretName: 'tls' }],
      rules: [rule('tls.example', { '/': 'a' })],
    }),
    ingress(
      'both',
      { tls: [{ hosts: ['both.example'], secretName: 'gone' }], rules: [rule('both.example', { '/': 'a' })] },
      annotated({ 'ssl-redirect': 'false' }),
    ),
    ...Object.entries(annotations).map(([host, given]) =>
      ingress(
        host,
        { rules: [rule(`${host}.example`, { '/': host === 'secure' ? 'secure' : 'a' })] },
        annotated(given),
      ),
    ),
    ...canary('none', {}),
    ...canary('all', { 'canary-weight': '100' }),
    ...canary('header', { 'canary-by-header': 'X-Canary', 'canary-weight': '100' }),
    ...canary('value', { 'canary-by-header': 'X-Canary', 'canary-by-header-value': 'yes' }),
    ...canary('pattern', { 'canary-by-header': 'X-Canary', 'canary-by-header-pattern': '^v[0-9]+$' }),
    ...canary('cookie', { 'canary-by-cookie': 'canary' }),
  ]
}

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
const over = (host: string, path = '/'): Ask => get(host, path, { port: securePort, tls: true })
const asked = (header: string, value: string) => ({ headers: { [header]: value } })

const cases: readonly (readonly [ask: Ask, expected: Expected])[] = [
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

function found({ location, certificate, ...expected }: Expected, answer: Answer): Expected {
  const told = answer.status === 200 ? echo(answer) : undefined
  const { status, headers } = answer
  // only the path is told by some: it is for the same host
  const target = String(headers['location'] ?? '')
  return {
    ...(expected.status === undefined || status === undefined ? {} : { status }),
    ...(expected.backend === undefined ? {} : { backend: told?.backend ?? `status ${status}` }),
    ...(expected.url === undefined ? {} : { url: told?.url ?? '' }),
    ...(location === undefined
      ? {}
      : { location: location.startsWith('/') ? target.replace(/^http:\/\/[^/]+/, '') : target }),
    ...(certificate === undefined ? {} : { certificate: answer.certificate ?? '' }),
  }
}

for (const name of proxyNames) {
  const skip = cannotRun || lacking(name)
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
    const answers = await proxy.ask(...cases.map(([ask]) => ask))
    for (const [index, [ask, expected]] of cases.entries()) {
      const answer = answers[index]
      t.strictSame(answer && found(expected, answer), expected, JSON.stringify(ask).slice(0, 150))
    }
    const [sticky] = await proxy.ask(get('sticky.example'))
    t.match(String(sticky?.headers['set-cookie']), /^route=/, 'a new client is given a cookie')
  })
}
