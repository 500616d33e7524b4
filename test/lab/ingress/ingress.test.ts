import t, { type Test } from 'tap'
import { parseManifests } from '../../../src/cluster/manifests/manifests.js'
import { controllerObjects } from '../../../src/lab/ingress/controllerObjects.js'
import { isProxyOf } from '../../../src/lab/ingress/proxyPlaces.js'
import { labOf, refusalOf } from '../labText.js'

t.test('controllers with their defaults', async (t) => {
  t.strictSame(labOf(t, '').ingress, [])
  t.strictSame(
    labOf(t, 'ingress: [{ proxy: nginx }, { proxy: haproxy, class: edge, replicas: 2 }]').ingress,
    [
      {
        ...{ name: 'ingress-nginx', proxy: 'nginx', class: 'nginx', controller: 'k8s.io/ingress-nginx' },
        ...{ command: [], replicas: 1, service: { type: 'LoadBalancer' }, proxyProtocol: false },
      },
      {
        ...{ name: 'ingress-haproxy', proxy: 'haproxy', class: 'edge' },
        ...{ controller: 'haproxy.org/ingress-controller', replicas: 2, service: { type: 'LoadBalancer' } },
        ...{ command: [], proxyProtocol: false },
      },
    ],
  )
  t.match(labOf(t, 'ingress: [{ command: [node, own.mjs] }]').ingress, [
    { proxy: 'command', command: ['node', 'own.mjs'], name: 'ingress-command', class: 'command' },
  ])
})

t.test('what is refused, with its place', async (t) => {
  t.match(
    refusalOf(t, 'ingress: [{ name: a }]'),
    /^1:11: entry 1 of "ingress" has neither "proxy" nor "command"; write "proxy: nginx"/,
  )
  t.match(
    refusalOf(t, 'ingress: [{ proxy: nginx, command: [a] }]'),
    /^1:36: entry 1 of "ingress" has both "proxy" and "command"/,
  )
  t.match(refusalOf(t, 'ingress: [{ command: [] }]'), /^1:22: /)
  t.match(
    refusalOf(t, 'ingress: [{ proxy: envoy }]'),
    /^1:20: "proxy" .* must be "nginx" or "haproxy", not "envoy"/,
  )
  t.match(refusalOf(t, 'ingress: [{ proxy: nginx, name: A_b }]'), /^1:33: .*is not a DNS label/)
  t.match(
    refusalOf(t, 'ingress: [{ proxy: nginx, controller: nginx }]'),
    /^1:39: .*is not the name of a controller/,
  )
  t.equal(
    refusalOf(t, 'ingress: [{ proxy: nginx }, { proxy: nginx, name: other }]'),
    '1:29: entry 2 of "ingress" has the controller "k8s.io/ingress-nginx" of entry 1; each controller needs its own name and controller',
  )
  t.match(
    refusalOf(t, 'ingress: [{ proxy: nginx, name: a }, { proxy: haproxy, name: a }]'),
    /^1:62: entry 2 of "ingress" has the name "a" of entry 1/,
  )
})

const names = (t: Test, text: string, manifests = '') => {
  const objects = manifests === '' ? [] : parseManifests([{ path: 'a.yaml', text: manifests }]).objects
  return labOf(t, text).ingress.flatMap((spec) => controllerObjects(spec, ['IPv4'], objects))
}

t.test('the objects of a controller', async (t) => {
  const objects = names(
    t,
    'ingress: [{ proxy: nginx, proxyProtocol: true, service: { externalTrafficPolicy: Local } }]',
  )
  const of = (kind: string) => objects.find(({ object }) => object.kind === kind)?.object
  t.match(of('IngressClass'), { metadata: { name: 'nginx' }, spec: { controller: 'k8s.io/ingress-nginx' } })
  t.match(of('Service'), {
    metadata: {
      name: 'ingress-nginx-controller',
      namespace: 'ingress-nginx',
      annotations: { 'service.beta.kubernetes.io/aws-load-balancer-proxy-protocol': '*' },
    },
    spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }, { port: 443 }] },
  })
  t.match(of('Deployment'), { metadata: { namespace: 'ingress-nginx' }, spec: { replicas: 1 } })
})

