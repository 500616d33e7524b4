import { readFileSync } from 'node:fs'
import t from 'tap'
import { cachingSecretReader } from '../../../src/ingress/objects/tlsSecret.js'
import { cluster } from '../../cluster/lab.js'
import { compiled, ingress, rule } from './objects.js'

const file = (name: string) => readFileSync(`test/ingress/rules/certificates/${name}`, 'utf8')

function secret(name: string, data: Record<string, string>): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: { name },
    stringData: data,
  })
}

const good = secret('good', { 'tls.crt': file('example.crt'), 'tls.key': file('example.key') })
const rules = [rule('example.com', { '/': 'a' }), rule('www.example.com', { '/': 'a' })]
const sslRedirect = (value: string) => ({
  annotations: { 'nginx.ingress.kubernetes.io/ssl-redirect': value },
})

t.test('a host has the certificate of its Secret, and http is redirected to https', (t) => {
  const { configuration, plain, messages } = compiled(
    good,
    ingress('web', { rules, tls: [{ hosts: ['example.com'], secretName: 'good' }] }),
  )
  t.same(messages, [])
  t.same(configuration.certificates, {
    'default/good': { certificate: file('example.crt'), key: file('example.key') },
  })
  t.match(configuration.listeners[1], {
    protocol: 'HTTPS',
    hosts: [
      { hostname: 'example.com', certificate: 'default/good' },
      { hostname: 'www.example.com', certificate: undefined },
    ],
  })
  t.match(plain('example.com'), [{ action: { kind: 'redirect', scheme: 'https', status: 308 } }])
  t.match(plain('www.example.com'), [{ action: { kind: 'forward' } }], 'a host without TLS stays on http')
  t.end()
})

t.test('entries by wildcard and for all hosts of an Ingress', (t) => {
  const certificates = (tls: unknown) =>
    compiled(good, ingress('web', { rules, tls })).configuration.listeners[1]?.hosts.map(
      ({ certificate }) => certificate,
    )
  t.same(certificates([{ hosts: ['*.example.com'], secretName: 'good' }]), [undefined, 'default/good'])
  t.same(certificates([{ secretName: 'good' }]), ['default/good', 'default/good'])
  t.end()
})

t.test('ssl-redirect off, and forced without TLS', (t) => {
  const tls = [{ hosts: ['example.com'], secretName: 'good' }]
  t.match(compiled(good, ingress('web', { rules, tls }, sslRedirect('false'))).plain('example.com'), [
    { action: { kind: 'forward' } },
  ])
  const forced = { annotations: { 'nginx.ingress.kubernetes.io/force-ssl-redirect': 'true' } }
  t.match(compiled(ingress('web', { rules }, forced)).plain('example.com'), [
    { action: { kind: 'redirect', scheme: 'https' } },
  ])
  t.end()
})

t.test('a Secret that is missing, invalid or for another name is reported; the host is still served', (t) => {
  const cases: readonly [text: string, messages: RegExp][] = [
    [secret('other-name', { 'tls.crt': 'x', 'tls.key': 'y' }), /Secret default\/good was not found/],
    [
      secret('good', { 'tls.crt': 'x', 'tls.key': 'y' }),
      /tls\.crt of Secret default\/good is not a certificate/,
    ],
    [secret('good', { 'tls.crt': file('example.crt'), 'tls.key': 'y' }), /tls\.key .* is not a private key/],
    [
      secret('good', { 'tls.crt': file('example.crt'), 'tls.key': file('other.key') }),
      /tls\.key .* is not the key of its tls\.crt/,
    ],
    [
      secret('good', { 'tls.crt': file('other.crt'), 'tls.key': file('other.key') }),
      /CertificateMismatch: Secret default\/good is not for host example\.com/,
    ],
  ]
  for (const [text, expected] of cases) {
    const { configuration, secure, messages } = compiled(
      text,
      ingress('web', { rules, tls: [{ hosts: ['example.com'], secretName: 'good' }] }),
    )
    t.match(messages, [expected])
    t.same(configuration.certificates, {})
    t.match(secure('example.com'), [{ action: { kind: 'forward' } }])
  }
  t.end()
})

t.test('the cache parses a Secret once, and parses it again after a change', async (t) => {
  const readSecret = cachingSecretReader()
  const holding = (data: Record<string, string>) => ({
    ...{ apiVersion: 'v1', kind: 'Secret' as const, metadata: { name: 'a', namespace: 'b' }, data },
  })
  const made = { ...cluster(good), secrets: [holding({})] }
  const first = readSecret(made, 'b', 'a')
  t.match(first, { problem: 'Secret b/a has no tls.crt' })
  t.equal(readSecret(made, 'b', 'a'), first)
  const changed = { ...made, secrets: [holding({ 'tls.crt': 'YQ==' })] }
  t.match(readSecret(changed, 'b', 'a'), { problem: 'Secret b/a has no tls.key' })
  t.match(readSecret({ ...made, secrets: [] }, 'b', 'a'), { problem: 'Secret b/a was not found' })
})
