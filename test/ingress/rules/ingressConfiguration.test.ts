import t from 'tap'
import { documentedPaths, inOrder } from '../pathExamples.js'
import { compiled, ingress, rule, to80, routeText } from './objects.js'

const example = 'example.com'
const nginx = (annotations: Record<string, string>) => ({
  annotations: Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [`nginx.ingress.kubernetes.io/${name}`, value]),
  ),
})

t.test('hosts and paths lead to the endpoints of their Services', (t) => {
  const { plain, secure, served, messages } = compiled(
    ingress('web', {
      rules: [
        rule(example, { '/a': 'a', '/b': 'b' }),
        { host: '*.example.com', http: rule(undefined, { '/': 'b' }).http },
      ],
    }),
  )
  t.same(messages, [])
  t.equal(served.length, 1)
  t.same(plain(example).map(routeText), ['Prefix /a > default/a:80*1', 'Prefix /b > default/b:80*1'])
  t.same(plain('*.example.com').map(routeText), ['Prefix / > default/b:80*1'])
  t.same(secure(example), plain(example), 'and on https, with the certificate of the proxy')
  const [route] = plain(example)
  t.match(route, {
    id: 'Ingress/default/web/0',
    action: {
      backends: [
        {
          endpoints: [
            { address: '10.244.1.2', port: 8080 },
            { address: /^10\.244\./, port: 8080 },
          ],
        },
      ],
    },
  })
  t.end()
})

t.test('paths are evaluated in the order of the documentation', (t) => {
  for (const { paths } of documentedPaths) {
    const items = paths.map(({ type, value }) => ({ path: value, pathType: type, backend: to80('a') }))
    const { plain } = compiled(ingress('web', { rules: [{ host: example, http: { paths: items } }] }))
    t.same(
      plain(example).map(({ path }) => path),
      inOrder(paths),
    )
  }
  t.end()
})

t.test('several Ingresses share a host; the oldest has a path that both define', (t) => {
  const { plain, messages } = compiled(
    ingress(
      'younger',
      { rules: [rule(example, { '/': 'b', '/b': 'b' })] },
      { creationTimestamp: '2026-01-02T00:00:00Z' },
    ),
    ingress('older', { rules: [rule(example, { '/': 'a' })] }, { creationTimestamp: '2026-01-01T00:00:00Z' }),
  )
  t.same(plain(example).map(routeText), ['Prefix /b > default/b:80*1', 'Prefix / > default/a:80*1'])
  t.same(messages, ['younger PathTaken: / of host example.com is already used by default/older'])
  t.end()
})

t.test('a port by name, and missing ports and Services', (t) => {
  const backend = (name: string, port: Record<string, unknown>) => ({ service: { name, port } })
  const paths = [
    backend('a', { name: 'web' }),
    backend('a', { name: 'admin' }),
    backend('none', { number: 80 }),
    backend('c', { number: 80 }),
  ].map((one, index) => ({ path: `/${index}`, pathType: 'Exact', backend: one }))
  const { plain, messages } = compiled(ingress('web', { rules: [{ host: example, http: { paths } }] }))
  t.same(
    plain(example).map(({ action }) => action.kind === 'forward' && action.backends[0]?.endpoints.length),
    [2, 0, 0, 0],
  )
  t.same(messages, [
    'web BackendNotFound: Service default/a has no port admin',
    'web BackendNotFound: Service default/none was not found',
    'web BackendNotFound: Service default/c is of type ExternalName: it has no endpoints',
  ])
  t.end()
})

t.test('default backends: of a host’s own Ingress first, and for all other names', (t) => {
  const { plain } = compiled(
    ingress('all', { defaultBackend: to80('b') }),
    ingress('own', { defaultBackend: to80('a'), rules: [rule('own.example', { '/x': 'b' })] }),
    ingress('web', { rules: [rule(example, { '/x': 'a' })] }),
  )
  t.same(plain('own.example').map(routeText), ['Prefix /x > default/b:80*1', 'Prefix / > default/a:80*1'])
  t.same(plain(example).map(routeText), ['Prefix /x > default/a:80*1', 'Prefix / > default/b:80*1'])
  t.same(plain('*').map(routeText), ['Prefix / > default/b:80*1'])
  t.end()
})

t.test('unreachable paths and missing default backends are reported once', (t) => {
  const { messages } = compiled(
    ingress('all', { defaultBackend: to80('b') }),
    ingress('other', { defaultBackend: to80('a') }),
    ingress('own', {
      defaultBackend: to80('none'),
      rules: [
        rule('own.example', { '/x': 'b' }),
        { host: 'own2.example' },
        rule('own.example', { '/x/': 'a' }),
      ],
    }),
  )
  t.same(messages, [
    'own PathTaken: /x/ of host own.example is defined twice; the first is used',
    'other PathTaken: hosts without rules already use the default backend of default/all',
    'own BackendNotFound: Service default/none was not found',
  ])
  t.end()
})

