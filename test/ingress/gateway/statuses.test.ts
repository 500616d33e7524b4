// Conformance tests of the Gateway API about statuses, by their short names: kubernetes-sigs/gateway-api,
// conformance/tests, v1.4. The objects are written for these tests.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { foresee } from '../../../src/cluster/changes/index.js'
import type { GatewayCondition, GatewayListener } from '../../../src/cluster/types/gateway.js'
import type { Cluster } from '../../../src/cluster/types.js'
import { gatewayConfiguration } from '../../../src/ingress/gateway/gatewayConfiguration.js'
import { cluster, deployment, twoNodes, written } from '../../cluster/lab.js'
import { ingressController } from '../../../src/ingress/ingressController.js'
import { controller, gateway, gatewayClass, grant, httpRoute, listener, route, rule, to } from './objects.js'
import { reasons } from './statuses.js'

const read = (name: string) => readFileSync(`test/ingress/rules/certificates/${name}`).toString('base64')

/** A cluster with the statuses that its controller writes. */
function reconciled(...objects: readonly object[]): Cluster {
  const service = { namespace: 'default', name: 'front' }
  const text = [gatewayClass, front, ...objects].map((one) => JSON.stringify(one)).join('\n---\n')
  return cluster(`${deployment('a', 1)}\n---\n${text}`, {
    ingressControllers: [ingressController({ controller, service, proxy: 'nginx' })],
  })
}

const front = {
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'front' } },
  spec: { ports: [80, 443, 8080].map((port) => ({ name: `p${port}`, port })), externalIPs: ['203.0.113.7'] },
}

const secret = (
  namespace: string,
  data: object = { 'tls.crt': read('example.crt'), 'tls.key': read('example.key') },
) => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'cert', namespace } },
  ...{ type: 'kubernetes.io/tls', data },
})

function patched(before: Cluster, kind: string, name: string, spec: object): Cluster {
  const now = '2026-01-02T03:04:05Z'
  const change = { verb: 'patch', ref: { kind, name }, patch: { spec } } as const
  return foresee(written(before, change, { ...twoNodes, now }).cluster)
}

const observed = (conditions: readonly GatewayCondition[] = []) =>
  conditions.map(({ observedGeneration }) => observedGeneration)

const plain = [gateway([listener('http')]), httpRoute('r', { rules: [rule('a')] })]

t.test('GatewayClassObservedGenerationBump', async (t) => {
  const after = patched(reconciled(...plain), 'GatewayClass', 'lab', { description: 'new' })
  t.same(observed(after.gatewayClasses?.[0]?.status?.conditions), [2])
})

t.test('GatewayObservedGenerationBump', async (t) => {
  const listeners = [listener('http'), listener('more', { port: 8080 })]
  const after = patched(reconciled(...plain), 'Gateway', 'edge', { listeners })
  t.same(observed(after.gateways?.[0]?.status?.conditions), [2, 2])
  t.same(observed(after.gateways?.[0]?.status?.listeners?.[1]?.conditions), [2, 2, 2, 2])
})

t.test('HTTPRouteObservedGenerationBump', async (t) => {
  const after = patched(reconciled(...plain), 'HTTPRoute', 'r', { rules: [rule('b')] })
  t.same(observed(after.httpRoutes?.[0]?.status?.parents[0]?.conditions), [2, 2])
})

t.test('GatewayModifyListeners', async (t) => {
  const state = (made: Cluster) => [
    made.gateways?.[0]?.status?.listeners?.map(({ name, attachedRoutes }) => `${name} ${attachedRoutes}`),
    gatewayConfiguration(made, controller).configuration.listeners.map(({ port }) => port),
  ]
  const [http, more] = [listener('http'), listener('more', { port: 8080, hostname: 'data.test.com' })]
  const before = reconciled(...plain)
  t.same(state(before), [['http 1'], [80]])
  const with2 = patched(before, 'Gateway', 'edge', { listeners: [http, more] })
  t.same(state(with2), [
    ['http 1', 'more 1'],
    [80, 8080],
  ])
  t.same(state(patched(with2, 'Gateway', 'edge', { listeners: [more] })), [['more 1'], [8080]])
})

t.test('GatewayWithAttachedRoutes', async (t) => {
  const listeners = [
    listener('http'),
    // counted although the listener is not served
    listener('https', { port: 443, protocol: 'HTTPS', tls: { certificateRefs: [{ name: 'none' }] } }),
    listener('none', { port: 8080, allowedRoutes: { namespaces: { from: 'None' } } }),
  ]
  const { gateways } = reconciled(
    gateway(listeners),
    httpRoute('a', { rules: [rule('a')] }),
    httpRoute('b', { rules: [rule('none')] }),
    httpRoute('c', { parentRefs: [{ name: 'edge', sectionName: 'http' }], rules: [rule('a')] }),
    httpRoute('d', { parentRefs: [{ name: 'edge', sectionName: 'x' }], rules: [rule('a')] }),
  )
  t.same(
    gateways?.[0]?.status?.listeners?.map(({ attachedRoutes }) => attachedRoutes),
    [3, 2, 0],
  )
})

