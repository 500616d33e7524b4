import t from 'tap'
import type { LivePacket } from '../../src/view/live/api.js'
import { framesOfExchange } from '../../src/view/path/frames.js'
import { packetRows } from '../../src/view/path/packetRows.js'
import { tracedTo } from '../trace/tracedTo.js'

const seen = (packet: string, netns: string, more: Partial<LivePacket> = {}): LivePacket => ({
  ...{ time: 0, netns, interface: 'eth0', direction: 'in', protocol: 'tcp', length: 60, summary: 'SYN' },
  source: { address: '172.18.1.2', port: 40_000 },
  destination: { address: '172.18.0.2', port: 30_080 },
  ...{ packet, rewritten: [] },
  ...more,
})
const solicitation = seen('9', 'node-a', {
  ...{ protocol: 'icmpv6', summary: 'router solicitation' },
  source: { address: 'fe80::1' },
  destination: { address: 'ff02::2' },
})
const rewritten = { destination: { address: '10.244.1.2', port: 80 }, rewritten: ['destination'] } as const
/** Newest first. */
const packets = [
  solicitation,
  seen('2', 'client'),
  seen('1', 'web', rewritten),
  seen('1', 'node-a'),
  seen('1', 'client'),
]

t.test('a packet is one row, from where it was first seen to the last place', async (t) => {
  const rows = packetRows(packets, 'toHosts', [])
  t.match(rows, [
    { seen: [{ netns: 'client' }] },
    { first: { netns: 'client' }, last: { netns: 'web', ...rewritten } },
  ])
  t.strictSame(
    rows[1]?.seen.map(({ netns }) => netns),
    ['client', 'node-a', 'web'],
  )
})

t.test('packets to groups, and discovery, are listed only if they are asked for', async (t) => {
  t.equal(packetRows([solicitation], 'toHosts', []).length, 0)
  t.equal(packetRows([solicitation], 'all', []).length, 1)
  t.equal(packetRows([solicitation], 'icmp', []).length, 1)
  t.equal(packetRows([seen('3', 'client', { summary: 'GET /router' })], 'toHosts', []).length, 1)
})

t.test('only the request that is shown: in both directions, before and after NAT', async (t) => {
  const [path] = tracedTo({ lab: 'labs/nodeport', from: 'client', to: 'http://{node-a}:30080/' }).paths
  if (path === undefined) throw new Error('nothing is predicted')
  const known = { path, paths: 1, seen: 0, differing: [], beyond: { hops: [], replyHops: [] }, passedOn: [] }
  const frames = framesOfExchange({ hops: [], replyHops: [] }, known)
  const client = { address: '172.18.1.2', port: 40_000 }
  const node = { address: '172.18.0.2', port: 30_080 }
  const other = { address: '172.18.0.3', port: 30_080 }
  const listed = (source: LivePacket['source'], destination: LivePacket['source']) =>
    packetRows([seen('1', 'client', { source, destination })], 'request', frames).length
  t.strictSame([listed(client, node), listed(node, client), listed(client, other)], [1, 1, 0])
})
