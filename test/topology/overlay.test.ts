import t from 'tap'
import { layOut } from '../../src/topology/layOut.js'
import { networkOf } from '../../src/topology/networkOf.js'
import { planAddresses, planForwarding, planLinks, planOverlay } from '../../src/topology/planLinks.js'
import { defaultRanges } from '../../src/net/addressRanges.js'
import type { Stage } from '../../src/topology/types.js'
import type { IpFamily } from '../../src/net/ipFamily.js'
import { cluster, deployment } from '../cluster/lab.js'

function overlay(families: IpFamily[]) {
  const built = cluster(deployment('web', 2), { families })
  return layOut(built, [], defaultRanges, families, { mode: 'vxlan', masquerade: true })
}

function text(stage: Stage, ending: string): string {
  return stage.files.find(({ path }) => path.endsWith(ending))?.text ?? ''
}

t.test('IPv4', async (t) => {
  const topology = overlay(['IPv4'])
  t.equal(
    text(planOverlay(networkOf(topology)), 'links/node-a'),
    'link add name flannel.1 index 102 address 0a:58:0a:f4:01:00' +
      ' type vxlan id 1 local 172.18.0.2 dev eth0 dstport 8472 nolearning\n',
  )
  t.equal(
    text(planForwarding(networkOf(topology)), 'fdb/node-a'),
    'fdb add 0a:58:0a:f4:02:00 dev flannel.1 dst 172.18.0.3 self permanent\n',
  )
  const node = text(planAddresses(networkOf(topology)), '/node-a')
  t.match(node, 'addr add 10.244.1.0/32 dev flannel.1\nlink set flannel.1 up\n')
  t.match(node, 'neigh add 10.244.2.0 lladdr 0a:58:0a:f4:02:00 dev flannel.1 nud permanent\n')
  t.match(node, 'route add 10.244.2.0/24 via 10.244.2.0 dev flannel.1 onlink\n')
  t.notMatch(node, 'route add 10.244.2.0/24 via 172.18.0.3')
  const pairs = text(planLinks(networkOf(topology)), '/links').match(/ mtu \d+/g)
  t.same(pairs, [' mtu 1450', ' mtu 1450', ' mtu 1450', ' mtu 1450'], 'both ends of both pods')
  t.equal(topology.nodes[0]?.interfaces.get(102), 'flannel.1')
})

t.test('both families have their own device, and the smaller MTU', async (t) => {
  const topology = overlay(['IPv4', 'IPv6'])
  t.match(
    text(planOverlay(networkOf(topology)), 'links/node-b'),
    /flannel-v6\.1 index 103 .* local fd00:18::3 /,
  )
  t.match(text(planForwarding(networkOf(topology)), 'fdb/node-b'), / dev flannel-v6\.1 dst fd00:18::2 /)
  t.match(
    text(planAddresses(networkOf(topology)), '/node-b'),
    'route add fd00:244:0:1::/64 via fd00:244:0:1:: dev flannel-v6.1 onlink\n',
  )
  t.match(text(planLinks(networkOf(topology)), '/links'), ' mtu 1430')
})

t.test('without an overlay there is no device', async (t) => {
  const built = cluster(deployment('web', 2))
  const topology = layOut(built, [], defaultRanges, ['IPv4'])
  t.notMatch(text(planLinks(networkOf(topology)), '/links'), 'mtu')
  t.notMatch(text(planAddresses(networkOf(topology)), '/node-a'), 'flannel')
})