/** The kinds and reasons of the only listener of a Gateway. */
function only(made: Partial<GatewayListener>, ...objects: readonly object[]) {
  const [one] = reconciled(gateway([listener('l', made)]), ...objects).gateways?.[0]?.status?.listeners ?? []
  return {
    kinds: one?.supportedKinds.map(({ kind }) => kind),
    reasons: one?.conditions.map(({ reason }) => reason),
  }
}

t.test('GatewayInvalidRouteKind', async (t) => {
  const asked = (...kinds: readonly string[]) =>
    only({ allowedRoutes: { kinds: kinds.map((kind) => ({ kind })) } })
  t.match(asked('InvalidRoute'), { kinds: [], reasons: ['Accepted', 'Invalid', 'InvalidRouteKinds'] })
  t.match(asked('InvalidRoute', 'HTTPRoute'), {
    ...{ kinds: ['HTTPRoute'], reasons: ['Accepted', 'Programmed', 'InvalidRouteKinds'] },
  })
})

const https = (...certificateRefs: NonNullable<GatewayListener['tls']>['certificateRefs'] & object) => ({
  ...{ port: 443, protocol: 'HTTPS', tls: { certificateRefs } },
})

t.test('GatewayInvalidTLSConfiguration', async (t) => {
  for (const ref of [
    { name: 'no-such' },
    { group: 'wrong.group.example.com', name: 'cert' },
    { kind: 'WrongKind', name: 'cert' },
  ])
    t.match(only(https(ref), secret('default')), {
      reasons: ['Accepted', 'Invalid', 'InvalidCertificateRef'],
    })
  const malformed = secret('default', { 'tls.crt': 'SGVsbG8=', 'tls.key': read('example.key') })
  t.match(only(https({ name: 'cert' }), malformed), {
    reasons: ['Accepted', 'Invalid', 'InvalidCertificateRef'],
  })
  t.match(only(https({ name: 'cert' }), secret('default')), { reasons: ['Accepted', 'Programmed'] })
})

const elsewhere = https({ name: 'cert', namespace: 'certs' })
const secretGrant = (target: object, from = 'default') =>
  grant({ kind: 'Gateway', namespace: from }, { kind: 'Secret', ...target }, { namespace: 'certs' })
const secretGrants: readonly [test: string, objects: readonly object[], expected: readonly string[]][] = [
  ['GatewaySecretMissingReferenceGrant', [], ['Accepted', 'Invalid', 'RefNotPermitted']],
  [
    'GatewaySecretInvalidReferenceGrant',
    [secretGrant({}, 'other'), secretGrant({ name: 'another' })].map((one, index) => ({
      ...one,
      metadata: { ...one.metadata, name: `leave-${index}` },
    })),
    ['Accepted', 'Invalid', 'RefNotPermitted'],
  ],
  [
    'GatewaySecretReferenceGrantAllInNamespace',
    [secretGrant({})],
    ['Accepted', 'Programmed', 'ResolvedRefs'],
  ],
  [
    'GatewaySecretReferenceGrantSpecific',
    [secretGrant({ name: 'cert' })],
    ['Accepted', 'Programmed', 'ResolvedRefs'],
  ],
]
for (const [test, objects, expected] of secretGrants)
  t.test(test, async (t) => {
    t.match(only(elsewhere, secret('certs'), ...objects), { reasons: expected })
  })

t.test('HTTPRouteServiceTypes', async (t) => {
  const service = (name: string, spec: object) => ({
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name } },
    spec: { ports: [{ name: 'p', port: 80 }], ...spec },
  })
  const slice = (name: string) => ({
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
    metadata: { name, labels: { 'kubernetes.io/service-name': name } },
    ...{ addressType: 'IPv4', ports: [{ name: 'p', port: 3000 }] },
    endpoints: [{ addresses: ['198.51.100.7'], conditions: { ready: true } }],
  })
  const names = ['headless', 'manual', 'headless-manual']
  const made = reconciled(
    ...[service('headless', { clusterIP: 'None', selector: { app: 'a' } }), service('manual', {})],
    ...[service('headless-manual', { clusterIP: 'None' }), slice('manual'), slice('headless-manual')],
    gateway([listener('http')]),
    httpRoute('r', {
      rules: names.map((name) => rule(name, { path: { type: 'Exact', value: `/${name}` } })),
    }),
  )
  const routes = gatewayConfiguration(made, controller).configuration.listeners[0]?.hosts[0]?.routes ?? []
  const endpoints = routes.map(({ path, action }) => [
    path.value,
    action.kind === 'forward' && action.backends[0]?.endpoints,
  ])
  t.same(Object.fromEntries(endpoints), {
    '/headless': [{ address: '10.244.1.2', port: 80 }],
    '/manual': [{ address: '198.51.100.7', port: 3000 }],
    '/headless-manual': [{ address: '198.51.100.7', port: 3000 }],
  })
})

