// Conformance tests of the Gateway API about ListenerSets, by their short names: kubernetes-sigs/gateway-api,
// conformance/tests, v1.5. The objects are written for these tests.
import t from 'tap'
import { withGatewayStatus } from '../../../src/ingress/gateway/gatewayStatus.js'
import type { GatewayListener, ListenerSet } from '../../../src/cluster/types/gateway.js'
import { controller, gateway, gatewayObject, httpRoute, listener, rule } from './objects.js'
import { clusterOf, reasons, statusesOf } from './statuses.js'

const http = listener('http', { hostname: 'gateway.example' })

/** A Gateway that allows ListenerSets of these namespaces. */
function open(from: object, ...listeners: readonly GatewayListener[]) {
  return gateway([http, ...listeners], { allowedListeners: { namespaces: from } })
}

/** A ListenerSet for the Gateway `edge`; those with a lower `age` are older. */
function set(name: string, listeners: readonly GatewayListener[], { namespace = 'default', age = 0 } = {}) {
  const metadata = { namespace, creationTimestamp: new Date(age * 1000).toISOString() }
  const parentRef = { name: 'edge', namespace: 'default' }
  return { ...gatewayObject('ListenerSet', name, { parentRef, listeners }, metadata) }
}

const named = (name: string, hostname: string, more: Partial<GatewayListener> = {}) =>
  listener(name, { hostname, ...more })

/** Reasons of the conditions of each ListenerSet and of its listeners, and the count of the Gateway. */
function sets(objects: readonly object[], addresses: readonly { ip: string }[] = [{ ip: '192.0.2.1' }]) {
  const given = clusterOf(objects)
  const older = (given.listenerSets ?? []).map((one): ListenerSet => {
    const written = objects.find(
      (other) => (other as ListenerSet).metadata.name === one.metadata.name,
    ) as ListenerSet
    const { creationTimestamp = '' } = written.metadata
    return { ...one, metadata: { ...one.metadata, creationTimestamp } }
  })
  const after = withGatewayStatus({ ...given, listenerSets: older }, controller, addresses)
  const without = (lines: readonly string[]) => lines.map((line) => line.split(':')[0])
  return {
    attached: after.gateways?.[0]?.status?.attachedListenerSets,
    routes: (after.httpRoutes ?? []).map(({ status }) =>
      without(reasons(status?.parents[0]?.conditions)).slice(0, 1),
    ),
    sets: Object.fromEntries(
      (after.listenerSets ?? []).map(({ metadata, status }) => [
        metadata.name,
        {
          whole: without(reasons(status?.conditions)),
          ...Object.fromEntries(
            (status?.listeners ?? []).map(({ name, conditions }) => [name, without(reasons(conditions))]),
          ),
        },
      ]),
    ),
    after,
  }
}

const whole = ['Accepted', 'Programmed']
const fine = [...whole, 'ResolvedRefs', 'NoConflicts']
const refused = { whole: ['NotAllowed', 'NotAllowed'] }

t.test('ListenerSetDefaultNotAllowed', async (t) => {
  const found = sets([
    gateway([http]),
    set('s', [named('a', 'a.example')]),
    httpRoute('r', { parentRefs: [{ kind: 'ListenerSet', name: 's' }], rules: [rule('a')] }),
  ])
  t.same({ sets: found.sets, attached: found.attached }, { sets: { s: refused }, attached: 0 })
  t.same(found.routes, [['NoMatchingParent']], 'its routes have no parent')
})

t.test('ListenerSetAllowedNamespaceNone', async (t) => {
  t.same(sets([open({ from: 'None' }), set('s', [named('a', 'a.example')])]).sets, { s: refused })
})

t.test('ListenerSetAllowedNamespaceSame', async (t) => {
  const found = sets([
    open({ from: 'Same' }),
    set('near', [named('a', 'a.example')]),
    set('far', [named('a', 'b.example')], { namespace: 'far' }),
  ])
  t.same(found.sets, { near: { whole, a: fine }, far: refused })
  t.equal(found.attached, 1)
})

t.test('ListenerSetAllowedNamespaceSelector', async (t) => {
  const found = sets([
    open({ from: 'Selector', selector: { matchLabels: { shop: 'yes' } } }),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { shop: 'yes' } } },
    set('in', [named('a', 'a.example')], { namespace: 'shop' }),
    set('out', [named('a', 'b.example')], { namespace: 'other' }),
  ])
  t.same(found.sets, { in: { whole, a: fine }, out: refused })
})

