import t from 'tap'
import type { ServiceSpec } from '../../../../src/cluster/types.js'
import type { KubeProxyConfiguration } from '../../../../src/agents/kubeProxy/config.js'
import { portalOrders, withoutRefused } from '../../../../src/agents/kubeProxy/userspace/orders.js'
import { buildPortals, updatePortals } from '../../../../src/agents/kubeProxy/userspace/portals.js'
import { userspaceChanges } from '../../../../src/agents/kubeProxy/userspace/restore.js'
import { userspaceRules } from '../../../../src/agents/kubeProxy/userspace/rules.js'
import { endpoint, input, service, slice } from '../objects.js'

const web: ServiceSpec = { clusterIP: '10.96.0.10' }
const dns: ServiceSpec = { clusterIP: '10.96.0.11', ports: [{ name: 'dns', port: 53, protocol: 'UDP' }] }

const nodePort = { name: 'http', port: 80, protocol: 'TCP', nodePort: 30080 } as const

function cluster(specs: Record<string, ServiceSpec>, config: Partial<KubeProxyConfiguration> = {}) {
  const ready = [endpoint('10.0.1.1', 'local'), endpoint('10.0.1.2', 'remote')]
  return input(
    Object.entries(specs).map(([name, spec]) => service(name, spec)),
    [slice('web', [...ready, endpoint('10.0.1.3', 'local', 'T')])],
    config,
  )
}

const portsOf = ({ portals }: ReturnType<typeof buildPortals>) =>
  portals.map(({ port, proxyPort }) => [port.service, proxyPort])

t.test('each service port has its own proxy port and its ready endpoints', (t) => {
  const portals = buildPortals(cluster({ web, dns }), 'IPv4')
  t.same(portsOf(portals), [
    ['web', 20000],
    ['dns', 20001],
  ])
  t.same(portals.portals[0]?.endpoints, ['10.0.1.1:80', '10.0.1.2:80'])
  t.same(portals.place, { bindAddress: '0.0.0.0', hostIP: '192.168.0.2' })
  t.end()
})

t.test('SCTP is not served, nor are ports without a free port in portRange', (t) => {
  const sctp: ServiceSpec = { clusterIP: '10.96.0.12', ports: [{ port: 7, protocol: 'SCTP' }] }
  t.same(portsOf(buildPortals(cluster({ sctp, web, dns }, { portRange: '500' }), 'IPv4')), [['web', 500]])
  t.end()
})

t.test(
  'a portal stays while its port does; another one is opened at the end, on a port not used before',
  (t) => {
    const first = buildPortals(cluster({ web, dns }), 'IPv4')
    const same = updatePortals(
      first,
      cluster({ dns, web: { ...web, internalTrafficPolicy: 'Local' } }),
      'IPv4',
    )
    t.same(portsOf(same), portsOf(first))
    const changed = updatePortals(
      first,
      cluster({ web: { ...web, type: 'NodePort', ports: [nodePort] }, dns }),
      'IPv4',
    )
    t.same(portsOf(changed), [
      ['dns', 20001],
      ['web', 20002],
    ])
    const gone = updatePortals(changed, cluster({ web }), 'IPv4')
    t.same(portsOf(gone), [['web', 20003]])
    t.end()
  },
)

t.test('only changes are written; different endpoints are no change', (t) => {
  const before = buildPortals(cluster({ web, dns }), 'IPv4')
  const rules = (of: typeof before) => userspaceRules(of.portals, of.place)
  const scaled = updatePortals(
    before,
    { ...cluster({ web, dns }), endpointSlices: [slice('web', [endpoint('10.0.1.9', 'local')])] },
    'IPv4',
  )
  t.same(scaled.portals[0]?.endpoints, ['10.0.1.9:80'])
  t.equal(userspaceChanges(rules(before), rules(scaled)), '')
  const text = userspaceChanges(rules(before), rules(updatePortals(before, cluster({ web }), 'IPv4')))
  t.same(text.split('\n'), [
    '*nat',
    '-D KUBE-PORTALS-CONTAINER -m comment --comment ns1/dns:dns -m udp -p udp -d 10.96.0.11 --dport 53 -j REDIRECT --to-ports 20001',
    '-D KUBE-PORTALS-HOST -m comment --comment ns1/dns:dns -m udp -p udp -d 10.96.0.11 --dport 53 -j DNAT --to-destination 192.168.0.2:20001',
    'COMMIT',
    '',
  ])
  t.end()
})

t.test('node ports and the node’s own addresses are reserved; failed reservations get no rules', (t) => {
  const spec: ServiceSpec = {
    ...web,
    type: 'NodePort',
    ports: [nodePort],
    externalIPs: ['192.168.99.11', '1.2.3.4'],
  }
  const of = cluster({ web: spec })
  const portals = buildPortals(of, 'IPv4')
  const order = portalOrders('IPv4', portals, of.localAddresses).portals[0]
  t.same(order?.reservations, [
    { address: '192.168.99.11', port: 80 },
    { address: '0.0.0.0', port: 30080 },
  ])
  const key = order?.key ?? ''
  const refused = (order?.reservations ?? []).map((at) => ({
    key,
    what: 'reservation' as const,
    ...at,
    code: 'EADDRINUSE',
  }))
  const { portals: left, place } = withoutRefused(portals, refused)
  const texts = userspaceRules(left, place).nat.map(({ matches }) => JSON.stringify(matches))
  t.equal(texts.length, 5, 'the cluster address and the other external one')
  t.notOk(texts.some((text) => /30080|192\.168\.99\.11/.test(text)))
  t.end()
})

t.test('IPv6 listens on its own wildcard, or on a bindAddress of that family', (t) => {
  const placeOf = (bindAddress: string) => buildPortals(cluster({}, { bindAddress }), 'IPv6').place
  t.same(placeOf('0.0.0.0'), { bindAddress: '::', hostIP: '::1' })
  t.same(placeOf('fd00::7'), { bindAddress: 'fd00::7', hostIP: 'fd00::7' })
  t.end()
})