t.test('rewrites: a whole path, and groups of a regular expression', (t) => {
  const { plain, messages } = compiled(
    ingress(
      'pings',
      { rules: [rule(example, { '/a/pings': 'a', '/b/pings': 'b' })] },
      nginx({ 'rewrite-target': '/ping' }),
    ),
    ingress(
      'groups',
      { rules: [rule('groups.example', { '/something(/|$)(.*)': 'a' }, 'ImplementationSpecific')] },
      nginx({ 'rewrite-target': '/$2', 'use-regex': 'true' }),
    ),
  )
  t.same(messages, [])
  t.match(plain(example), [
    { path: { type: 'Prefix', value: '/a/pings' }, rewrite: { path: { type: 'Full', value: '/ping' } } },
    { path: { type: 'Prefix', value: '/b/pings' }, rewrite: { path: { type: 'Full', value: '/ping' } } },
  ])
  t.match(plain('groups.example'), [
    { path: { type: 'RegularExpression' }, rewrite: { path: { type: 'Regex', value: '/$2' } } },
  ])
  t.end()
})

t.test('a canary gets its share, by weight, header and cookie', (t) => {
  const main = ingress('main', { rules: [rule(example, { '/': 'a' })] })
  const canary = (annotations: Record<string, string>) =>
    compiled(
      main,
      ingress('canary', { rules: [rule(example, { '/': 'b' })] }, nginx({ canary: 'true', ...annotations })),
    )
      .plain(example)
      .map(routeText)
  const a = 'default/a:80'
  const b = 'default/b:80'
  t.same(canary({ 'canary-weight': '30' }), [`Prefix / > ${a}*70 ${b}*30`])
  t.same(canary({ 'canary-weight': '0' }), [`Prefix / > ${a}*100`])
  t.same(canary({ 'canary-weight': '5', 'canary-weight-total': '1000' }), [`Prefix / > ${a}*995 ${b}*5`])
  t.same(canary({ 'canary-by-header': 'X-New' }), [
    `Prefix / X-New=always > ${b}*1`,
    `Prefix / X-New=never > ${a}*1`,
    `Prefix / > ${a}*100`,
  ])
  t.same(canary({ 'canary-by-header': 'X-New', 'canary-by-header-value': 'yes', 'canary-weight': '10' }), [
    `Prefix / X-New=yes > ${b}*1`,
    `Prefix / > ${a}*90 ${b}*10`,
  ])
  t.match(canary({ 'canary-by-cookie': 'new' }), [
    /Cookie=.*new=always.*> default\/b/,
    /never.*> default\/a/,
    /./,
  ])
  const alone = compiled(
    ingress('canary', { rules: [rule(example, { '/': 'b' })] }, nginx({ canary: 'true' })),
  )
  t.same(alone.messages, ['canary CanaryAlone: no other Ingress has / of host example.com'])
  t.same(alone.plain(example), [])
  t.end()
})

t.test('annotations change routes', (t) => {
  const { plain, messages } = compiled(
    ingress(
      'web',
      { rules: [rule(example, { '/': 'a' })] },
      nginx({
        'whitelist-source-range': '10.0.0.0/8, 192.0.2.1',
        'proxy-body-size': '8m',
        'proxy-read-timeout': '5',
        affinity: 'cookie',
        'session-cookie-name': 'route',
        'backend-protocol': 'grpc',
        'service-upstream': 'true',
        'app-root': '/app',
      }),
    ),
  )
  t.same(messages, [])
  t.match(plain(example), [
    {
      path: { type: 'Exact', value: '/' },
      action: { kind: 'redirect', status: 302, path: { value: '/app' } },
    },
    {
      allowFrom: ['10.0.0.0/8', '192.0.2.1'],
      maxBodyBytes: 8 * 1024 * 1024,
      timeouts: { backendRequestMs: 5000 },
      action: {
        affinity: { cookie: 'route' },
        backends: [{ protocol: 'GRPC', endpoints: [{ address: /^10\.96\./, port: 80 }] }],
      },
    },
  ])
  t.end()
})

t.test('invalid annotations are reported, and allow-lists fail closed', (t) => {
  const { plain, messages } = compiled(
    ingress(
      'web',
      { rules: [rule(example, { '/': 'a' })] },
      nginx({
        'whitelist-source-range': 'office',
        'proxy-body-size': 'big',
        affinity: 'ip',
        'ssl-redirect': 'yes',
        'configuration-snippet': 'return 200;',
      }),
    ),
  )
  t.match(messages, [
    /whitelist-source-range: "office" is not an address range; all clients are denied/,
    /proxy-body-size: "big" is not a size, such as 8m/,
    /affinity: "ip" is not supported; use cookie/,
    /ssl-redirect: "yes" is neither true nor false/,
    /configuration-snippet: vethlab does not support this annotation/,
  ])
  t.match(plain(example), [{ allowFrom: [], action: { kind: 'forward' } }])
  t.end()
})
