import t from 'tap'
import { tupleText } from '../../src/snapshot/model/packet.js'
import { framesOfExchange, type Frame } from '../../src/view/path/frames.js'
import { tracedTo } from '../trace/tracedTo.js'
import { flowOf } from './flowOf.js'

const [path] = tracedTo({ lab: 'labs/nodeport', from: 'client', to: 'http://{node-a}:30080/' }).paths
if (path === undefined) throw new Error('nothing is predicted')
const flow = flowOf(path)
const known = { path, paths: 2, seen: 10, differing: [], beyond: { hops: [], replyHops: [] }, passedOn: [] }

t.test('each moment continues where the one before ended', async (t) => {
  const frames = framesOfExchange(flow, known)
  t.ok(frames.length > 15)
  for (const [index, frame] of frames.entries()) {
    const next = frames[index + 1]
    if (next === undefined) continue
    if (next.hop === frame.hop) {
      t.equal(tupleText(next.before), tupleText(frame.after), `${frame.label} to ${next.label}`)
      t.equal(next.markBefore, frame.markAfter)
    } else t.equal(next.hop, frame.hop + 1)
  }
})

t.test('the moments of node-a are those of the kernel, in its order', async (t) => {
  const own = framesOfExchange(flow, known).filter(
    ({ place, direction }) => place === 'node-a' && direction === 'request',
  )
  t.strictSame(
    own.map(({ kind, row, hook }) => [kind, row, hook].filter(Boolean).join(' ')),
    [
      'arrive',
      'conntrack conntrack prerouting',
      'table nat prerouting',
      'route route prerouting',
      'table filter forward',
      'table nat postrouting',
      'conntrack conntrack postrouting',
      'send',
    ],
  )
  const nat = own.filter(({ row }) => row === 'nat')
  t.match(nat.map(changed), ['destination', 'source'])
  t.match(
    nat.map(({ markBefore, markAfter }) => [markBefore, markAfter]),
    [
      [0, 0x4000],
      [0x4000, 0],
    ],
  )
})

function changed({ before, after }: Frame): string {
  const sides = ['source', 'destination'] as const
  return sides.filter((side) => before[side].address !== after[side].address).join(' ')
}

t.test('without a prediction, moments are where packets were captured', async (t) => {
  const frames = framesOfExchange(flow, undefined)
  t.equal(frames.length, flow.hops.length + flow.replyHops.length)
  t.strictSame(
    [...new Set(frames.map(({ hop }) => hop))],
    [...new Set(frames.map(({ hop }) => hop))].toSorted((a, b) => a - b),
  )
})

t.test('the connection of a proxy stands between the request and its answer', async (t) => {
  const inner = { ...flow, hops: flow.hops.slice(0, 1), replyHops: flow.replyHops.slice(-1) }
  const passedOn = [
    {
      netns: 'proxy',
      requestId: 'a',
      request: { method: 'GET', target: '/', headers: {} },
      destination: flow.destination,
      flow: inner,
    },
  ]
  const frames = framesOfExchange({ ...flow, passedOn }, known)
  const alone = framesOfExchange(flow, known)
  const answer = alone.findIndex(({ direction }) => direction === 'answer')
  t.equal(frames.length, alone.length + 2)
  t.equal(frames[answer]?.text, 'captured on eth0, as it leaves')
  t.equal(frames[answer + 2]?.text, alone[answer]?.text)
})
