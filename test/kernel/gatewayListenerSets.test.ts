// What the conformance tests of the Gateway API test of ListenerSets, by their short names: kubernetes-sigs/gateway-api,
// conformance/tests, v1.5. The objects and requests are vethlab's own.
import t from 'tap'
import type { GatewayListener } from '../../src/cluster/types/gateway.js'
import { below, gateway, gatewayObject, httpRoute, listener, rule } from '../ingress/gateway/objects.js'
import { cannotRun } from './ability.js'
import {
  elsewhere,
  serviceNamed,
  tryGatewayCases,
  type CaseAsk,
  type GatewayCase,
} from './gatewayUnderTest.js'
import { missingProxy, proxyNames } from './proxyUnderTest.js'

const served = ['Accepted', 'ResolvedRefs']
const of = (host: string, path = '/', more: CaseAsk = {}): CaseAsk => ({ host, path, ...more })
const a = { backend: 'a' }
const nothing = { status: 404 }
const everyone = { allowedRoutes: { namespaces: { from: 'All' } } } as const

const cases: readonly GatewayCase[] = [
  {
    name: 'ListenerSetHTTPRouting',
    objects: (port) => [
      gateway([listener('one', { port, hostname: 'gateway-1.com' })], {
        allowedListeners: { namespaces: { from: 'Same' } },
      }),
      listenerSet('first', [
        listener('one', { port, hostname: 'first-1.com' }),
        // a port that only the ListenerSet has
        listener('two', { port: port + 1, hostname: 'first-2.com' }),
      ]),
      listenerSet('second', [listener('one', { port, hostname: 'second-1.com' })]),
      ...Object.entries({
        all: [{ name: 'edge' }, ofSet('first'), ofSet('second')],
        gateway: [{ name: 'edge' }],
        first: [ofSet('first')],
        section: [{ ...ofSet('first'), sectionName: 'one' }],
        second: [ofSet('second')],
      }).map(([name, parentRefs]) => httpRoute(name, { parentRefs, rules: [rule('a', below(`/${name}`))] })),
    ],
    asks: ['gateway-1.com', 'first-1.com', 'first-2.com', 'second-1.com'].flatMap((host) =>
      ['all', 'gateway', 'first', 'section', 'second'].map((path) => {
        const isServed =
          path === 'all' || host.startsWith(path) || (path === 'section' && host === 'first-1.com')
        const above = host === 'first-2.com' ? 1 : 0
        return [of(host, `/${path}`, { above }), isServed ? a : nothing] as const
      }),
    ),
    attached: [2],
  },
  {
    name: 'ListenerSetAllowedRoutesNamespaces',
    objects: (port, namespace) => [
      gateway([listener('one', { port, hostname: 'gateway.com' })], {
        allowedListeners: { namespaces: { from: 'All' } },
      }),
      listenerSet('first', [
        listener('all', { port, hostname: 'all.com', ...everyone }),
        listener('same', { port, hostname: 'same.com' }),
      ]),
      ...[namespace, elsewhere(namespace)].map((own, index) =>
        httpRoute(
          `r${index}`,
          { parentRefs: [{ ...ofSet('first'), namespace }], rules: [rule('a', below(`/${index}`))] },
          { namespace: own },
        ),
      ),
      serviceNamed('a', { port: 80 }, { namespace: elsewhere(namespace) }),
    ],
    asks: [
      [of('all.com', '/0'), a],
      [of('all.com', '/1'), a],
      [of('same.com', '/0'), a],
      [of('same.com', '/1'), nothing],
      [of('gateway.com', '/0'), nothing],
    ],
    reasons: { 'HTTPRoute/r0': served, 'HTTPRoute/r1': served },
  },
]

/** A ListenerSet for the Gateway `edge`. */
function listenerSet(name: string, listeners: readonly GatewayListener[]) {
  return gatewayObject('ListenerSet', name, { parentRef: { name: 'edge' }, listeners })
}

function ofSet(name: string) {
  return { kind: 'ListenerSet', name }
}

for (const name of proxyNames)
  t.test(
    `${name} serves routes of the listeners of ListenerSets`,
    { skip: cannotRun || missingProxy(name) },
    (t) => tryGatewayCases(t, name, cases),
  )
