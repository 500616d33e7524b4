import t from 'tap'
import type { Announcement } from '../../src/cluster/loadBalancers.js'
import type { IpFamily } from '../../src/net/ipFamily.js'
import { planAnnouncements, planAnswering, planPool } from '../../src/topology/announcements.js'
import { layOut } from '../../src/topology/layOut.js'
import { defaultRanges } from '../../src/net/addressRanges.js'
import type { Stage } from '../../src/topology/types.js'
import { cluster, service } from '../cluster/lab.js'

function topology(families: IpFamily[]) {
  return layOut(cluster(service('web'), { families }), [{ name: 'client' }], defaultRanges, families)
}

function texts({ files }: Stage): Record<string, string> {
  return Object.fromEntries(files.map(({ path, text }) => [path.replace('/run/vethlab/announce/', ''), text]))
}

const first: Announcement = { family: 'IPv4', address: '192.0.2.1', node: 'node-a' }

t.test('nodes and clients have on-link routes to the pool', async (t) => {
  const stage = planPool(topology(['IPv4', 'IPv6']))
  const both = 'route add 192.0.2.0/24 dev eth0\nroute add 2001:db8::/64 dev eth0\n'
  t.same(texts(stage), { 'pool/node-a': both, 'pool/node-b': both, 'pool/client': both })
  t.same(stage.commands[0]?.each, ['node-a', 'node-b', 'client'])
})

t.test('nodes can answer for others', async (t) => {
  const stage = planAnswering(topology(['IPv4']))
  t.equal(
    texts(stage)['answering/node-b'],
    'link add name announced index 104 type bridge\nlink set announced up\n' +
      'ntable change name arp_cache dev eth0 proxy_delay 0\n',
  )
  t.notMatch(JSON.stringify(stage.commands), 'proxy_ndp')
  const withIPv6 = planAnswering(topology(['IPv6']))
  t.match(JSON.stringify(withIPv6.commands), 'net.ipv6.conf.eth0.proxy_ndp=1')
  t.match(texts(withIPv6)['answering/node-a'], 'ntable change name ndisc_cache dev eth0 proxy_delay 0\n')
  t.notMatch(texts(withIPv6)['answering/node-a'], 'arp_cache')
})

t.test('an address is added, kept, moved and removed', async (t) => {
  const lab = topology(['IPv4'])
  const add =
    'route add 192.0.2.1 dev announced\n' +
    'neigh add 192.0.2.1 lladdr 02:00:00:00:00:01 dev announced nud permanent\nneigh add proxy 192.0.2.1 dev eth0\n'
  const del =
    'neigh del proxy 192.0.2.1 dev eth0\nneigh del 192.0.2.1 dev announced\nroute del 192.0.2.1 dev announced\n'
  const moved = { ...first, node: 'node-b' }
  t.same(texts(planAnnouncements(lab, [], [first], 0)), { '0/node-a': add })
  t.same(texts(planAnnouncements(lab, [first], [first], 1)), {})
  t.same(texts(planAnnouncements(lab, [first], [moved], 2)), { '2/node-a': del, '2/node-b': add })
  t.same(texts(planAnnouncements(lab, [moved], [], 3)), { '3/node-b': del })
})
