import t from 'tap'
import { describeFlow, describeHop, describeNat } from './describe.js'
import { socketText } from '../../src/net/socketText.js'
import type { Flow, Hop } from '../../src/packets/types.js'

const client = { address: 'fd00:18::100', port: 41822 }
const called = { address: 'fd00:18::2', port: 30080 }
const pod = { address: 'fd00:244::5', port: 80 }

t.test('addresses', async (t) => {
  t.equal(socketText({ address: '10.244.0.5', port: 80 }), '10.244.0.5:80')
  t.equal(socketText({ address: '10.244.0.5' }), '10.244.0.5')
  t.equal(socketText(pod), '[fd00:244::5]:80')
  t.equal(socketText({ address: 'fd00:244::5' }), 'fd00:244::5')
})

t.test('hops, rewrites and flows, one line each', async (t) => {
  const hops: readonly [Hop, Hop] = [
    { netns: 'client', interface: 'eth0', direction: 'out', at: 0, source: client, destination: called },
    {
      ...{
        netns: 'node-a',
        interface: 'cni0',
        direction: 'out',
        at: 0.001,
        source: client,
        destination: pod,
      },
      rewritten: { source: client, destination: called },
    },
  ]
  t.equal(describeHop(hops[0]), 'client eth0 out [fd00:18::100]:41822 → [fd00:18::2]:30080')
  t.match(
    describeHop(hops[1]),
    / \(source was \[fd00:18::100\]:41822, destination was \[fd00:18::2\]:30080\)$/,
  )
  const fact = { kind: 'DNAT', netns: 'node-a', from: called, to: pod } as const
  t.equal(describeNat(fact), 'DNAT at node-a: [fd00:18::2]:30080 → [fd00:244::5]:80')
  const flow: Flow = {
    ...{
      protocol: 'tcp',
      source: client,
      destination: called,
      hops,
      replyHops: [],
      nat: [fact],
      replyNat: [],
    },
    outcome: 'unanswered',
  }
  const ends = 'tcp [fd00:18::100]:41822 → [fd00:18::2]:30080'
  t.equal(
    describeFlow(flow),
    `${ends} by client, node-a: unanswered; DNAT at node-a: [fd00:18::2]:30080 → [fd00:244::5]:80`,
  )
  t.equal(describeFlow({ ...flow, hops: [], nat: [] }), `${ends}: unanswered`)
})
