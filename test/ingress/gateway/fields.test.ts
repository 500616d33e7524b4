import t from 'tap'
import { gatewayNotices } from '../../../src/cluster/manifests/gatewayNotices.js'
import { featuresOf } from '../../../src/ingress/gateway/features.js'
import { withGatewayStatus } from '../../../src/ingress/gateway/gatewayStatus.js'
import { controller, gateway, gatewayObject, httpRoute, listener, rule } from './objects.js'
import { clusterOf, statusesOf } from './statuses.js'

const refusals: readonly [field: string, spec: object, accepted: string][] = [
  [
    'infrastructure.parametersRef',
    { infrastructure: { parametersRef: { group: 'example.com', kind: 'Options', name: 'x' } } },
    'InvalidParameters: spec.infrastructure.parametersRef: parameters are not supported',
  ],
  [
    'tls.frontend',
    { tls: { frontend: { default: { validation: { caCertificateRefs: [] } } } } },
    'Invalid: spec.tls.frontend: client certificates are not supported',
  ],
  [
    'tls.backend',
    { tls: { backend: { clientCertificateRef: { name: 'x' } } } },
    'Invalid: spec.tls.backend: client certificates for backends are not supported',
  ],
  [
    'backendTLS',
    { backendTLS: { clientCertificateRef: { name: 'x' } } },
    'Invalid: spec.backendTLS: client certificates for backends are not supported',
  ],
]
for (const [field, spec, accepted] of refusals)
  t.test(`a Gateway with spec.${field} is not served at all, and its status has the reason`, async (t) => {
    const { gateways, listeners, configuration } = statusesOf([gateway([listener('http')], spec)])
    t.equal(gateways[0]?.[0], accepted)
    t.match(gateways[0]?.[1], /^Invalid: spec/)
    t.match(listeners[0]?.[0]?.[1], /^Invalid: spec/, 'not programmed')
    t.same(configuration.listeners, [])
  })

t.test('a class with parameters is not accepted, and its Gateways are not served', async (t) => {
  const parametersRef = { group: 'example.com', kind: 'Options', name: 'x' }
  const { gateways, configuration } = statusesOf([
    gatewayObject('GatewayClass', 'odd', { controllerName: controller, parametersRef }),
    gateway([listener('http')], { gatewayClassName: 'odd' }),
  ])
  t.equal(gateways[0]?.[0], 'Invalid: GatewayClass odd is not accepted: it has a parametersRef')
  t.same(configuration.listeners, [])
})

const asked: readonly [addresses: readonly object[], accepted: string, programmed: string][] = [
  [[{ type: 'IPAddress' }], 'Accepted', 'Programmed'],
  [[{ value: '192.0.2.1' }], 'Accepted', 'Programmed'],
  [
    [{ value: '192.0.2.9' }],
    'Accepted',
    'AddressNotUsable: spec.addresses: the Service of the controller has 192.0.2.1, not 192.0.2.9',
  ],
  [
    [{ type: 'example.com/named', value: 'x' }],
    'UnsupportedAddress: spec.addresses: an address must be an IPAddress or a Hostname, not a example.com/named',
    'Invalid: spec.addresses: an address must be an IPAddress or a Hostname, not a example.com/named',
  ],
]
for (const [addresses, accepted, programmed] of asked)
  t.test(`a Gateway that requests ${JSON.stringify(addresses)}`, async (t) => {
    const { gateways } = statusesOf([gateway([listener('http')], { addresses })])
    t.same(gateways[0], [accepted, programmed])
  })

t.test('ignored fields are listed as notices', async (t) => {
  const cluster = clusterOf([
    gateway([listener('tls', { port: 443, protocol: 'HTTPS', tls: { options: { 'example.com/x': 'y' } } })], {
      infrastructure: { labels: { team: 'web' } },
    }),
    httpRoute('default', { parentRefs: [], useDefaultGateways: 'All', rules: [rule('a')] }),
    httpRoute('mesh', { parentRefs: [{ group: '', kind: 'Service', name: 'a' }], rules: [rule('a')] }),
    httpRoute('plain', { rules: [rule('a')] }),
  ])
  t.same(
    gatewayNotices(cluster).map((notice) => notice.replace(/^(.{25}).*(: .*)$/, '$1…$2')),
    [
      'labels and annotations of…: Gateway default/edge',
      'tls.options of a listener…: Gateway default/edge',
      'useDefaultGateways has no…: HTTPRoute default/default',
      'a parentRef that is not a…: HTTPRoute default/mesh',
    ],
  )
  t.same(gatewayNotices(clusterOf([gateway([listener('http')])])), [])
})

t.test('a condition has the time of its last change, and keeps it while it is the same', async (t) => {
  const objects = [gateway([listener('http')]), httpRoute('r', { rules: [rule('none')] })]
  const statusesAt = (cluster: ReturnType<typeof clusterOf>, ip?: string) =>
    withGatewayStatus(cluster, controller, ip === undefined ? [] : [{ ip }])
  const times = (cluster: ReturnType<typeof clusterOf>) =>
    cluster.gateways?.[0]?.status?.conditions?.map(({ lastTransitionTime }) => lastTransitionTime)
  const first = statusesAt({ ...clusterOf(objects), now: '2026-01-01T00:00:00.123Z' })
  t.same(times(first), ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'])
  t.match(first.httpRoutes?.[0]?.status?.parents[0]?.conditions[1], {
    ...{ type: 'ResolvedRefs', status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z' },
  })
  const second = statusesAt({ ...first, now: '2026-01-02T00:00:00.000Z' }, '192.0.2.1')
  t.same(times(second), ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'], 'Programmed is True now')
  const later = { ...second, now: '2026-01-03T00:00:00.000Z' }
  t.equal(statusesAt(later, '192.0.2.1'), later, 'nothing changed')
})

t.test('features are sorted, and listed for the proxies that have them', async (t) => {
  const [nginx, haproxy] = (['nginx', 'haproxy'] as const).map((one) =>
    featuresOf(one).map(({ name }) => name),
  )
  t.same(nginx, [...(nginx ?? [])].sort())
  t.same(
    nginx?.filter((name) => !haproxy?.includes(name)),
    ['HTTPRouteRequestMirror', 'HTTPRouteRequestMultipleMirrors'],
  )
  t.same(
    haproxy?.filter((name) => !nginx?.includes(name)),
    ['TLSRoute'],
  )
  t.same(featuresOf(undefined), [])
  const { after } = statusesOf([], 'haproxy')
  t.same(after.gatewayClasses?.[0]?.status?.supportedFeatures, featuresOf('haproxy'))
})