t.test('a class of its controller in the manifests goes before one of its own', async (t) => {
  const text = `apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: nginx-example }
spec: { controller: k8s.io/ingress-nginx }
`
  const kinds = names(t, 'ingress: [{ proxy: nginx }]', text).map(({ object }) => object.kind)
  t.notOk(kinds.includes('IngressClass'))
  const others = names(t, 'ingress: [{ proxy: haproxy }]', text).map(({ object }) => object.kind)
  t.ok(others.includes('IngressClass'))
})

const group = 'gateway.networking.k8s.io/v1'

function gateway(name: string, gatewayClassName: string, port: number): string {
  return `apiVersion: ${group}
kind: Gateway
metadata: { name: ${name} }
spec: { gatewayClassName: ${gatewayClassName}, listeners: [{ name: http, port: ${port}, protocol: HTTP }] }
`
}

const listenerSet = (parent: string, port: number) =>
  `apiVersion: ${group}\nkind: ListenerSet\nmetadata: { name: of-${parent} }\nspec: { parentRef: { name: ${parent} }, listeners: [{ name: s, port: ${port}, protocol: HTTP }] }\n`

t.test('a GatewayClass is made where Gateways ask for the class and no manifest has one', async (t) => {
  const made = (manifests: string) =>
    names(t, 'ingress: [{ proxy: nginx }]', manifests).map(({ object }) => object)
  const objects = made(gateway('a', 'nginx', 8080))
  t.match(
    objects.find(({ kind }) => kind === 'GatewayClass'),
    { metadata: { name: 'nginx' }, spec: { controllerName: 'k8s.io/ingress-nginx' } },
  )
  t.match(
    objects.find(({ kind }) => kind === 'Service'),
    { spec: { ports: [{}, {}, { port: 8080 }] } },
  )
  const classOf = (name: string, controller: string) =>
    `apiVersion: ${group}\nkind: GatewayClass\nmetadata: { name: ${name} }\nspec: { controllerName: ${controller} }\n---\n`
  const others = [
    gateway('a', 'others', 80),
    classOf('nginx', 'example.com/other') + gateway('a', 'nginx', 80),
    classOf('own', 'k8s.io/ingress-nginx') + gateway('a', 'nginx', 80),
  ]
  for (const manifests of others) t.notOk(made(manifests).some(({ kind }) => kind === 'GatewayClass'))
})

t.test('its Service opens the ports of its Gateways and of their ListenerSets', async (t) => {
  const text = `apiVersion: ${group}
kind: GatewayClass
metadata: { name: ours }
spec: { controllerName: k8s.io/ingress-nginx }
---
${gateway('a', 'ours', 8080)}---
${gateway('b', 'others', 9090)}---
${listenerSet('a', 8081)}---
${listenerSet('b', 9091)}`
  const service = names(t, 'ingress: [{ proxy: nginx }]', text).find(
    ({ object }) => object.kind === 'Service',
  )
  t.match(service?.object, {
    spec: { ports: [{ port: 80 }, { port: 443 }, { port: 8080, name: 'port-8080' }, { port: 8081 }] },
  })
  t.equal((service?.object as { spec?: { ports: unknown[] } }).spec?.ports.length, 4)
})

t.test('who passes requests on', async (t) => {
  const place = { addresses: [], interfaces: new Map<number, string>(), netns: 'x', hostname: 'p' }
  const pod = { ...place, kind: 'pod', name: 'p', namespace: 'ingress-nginx' } as const
  const host = { ...place, kind: 'client', name: 'load-balancer' } as const
  const proxiesAmong = (text: string) =>
    [pod, { ...pod, namespace: 'default' }, host].map(isProxyOf(labOf(t, text)))
  t.strictSame(proxiesAmong('ingress: [{ proxy: nginx }]'), [true, false, false])
  t.strictSame(proxiesAmong('loadBalancer: { mode: proxy }\ningress: [{ proxy: nginx }]'), [
    true,
    false,
    true,
  ])
  t.strictSame(proxiesAmong('loadBalancer: { mode: proxy }'), [false, false, false])
})
