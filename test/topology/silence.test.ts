import t from 'tap'
import type { Announcement } from '../../src/cluster/loadBalancers.js'
import type { IpFamily } from '../../src/net/ipFamily.js'
import { layOut } from '../../src/topology/layOut.js'
import { defaultRanges } from '../../src/net/addressRanges.js'
import { planSilence } from '../../src/topology/silence.js'
import { cluster, service } from '../cluster/lab.js'

function topology(families: IpFamily[]) {
  return layOut(cluster(service('web'), { families }), [{ name: 'client' }], defaultRanges, families)
}

const announced: Announcement[] = [
  { family: 'IPv4', address: '192.0.2.1', node: 'node-a' },
  { family: 'IPv4', address: '192.0.2.2', node: 'node-a' },
  { family: 'IPv6', address: '2001:db8::1', node: 'node-b' },
]

t.test('a node answers for what it announces, and for nothing else of the range', async (t) => {
  const { files, commands } = planSilence(topology(['IPv4', 'IPv6']), announced, 3)
  t.match(files, [
    {
      path: '/run/vethlab/silence/3/node-a',
      text: /set announced \{ type ipv4_addr; elements = \{ 192\.0\.2\.1, 192\.0\.2\.2 \}; \}/,
    },
    { path: '/run/vethlab/silence/3/node-b', text: /set announced \{ type ipv4_addr; \}/ },
  ])
  t.match(files[0]?.text, 'arp daddr ip 192.0.2.0/24 arp daddr ip != @announced drop')
  t.match(files[0]?.text, /^table arp vethlab\ndelete table arp vethlab\ntable arp vethlab \{/)
  t.match(commands, [{ each: ['node-a', 'node-b'] }])
})

t.test('over IPv6 a node answers only for an interface’s own addresses', async (t) => {
  const { files, commands } = planSilence(topology(['IPv6']), announced, 0)
  t.same(files, [])
  t.same(
    commands.flatMap(({ each }) => each),
    [],
  )
})
