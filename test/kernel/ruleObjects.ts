import type { Certificate } from '../../src/ingress/model.js'
import { service } from '../cluster/lab.js'
import { ingress, rule, to80 } from '../ingress/rules/objects.js'
import { ports, type ProxyName } from './proxyUnderTest.js'

/** Of the Service upstream, where a backend listens, too. */
export const upstreamAddress = '10.96.7.7'

/** The Services that Ingresses name; which of them have endpoints, and where, `pointed` says. */
export const services = [
  ...['a', 'b', 'c', 'pair', 'secure', 'grpc', 'grpcs', 'idle'].map((name) => service(name)),
  service('upstream', `clusterIP: ${upstreamAddress}`).replace('port: 80', `port: ${ports.upstream}`),
].join('')
/** The class of all. */
export const ingressClass = `apiVersion: networking.k8s.io/v1
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

/** Ingresses of one host each, with one annotation or a few, for a Service of the same name or a. */
const annotations: Readonly<Record<string, Record<string, string>>> = {
  closed: { 'whitelist-source-range': '10.0.0.0/8' },
  open: { 'whitelist-source-range': '10.0.0.0/8, 127.0.0.1' },
  unreadable: { 'whitelist-source-range': 'office' },
  small: { 'proxy-body-size': '1k' },
  sticky: { affinity: 'cookie', 'session-cookie-name': 'route' },
  pair: { affinity: 'cookie', 'session-cookie-name': 'pod' },
  secure: { 'backend-protocol': 'HTTPS' },
  grpc: { 'backend-protocol': 'GRPC' },
  grpcs: { 'backend-protocol': 'GRPCS' },
  root: { 'app-root': '/app' },
  forced: { 'force-ssl-redirect': 'true' },
}

/** The same as HAProxy's own annotations have it. */
const haproxyAnnotations: Readonly<Record<string, Record<string, string>>> = {
  'closed-there': { 'allow-list': '10.0.0.0/8' },
  'sticky-there': { 'cookie-persistence': 'kept' },
  'secure-there': { 'server-ssl': 'true' },
  'forced-there': { 'ssl-redirect': 'true' },
}

/** Everything that is asked for, and the Secret of the host with TLS. */
export function objects(name: ProxyName, certificate: Certificate): string[] {
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
        { rules: [rule(`${host}.example`, { '/': services.includes(`name: ${host} `) ? host : 'a' })] },
        annotated(given),
      ),
    ),
    ingress(
      'upstream',
      {
        rules: [
          {
            host: 'upstream.example',
            http: {
              paths: [
                {
                  ...{ path: '/', pathType: 'Prefix' },
                  backend: { service: { name: 'upstream', port: { number: ports.upstream } } },
                },
              ],
            },
          },
        ],
      },
      annotated({ 'service-upstream': 'true' }),
    ),
    ...Object.entries(name === 'haproxy' ? haproxyAnnotations : {}).map(([host, given]) =>
      ingress(
        host,
        { rules: [rule(`${host}.example`, { '/': host.startsWith('secure') ? 'secure' : 'a' })] },
        annotated(given, 'haproxy.org'),
      ),
    ),
    ...canary('none', {}),
    ...canary('all', { 'canary-weight': '100' }),
    ...canary('half', { 'canary-weight': '50' }),
    ...canary('header', { 'canary-by-header': 'X-Canary', 'canary-weight': '100' }),
    ...canary('value', { 'canary-by-header': 'X-Canary', 'canary-by-header-value': 'yes' }),
    ...canary('pattern', { 'canary-by-header': 'X-Canary', 'canary-by-header-pattern': '^v[0-9]+$' }),
    ...canary('cookie', { 'canary-by-cookie': 'canary' }),
  ]
}
