import t from 'tap'
import { foresee, nodeReady } from '../../../src/cluster/changes/index.js'
import type { LoadBalancer } from '../../../src/cluster/types.js'
import { announcements } from '../../../src/cluster/loadBalancers.js'
import { clusterNotices } from '../../../src/cluster/manifests/notices.js'
import type { Cluster, LoadBalancerIngress } from '../../../src/cluster/types.js'
import { defaultRanges } from '../../../src/net/addressRanges.js'
import { cluster, deployment, service, twoNodes, written, type Writes } from '../lab.js'

const layer2: LoadBalancer = { mode: 'layer2', ipMode: 'VIP', ranges: defaultRanges.loadBalancers }
const web = deployment('web', 2)
const dual = { families: ['IPv4', 'IPv6'] } as const
const waits = 'Service default/web waits for an address: '

function balanced(text: string, balancer: LoadBalancer = layer2, more = {}): Cluster {
  return cluster(text, { loadBalancer: balancer, ...more })
}

function lb(name: string, more = ''): string {
  return service(name, `type: LoadBalancer${more === '' ? '' : `, ${more}`}`)
}

function ingress({ services }: Cluster): Record<string, readonly LoadBalancerIngress[] | undefined> {
  return Object.fromEntries(
    services.map(({ metadata, status }) => [metadata.name, status?.loadBalancer?.ingress]),
  )
}

function changed(before: Cluster, change: Writes, more = {}): Cluster {
  return foresee(written(before, change, { ...twoNodes, ...more, now: '2026-01-02T03:04:05Z' }).cluster)
}

t.test('an address of the pool per family', (t) => {
  t.same(ingress(balanced(lb('a') + lb('b') + service('c'))), {
    a: [{ ip: '192.0.2.1', ipMode: 'VIP' }],
    b: [{ ip: '192.0.2.2', ipMode: 'VIP' }],
    c: undefined,
  })
  const both = balanced(
    lb('a', 'ipFamilyPolicy: RequireDualStack'),
    { ...layer2, mode: 'proxy', ipMode: 'Proxy' },
    dual,
  )
  t.same(ingress(both).a, [
    { ip: '192.0.2.1', ipMode: 'Proxy' },
    { ip: '2001:db8::1', ipMode: 'Proxy' },
  ])
  t.same(ingress(cluster(lb('a'))).a, undefined, 'no address without a load balancer')
  t.end()
})

t.test('a Service that requests another address, or other families, gets them', (t) => {
  const before = balanced(lb('a', 'ipFamilyPolicy: RequireDualStack'), layer2, dual)
  const patched = (from: Cluster, spec: unknown) =>
    changed(from, { verb: 'patch', ref: { kind: 'Service', name: 'a' }, patch: { spec } }, dual)
  const ips = (current: Cluster) => ingress(current)['a']?.map(({ ip }) => ip)
  const moved = patched(before, { loadBalancerIP: '192.0.2.9' })
  t.same(ips(moved), ['192.0.2.9', '2001:db8::1'])
  t.same(
    ips(patched(moved, { loadBalancerIP: null })),
    ['192.0.2.9', '2001:db8::1'],
    'it keeps its addresses',
  )
  t.same(ips(patched(moved, { loadBalancerIP: '203.0.113.9' })), undefined, 'no such address is in the pool')
  t.same(ips(patched(before, { loadBalancerIP: '2001:DB8:0::1' })), ['192.0.2.1', '2001:db8::1'], 'unchanged')
  const single = patched(before, {
    ipFamilyPolicy: 'SingleStack',
    ipFamilies: ['IPv4'],
    clusterIPs: before.services[0]?.spec.clusterIPs?.slice(0, 1),
  })
  t.same(ips(single), ['192.0.2.1'])
  t.end()
})

t.test('requested addresses are assigned first', (t) => {
  const text = lb('a') + lb('b', 'loadBalancerIP: 192.0.2.1')
  t.same(ingress(balanced(text)), {
    a: [{ ip: '192.0.2.2', ipMode: 'VIP' }],
    b: [{ ip: '192.0.2.1', ipMode: 'VIP' }],
  })
  t.end()
})

t.test('a manual status is kept, and its address is reserved', (t) => {
  const written = lb('a').replace('---', 'status: { loadBalancer: { ingress: [{ ip: 192.0.2.1 }] } }\n---')
  const built = balanced(lb('b') + written)
  t.match(ingress(built), { a: [{ ip: '192.0.2.1' }], b: [{ ip: '192.0.2.2' }] })
  t.end()
})

