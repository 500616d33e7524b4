import t from 'tap'
import { plannedState } from '../../src/snapshot/fromPlan/plannedState.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { tupleText } from '../../src/snapshot/model/packet.js'
import { predict } from '../../src/trace/predict.js'
import { firstPacket } from '../../src/trace/request.js'
import { explainFlow } from '../../src/view/report/flowPath.js'
import type { PredictedFlow } from '../../src/view/report/document.js'
import { chosenPort, flowOf } from './flowOf.js'

const state = plannedState(prepareLab('labs/nodeport'))
const request = { from: 'client', protocol: 'tcp', address: '172.18.0.2', port: 30080 } as const
const { paths } = predict(state, 'client', firstPacket(state, { ...request, sourcePort: 50_000 }))

const [path] = paths
if (path === undefined) throw new Error('nothing is predicted')

t.test('of several paths the one that the packets took', async (t) => {
  t.equal(paths.length, 2)
  for (const one of paths) {
    const found = explainFlow(state, flowOf(one)) as PredictedFlow
    t.strictSame(found.differing, [])
    t.equal(found.paths, 2)
    t.equal(found.path.receiver?.name, one.receiver?.name)
    t.ok(found.seen >= 8, `${found.seen} packets are compared`)
  }
})

t.test('a port that masquerading chooses is the captured one', async (t) => {
  const predicted = path.hops.map(({ after }) => tupleText(after)).join('\n')
  t.match(predicted, ':*', 'the prediction has a range')
  const found = explainFlow(state, flowOf(path)) as PredictedFlow
  const text = JSON.stringify(found.path)
  t.match(text, `"first":${chosenPort},"last":${chosenPort}`)
  t.notMatch(text, '"last":65535')
})

t.test('it is that of the masqueraded packet, not the node port of the same address', async (t) => {
  for (const one of paths) {
    const found = explainFlow(state, flowOf(one)) as PredictedFlow
    const masqueraded = found.path.hops.flatMap(({ packet, steps }) =>
      steps.flatMap((step) =>
        packet === 'request' && step.kind === 'nat' && step.side === 'source' ? [step.to.port?.first] : [],
      ),
    )
    t.strictSame(masqueraded, [chosenPort])
  }
})

t.test('a packet where no rule sends it is named', async (t) => {
  const flow = flowOf(path)
  const [last, ...others] = flow.hops.toReversed()
  if (last === undefined) throw new Error('no packet')
  const elsewhere = { ...last, netns: 'node-b', interface: 'eth0' }
  const found = explainFlow(state, { ...flow, hops: [...others.toReversed(), elsewhere] }) as PredictedFlow
  t.equal(found.differing.length, 1)
  t.match(found.differing[0], /^node-b eth0 in: 10\.244\.\d\.\d:40123 → /)
})

t.test('an error of another code than the predicted one is named', async (t) => {
  const closed = { from: 'client', protocol: 'udp', address: '172.18.0.2', port: 29999 } as const
  const [refused] = predict(state, 'client', firstPacket(state, { ...closed, sourcePort: 50_000 })).paths
  if (refused === undefined) throw new Error('nothing is predicted')
  const arrives = { netns: 'client', interface: 'eth0', direction: 'in', at: 0 } as const
  const ends = { source: { address: '172.18.0.2' }, destination: { address: '172.18.1.2' } }
  const differing = (code: number) => {
    const replyHops = [{ ...arrives, ...ends, icmp: { type: 3, code } }]
    const flow = { ...flowOf(refused), protocol: 'udp', outcome: 'refused', replyHops } as const
    return (explainFlow(state, flow) as PredictedFlow).differing
  }
  t.strictSame(differing(3), [])
  t.strictSame(differing(13), ['client eth0 in: 172.18.0.2 → 172.18.1.2 (ICMP type 3 code 13)'])
})

t.test('a flow without packets has no path', async (t) => {
  t.match(explainFlow(state, { ...flowOf(path), hops: [], replyHops: [] }), { unknown: /no packet/ })
})

t.test('a captured error about a packet is compared with the predicted one', async (t) => {
  const asked = { ...request, protocol: 'udp', port: 30081 } as const
  const [refused] = predict(state, 'client', firstPacket(state, { ...asked, sourcePort: 50_000 })).paths
  const { error } = refused ?? {}
  if (refused === undefined || error === undefined) throw new Error('no error is predicted')
  const sent = error.hops.map(({ place, in: arrives, out, after: { source, destination } }, at) => ({
    ...({
      netns: place,
      interface: arrives ?? out ?? '',
      direction: arrives === undefined ? 'out' : 'in',
    } as const),
    ...{ at, source: { address: source.address }, destination: { address: destination.address } },
  }))
  const flow = { ...flowOf(refused), protocol: 'udp', outcome: 'refused', replyHops: sent } as const
  t.strictSame((explainFlow(state, flow) as PredictedFlow).differing, [])
  const moved = sent.map((one) => ({ ...one, netns: 'node-b' }))
  t.match((explainFlow(state, { ...flow, replyHops: moved }) as PredictedFlow).differing, [
    ...[/^node-b eth0 out: 172\.18\.0\.2 → /, /^node-b eth0 in: 172\.18\.0\.2 → /],
  ])
})