for (const [test, reason, clash, host] of [
  ['ListenerSetHostnameConflict', 'HostnameConflict', {}, undefined],
  ['ListenerSetProtocolConflict', 'ProtocolConflict', { protocol: 'TCP' }, ''],
] as const)
  t.test(test, async (t) => {
    const clashing = (name: string, hostname: string) =>
      host === undefined ? named(name, hostname, clash) : listener(name, clash)
    const conflicted = [reason, reason, 'ResolvedRefs', reason]
    const found = sets([
      open({ from: 'Same' }),
      // not the first by name, but the oldest
      set('z', [named('own', 'z.example'), clashing('gateway', 'gateway.example'), named('x', 'x.example')]),
      set('lost', [clashing('gateway', 'gateway.example')], { age: 1 }),
      set('b', [named('own', 'b.example'), clashing('x', 'x.example')], { age: 2 }),
      set('a', [clashing('x', 'x.example')], { age: 3 }),
    ])
    t.same(found.sets, {
      z: { whole: ['ListenersNotValid', 'Programmed'], own: fine, gateway: conflicted, x: fine },
      lost: { whole: ['ListenersNotValid', 'ListenersNotValid'], gateway: conflicted },
      b: { whole: ['ListenersNotValid', 'Programmed'], own: fine, x: conflicted },
      a: { whole: ['ListenersNotValid', 'ListenersNotValid'], x: conflicted },
    })
    t.equal(found.attached, 2)
    t.match(found.after.gateways?.[0]?.status?.listeners?.[0]?.conditions, [{ status: 'True' }])
  })

t.test('ListenerSetReferenceGrant', async (t) => {
  const grantTo = (kind: string) =>
    gatewayObject(
      'ReferenceGrant',
      'grant',
      {
        from: [{ group: 'gateway.networking.k8s.io', kind, namespace: 'default' }],
        to: [{ group: '', kind: 'Secret' }],
      },
      { namespace: 'certs' },
    )
  const tls = { certificateRefs: [{ name: 'cert', namespace: 'certs' }] }
  const https = named('https', 'a.example', { port: 443, protocol: 'HTTPS', tls })
  const reasonOf = (kind: string) =>
    sets([open({ from: 'Same' }), set('s', [https]), grantTo(kind)]).sets['s']
  // a grant to the Gateway is not one to its ListenerSets
  t.match(reasonOf('Gateway'), {
    whole: ['ListenersNotValid', 'ListenersNotValid'],
    https: ['Accepted', 'Invalid', 'RefNotPermitted'],
  })
  // the Secret does not exist
  t.match(reasonOf('ListenerSet'), { https: ['Accepted', 'Invalid', 'InvalidCertificateRef'] })
})

t.test('ListenerSetAllowedRoutesSupportedKinds', async (t) => {
  const tlsOnly = named('a', 'a.example', { allowedRoutes: { kinds: [{ kind: 'TLSRoute' }] } })
  t.match(sets([open({ from: 'Same' }), set('s', [tlsOnly])]).sets, {
    s: { a: ['Accepted', 'Invalid', 'InvalidRouteKinds'] },
  })
})

t.test('a ListenerSet is not accepted if its Gateway is not', async (t) => {
  const broken = open({ from: 'Same' })
  const spec = { ...broken.spec, backendTLS: { clientCertificateRef: { name: 'x' } } }
  const found = sets([{ ...broken, spec }, set('s', [named('a', 'a.example')])])
  t.match(found.sets, { s: { whole: ['ParentNotAccepted', 'ParentNotProgrammed'] } })
  t.equal(found.attached, 0)
})

t.test('a ListenerSet is not programmed while its Gateway has no address', async (t) => {
  const found = sets([open({ from: 'Same' }), set('s', [named('a', 'a.example')])], [])
  t.match(found.sets, { s: { whole: ['Accepted', 'ParentNotProgrammed'] } })
})

t.test('a route attaches to the listeners of its parent only, also if both have the same name', async (t) => {
  const { configuration } = statusesOf([
    open({ from: 'Same' }),
    { ...set('edge', [named('http', 'set.example')]) },
    httpRoute('of-gateway', { parentRefs: [{ name: 'edge', sectionName: 'http' }], rules: [rule('a')] }),
    httpRoute('of-set', {
      parentRefs: [{ kind: 'ListenerSet', name: 'edge', sectionName: 'http' }],
      rules: [rule('b')],
    }),
  ])
  t.same(configuration.listeners[0]?.hosts.map(({ hostname, routes }) => [hostname, routes.length]).sort(), [
    ['gateway.example', 1],
    ['set.example', 1],
  ])
})

t.test('a listener of an unsupported protocol takes no port from others', async (t) => {
  const { listeners, configuration } = statusesOf([gateway([http, listener('tcp', { protocol: 'TCP' })])])
  t.match(listeners[0], [fine, [/^UnsupportedProtocol/, /^Invalid/]])
  t.same(
    configuration.listeners.map(({ port }) => port),
    [80],
  )
})