t.test('TLSRouteInvalidNoMatchingListener', async (t) => {
  const made = reconciled(
    gateway([listener('http'), listener('https', https({ name: 'cert' }))]),
    secret('default'),
    ...['http', 'https', 'none'].map((sectionName) =>
      route('TLSRoute', sectionName, {
        parentRefs: [{ name: 'edge', sectionName }],
        hostnames: ['example.com'],
        rules: [{ backendRefs: [to('a')] }],
      }),
    ),
  )
  t.match(
    made.tlsRoutes?.map(({ status }) => reasons(status?.parents[0]?.conditions)[0]),
    [/^NotAllowedByListeners/, /^NotAllowedByListeners/, /^NoMatchingParent/],
  )
})

t.test('TLSRouteListenerPassthroughSupportedKinds', async (t) => {
  const made = { port: 8080, protocol: 'TLS', tls: { mode: 'Passthrough' } } as const
  t.match(only(made), { kinds: ['TLSRoute'], reasons: ['Accepted', 'Programmed'] })
})

t.test('TLSRouteListenerTerminateNotSupported', async (t) => {
  const made = { port: 8080, protocol: 'TLS', tls: https({ name: 'cert' }).tls } as const
  t.match(only(made, secret('default')), { reasons: [/^UnsupportedValue/, /^Invalid/] })
})

const passing = (name: string, hostname: string) =>
  listener(name, { port: 8080, protocol: 'TLS', hostname, tls: { mode: 'Passthrough' } })

const tlsRoute = (name: string, hostnames: readonly string[], backend: object) =>
  route('TLSRoute', name, { hostnames, rules: [{ backendRefs: [backend] }] })

for (const [test, backend, reason] of [
  ['TLSRouteInvalidBackendRefNonexistent', to('no-such'), /^BackendNotFound/],
  ['TLSRouteInvalidBackendRefUnknownKind', to('a', { kind: 'Unknown' }), /^InvalidKind/],
] as const)
  t.test(test, async (t) => {
    const { tlsRoutes } = reconciled(
      gateway([passing('tls', 'a.example')]),
      tlsRoute('r', ['a.example'], backend),
    )
    t.match(reasons(tlsRoutes?.[0]?.status?.parents[0]?.conditions), ['Accepted', reason])
  })

t.test('TLSRouteInvalidNoMatchingListenerHostname', async (t) => {
  const { tlsRoutes, gateways } = reconciled(
    gateway([passing('exact', 'abc.example.com'), passing('wildcard', '*.wildcard.com')]),
    tlsRoute('r', ['example.com', 'wildcard.com'], to('a')),
  )
  t.match(reasons(tlsRoutes?.[0]?.status?.parents[0]?.conditions)[0], /^NoMatchingListenerHostname/)
  t.match(gateways?.[0]?.status?.listeners, [{ attachedRoutes: 0 }, { attachedRoutes: 0 }])
})

t.test('TLSRouteHostnameIntersection', async (t) => {
  const served = (hostname: string, ...hostnames: readonly string[]) => {
    const made = reconciled(gateway([passing('tls', hostname)]), tlsRoute('r', hostnames, to('a')))
    const [found] = gatewayConfiguration(made, controller).configuration.listeners
    return found?.hosts.filter(({ routes }) => routes.length > 0).map((one) => one.hostname)
  }
  t.same(served('*.example.com', 'abc.example.com', 'other.org'), ['abc.example.com'])
  t.same(served('*.com', '*.example.com'), ['*.example.com'])
  t.same(served('abc.example.com', '*.example.com'), ['abc.example.com'])
})

t.test('GatewayOptionalAddressValue', async (t) => {
  const { gateways } = reconciled(gateway([listener('http')], { addresses: [{ type: 'IPAddress' }] }))
  t.same(reasons(gateways?.[0]?.status?.conditions), ['Accepted', 'Programmed'])
  t.same(gateways?.[0]?.status?.addresses, [{ type: 'IPAddress', value: '203.0.113.7' }])
})
