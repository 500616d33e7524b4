import t from 'tap'
import type { ServiceSpec } from '../../../../src/cluster/types.js'
import { savedSpec } from '../../../../src/agents/kubeProxy/iptables/savedRule.js'
import { servicePorts } from '../../../../src/agents/kubeProxy/servicePort.js'
import { userspaceRestore } from '../../../../src/agents/kubeProxy/userspace/restore.js'
import { userspaceRules } from '../../../../src/agents/kubeProxy/userspace/rules.js'
import type { PortalPlace } from '../../../../src/agents/kubeProxy/userspace/types.js'
import { service } from '../objects.js'

const spec: ServiceSpec = {
  type: 'NodePort',
  clusterIP: '10.96.0.10',
  externalIPs: ['198.51.100.7'],
  ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30080 }],
}
const everywhere: PortalPlace = { bindAddress: '0.0.0.0', hostIP: '172.18.0.2' }

function rulesOf(change: ServiceSpec, place: PortalPlace, vips: readonly string[] = []) {
  const ports = servicePorts(service('web', { ...spec, ...change }, vips, 'shop'), 'IPv4', {
    externalIPs: true,
  })
  return userspaceRules(
    ports.map((port) => ({ port, proxyPort: 40123 })),
    place,
  )
}

const saved = (rules: ReturnType<typeof rulesOf>) =>
  [...rules.filter, ...rules.nat].map((rule) => `-A ${rule.chain} ${savedSpec(rule, 'IPv4')}`)

t.test('cluster IP, external IP and node port, as iptables-save prints them', (t) => {
  const note = '-m comment --comment "shop/web:http" -m tcp'
  t.same(saved(rulesOf({}, everywhere)).sort(), [
    `-A KUBE-NODEPORT-CONTAINER -p tcp ${note} --dport 30080 -j REDIRECT --to-ports 40123`,
    `-A KUBE-NODEPORT-HOST -p tcp ${note} --dport 30080 -j DNAT --to-destination 172.18.0.2:40123`,
    `-A KUBE-NODEPORT-NON-LOCAL -p tcp ${note} --dport 40123 -m state --state NEW -j ACCEPT`,
    `-A KUBE-PORTALS-CONTAINER -d 10.96.0.10/32 -p tcp ${note} --dport 80 -j REDIRECT --to-ports 40123`,
    `-A KUBE-PORTALS-CONTAINER -d 198.51.100.7/32 -p tcp ${note} --dport 80 -m addrtype --dst-type LOCAL -j REDIRECT --to-ports 40123`,
    `-A KUBE-PORTALS-CONTAINER -d 198.51.100.7/32 -p tcp ${note} --dport 80 -m physdev ! --physdev-is-in -j REDIRECT --to-ports 40123`,
    `-A KUBE-PORTALS-HOST -d 10.96.0.10/32 -p tcp ${note} --dport 80 -j DNAT --to-destination 172.18.0.2:40123`,
    `-A KUBE-PORTALS-HOST -d 198.51.100.7/32 -p tcp ${note} --dport 80 -m addrtype --dst-type LOCAL -j DNAT --to-destination 172.18.0.2:40123`,
  ])
  t.end()
})

t.test('bound to one address, all traffic is sent there instead of redirected', (t) => {
  const rules = rulesOf({ externalIPs: [] }, { bindAddress: '172.18.0.2', hostIP: '172.18.0.2' })
  t.equal(rules.nat.length, 4)
  for (const rule of rules.nat)
    t.match(savedSpec(rule, 'IPv4'), /-j DNAT --to-destination 172\.18\.0\.2:40123$/)
  t.end()
})

t.test('a load balancer’s address is like a cluster IP; a UDP port asks for UDP', (t) => {
  const plain = {
    type: 'LoadBalancer',
    externalIPs: [],
    ports: [{ name: 'dns', port: 53, protocol: 'UDP' }],
  } as const
  const lines = saved(
    rulesOf({ ...plain, externalIPs: [], ports: [...plain.ports] }, everywhere, ['192.0.2.10']),
  )
  t.equal(lines.length, 4)
  t.same(
    lines.filter((line) => line.includes('192.0.2.10')).map((line) => line.split(' ')[1]),
    ['KUBE-PORTALS-CONTAINER', 'KUBE-PORTALS-HOST'],
  )
  t.ok(lines.every((line) => line.includes('-p udp') && line.includes('-m udp --dport 53')))
  t.end()
})

t.test('the jumps for node ports are last, those for addresses first', (t) => {
  const lines = userspaceRestore(rulesOf({}, everywhere)).split('\n')
  t.same(
    lines
      .filter((line) => / (PREROUTING|OUTPUT|INPUT) /.test(line))
      .map((line) => line.replace(/ -m comment.*-j/, ' … -j')),
    [
      '-I PREROUTING … -j KUBE-PORTALS-CONTAINER',
      '-I OUTPUT … -j KUBE-PORTALS-HOST',
      '-A PREROUTING -m addrtype --dst-type LOCAL … -j KUBE-NODEPORT-CONTAINER',
      '-A OUTPUT -m addrtype --dst-type LOCAL … -j KUBE-NODEPORT-HOST',
      '-I INPUT … -j KUBE-NODEPORT-NON-LOCAL',
    ],
  )
  t.notMatch(userspaceRestore(rulesOf({}, everywhere), []), 'PREROUTING')
  t.end()
})