t.test('a Service whose address is not available waits, with the reason', (t) => {
  const pending = (more: string, others = '', balancer = layer2) => {
    const built = balanced(web + others + lb('web', more), balancer)
    t.equal(ingress(built)['web'], undefined, more)
    return clusterNotices(built).filter((notice) => notice.startsWith('Service default/web'))
  }
  t.same(pending('loadBalancerClass: example.com/other'), [
    `${waits}no load balancer here serves loadBalancerClass example.com/other`,
  ])
  t.same(pending('', '', { ...layer2, class: 'example.com/lab' }), [
    `${waits}no load balancer here serves Services without loadBalancerClass`,
  ])
  t.same(pending('loadBalancerIP: 203.0.113.9'), [
    `${waits}its loadBalancerIP 203.0.113.9 is not in the pool`,
  ])
  t.same(pending('loadBalancerIP: 192.0.2.0'), [`${waits}its loadBalancerIP 192.0.2.0 is not in the pool`])
  t.same(pending("loadBalancerIP: '2001:db8::5'"), [
    `${waits}its loadBalancerIP 2001:db8::5 is not of a family of the Service`,
  ])
  t.same(pending('loadBalancerIP: 192.0.2.7', lb('first', 'loadBalancerIP: 192.0.2.7')), [
    `${waits}another Service has its loadBalancerIP 192.0.2.7`,
  ])
  const tiny = { ...layer2, ranges: { ...layer2.ranges, IPv4: '192.0.2.0/30' } }
  t.same(pending('', lb('one') + lb('two'), tiny), [`${waits}the IPv4 pool is full`])
  t.end()
})

t.test('a loadBalancerClass that is served', (t) => {
  const mine = { ...layer2, class: 'example.com/lab' }
  t.match(ingress(balanced(lb('a', 'loadBalancerClass: example.com/lab'), mine)).a, [{ ip: '192.0.2.1' }])
  t.end()
})

t.test('an address is released with the type or the Service, and assigned again', (t) => {
  const ref = { kind: 'Service', name: 'a' }
  const type = (before: Cluster, name: string) =>
    changed(before, { verb: 'patch', ref, patch: { spec: { type: name } } })
  const before = balanced(lb('a') + lb('b'))
  const without = type(before, 'ClusterIP')
  t.same(ingress(without).a, undefined)
  t.match(ingress(type(without, 'LoadBalancer')).a, [{ ip: '192.0.2.1' }])
  const deleted = changed(before, { verb: 'delete', ref })
  t.match(ingress(deleted), { b: [{ ip: '192.0.2.2' }] }, 'the other keeps its own')
  t.end()
})

t.test('one node announces an address, another one when it is down', (t) => {
  const before = balanced(web + lb('web'))
  const [first, ...others] = announcements(before)
  t.match(first, { family: 'IPv4', address: '192.0.2.1' })
  t.same(others, [])
  const away = nodeReady(before, first?.node ?? '', false)
  const [second] = announcements(away)
  t.ok(second !== undefined && second.node !== first?.node, 'the other one')
  t.same(announcements(nodeReady(away, first?.node ?? '', true)), [first], 'and back')
  t.same(announcements(nodeReady(away, second?.node ?? '', false)), [], 'no node is left')
  t.end()
})

t.test('nodes share the addresses', (t) => {
  const many = Array.from({ length: 20 }, (_, index) =>
    lb(`web${index}`).replace(`app: web${index}`, 'app: web'),
  )
  const nodes = announcements(balanced(web + many.join(''))).map(({ node }) => node)
  t.equal(nodes.length, 20)
  t.same(new Set(nodes), new Set(['node-a', 'node-b']))
  t.end()
})

t.test('with externalTrafficPolicy Local only a node with an endpoint announces', (t) => {
  for (const node of ['node-a', 'node-b']) {
    const built = balanced(
      deployment('web', 2, `nodeName: ${node}`) + lb('web', 'externalTrafficPolicy: Local'),
    )
    t.match(announcements(built), [{ node }])
    t.same(announcements(nodeReady(built, node, false)), [], 'no other node may')
  }
  t.end()
})

t.test('no node announces a Service without endpoints, and no excluded node announces', (t) => {
  t.same(announcements(balanced(lb('web'))), [])
  const label = { 'node.kubernetes.io/exclude-from-external-load-balancers': '' }
  const nodes = [
    { name: 'node-a', labels: label },
    { name: 'node-b', labels: label },
  ]
  t.same(announcements(balanced(web + lb('web'), layer2, { nodes })), [])
  t.same(
    announcements(balanced(web + lb('web'), { ...layer2, mode: 'proxy' })),
    [],
    'it has a host of its own',
  )
  t.end()
})
