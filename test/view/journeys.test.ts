import t from 'tap'
import { layOutView } from '../../src/view/path/layout.js'
import { journeysOf } from '../../src/view/path/journeys.js'
import type { LivePacket } from '../../src/view/live/api.js'

const layout = layOutView(
  {
    fabric: ['172.18.0.0/16'],
    nodes: ['node-a', 'node-b'].map((name) => ({ name, addresses: ['172.18.0.2'], podCIDRs: [] })),
    clients: [{ name: 'client', addresses: ['172.18.1.2'] }],
    pods: ['web-a', 'shell-a', 'web-b'].map((name) => ({
      ...{ name, node: name.replace(/^\w+/, 'node'), namespace: 'default', labels: {} },
      addresses: ['10.244.1.2'],
    })),
    services: [],
  },
  () => true,
)
const boxOf = (place: string) => layout.boxes.find(({ title }) => title === place)
const nodeOf = (netns: string) => (/^(web|shell)/.test(netns) ? netns.replace(/^\w+/, 'node') : undefined)
const journeys = (packets: readonly LivePacket[]) => journeysOf(packets, nodeOf, layout, boxOf)

function seen(packet: string, netns: string, rewritten: LivePacket['rewritten'] = []): LivePacket {
  return {
    ...{ time: 0, netns, interface: 'eth0', direction: 'in', protocol: 'tcp', length: 60, summary: 'SYN' },
    source: { address: '172.18.1.2', port: 40_000 },
    destination: { address: '172.18.0.2', port: 30_080 },
    ...{ packet, rewritten },
  }
}

t.test('a packet moves from host to host, coloured by what was rewritten before', async (t) => {
  const [journey, ...others] = journeys([
    seen('1', 'client'),
    seen('1', 'node-a'),
    seen('1', 'node-a', ['source', 'destination']),
    seen('1', 'node-b', ['source', 'destination']),
    seen('1', 'web-b', ['source', 'destination']),
  ])
  t.strictSame(others, [])
  t.strictSame(
    journey?.legs.map(({ rewritten }) => rewritten),
    ['none', 'both', 'both'],
  )
  const ends = journey?.legs.flatMap(({ line }) => [line[0], line.at(-1)]) ?? []
  t.strictSame(ends[1], ends[2], 'each leg starts where the one before has ended')
  t.strictSame(ends[3], ends[4])
})

t.test('between two pods of a node a packet passes the node', async (t) => {
  const [journey] = journeys([seen('1', 'shell-a'), seen('1', 'web-a', ['destination'])])
  const node = boxOf('node-a')
  t.equal(journey?.legs.length, 2)
  for (const { line } of journey?.legs ?? [])
    for (const { y } of line) t.ok(node !== undefined && y >= node.y, 'not through the fabric')
})

t.test('packets stay apart, and one that was seen once has no way', async (t) => {
  const found = journeys([seen('2', 'client'), seen('3', 'client'), seen('2', 'node-a'), seen('4', 'web-a')])
  t.strictSame(
    found.map(({ packet }) => packet),
    ['2'],
  )
})

t.test('an answer has a line of its own', async (t) => {
  const request = [seen('1', 'client'), seen('1', 'node-a')]
  const answer = [seen('2', 'node-a'), seen('2', 'client')].map((one) => ({
    ...one,
    source: one.destination,
    destination: one.source,
  }))
  const [there, back] = journeys([...request, ...answer])
  const xs = (one: typeof there) => new Set(one?.legs.flatMap(({ line }) => line.map(({ x }) => x)))
  t.strictSame(
    [...xs(there)].filter((x) => xs(back).has(x)),
    [],
  )
})

t.test('a packet to a group of hosts has no way', async (t) => {
  for (const address of ['224.0.0.22', '255.255.255.255', 'ff02::1']) {
    const seenBy = (netns: string): LivePacket => ({ ...seen('1', netns), destination: { address } })
    t.strictSame(journeys([seenBy('client'), seenBy('node-a')]), [], address)
  }
})
