import t from 'tap'
import { buildCluster } from '../../src/cluster/cluster.js'
import type { IpFamily } from '../../src/net/ipFamily.js'
import type { OutsideHost } from '../../src/topology/types.js'
import { layOut } from '../../src/topology/layOut.js'
import { networkOf } from '../../src/topology/networkOf.js'
import { planAddresses } from '../../src/topology/planLinks.js'
import { planEchoServers } from '../../src/topology/planEchoServers.js'
import { defaultRanges as ranges } from '../../src/net/addressRanges.js'

function topology(clients: readonly OutsideHost[], families: readonly IpFamily[] = ['IPv4']) {
  const cluster = buildCluster([], { nodes: [{ name: 'node-a', labels: {} }], ranges, families })
  return layOut(cluster, clients, ranges, families)
}

function lines(clients: readonly OutsideHost[], netns: string, families?: readonly IpFamily[]): string[] {
  const { files } = planAddresses(networkOf(topology(clients, families)))
  const file = files.find(({ path }) => path.endsWith(`/${netns}`))
  return (file?.text ?? '').split('\n')
}

const hosts = [{ name: 'client' }, { name: 'old', addresses: ['10.4.5.6', '10.4.5.7'] }]

t.test('a host with addresses of its own reaches the fabric, and is reached, without a router', async (t) => {
  const own = lines(hosts, 'old')
  t.ok(own.includes('addr add 10.4.5.6/32 dev eth0'))
  t.ok(own.includes('addr add 10.4.5.7/32 dev eth0'))
  t.notOk(own.some((line) => line.startsWith('addr add 172.18.')))
  t.equal(own.filter((line) => line === 'route add 172.18.0.0/16 dev eth0').length, 1)
  t.ok(
    own.indexOf('route add 172.18.0.0/16 dev eth0') <
      own.indexOf('route add default via 172.18.0.1 dev eth0'),
    'the gateway is known before it is used',
  )
  for (const netns of ['node-a', 'client']) {
    const others = lines(hosts, netns)
    t.ok(others.includes('route add 10.4.5.6 dev eth0'), netns)
    t.ok(others.includes('route add 10.4.5.7 dev eth0'), netns)
  }
})

t.test('a family without an address of its own is as for every client', async (t) => {
  const own = lines([{ name: 'old', addresses: ['10.4.5.6'] }], 'old', ['IPv4', 'IPv6'])
  t.ok(own.includes('addr add 10.4.5.6/32 dev eth0'))
  t.ok(own.some((line) => line.startsWith('addr add fd00:18::')))
  t.notOk(own.some((line) => line.startsWith('route add fd00:18::')))
})

t.test('an outside host that serves reports its name like a pod', async (t) => {
  const [, place] = topology(hosts).clients
  if (place === undefined) throw new Error('the host has no place')
  const { files, commands } = planEchoServers(
    [{ place, ports: [{ port: 9376, protocol: 'TCP' }] }],
    ['IPv4'],
    {
      streamModule: undefined,
    },
  )
  t.match(files[0]?.text, /listen 9376;/)
  t.match(files[0]?.text, /return 200 '\{"host":"old","server":"\$server_addr:\$server_port"/)
  t.strictSame(commands[0]?.each, ['old'])
})
