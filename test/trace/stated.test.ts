import t from 'tap'
import { question } from '../../src/diagnose/question.js'
import type { WrittenRequest } from '../../src/diagnose/writtenRequest.js'
import { planSnapshot } from '../../src/lab/plan/planSnapshot.js'
import { predict } from '../../src/trace/predict.js'
import { vethlab } from '../kernel/servedCommands.js'
import { tracedTo } from './tracedTo.js'
import { withRules } from './withRules.js'

const outside = {
  ...{ lab: 'nodeport', from: 'node-a', to: '{node-a}:30080' },
  ...{ sourceAddress: '203.0.113.9', arrives: 'eth0' },
} as const

t.test('a packet that arrives from a host that is not known', async (t) => {
  const { paths } = tracedTo({ ...outside, change: withRules('fabric', []) })
  t.strictSame([...new Set(paths.map(({ end }) => end.kind))], ['answered'])
  t.match(paths[0]?.hops[0], { place: 'node-a', in: 'eth0', before: { source: { address: '203.0.113.9' } } })
  t.match(paths[0]?.hops.at(-1), { place: 'node-a', after: { destination: { address: '203.0.113.9' } } })
  const dropped = tracedTo({
    ...outside,
    change: withRules('node-a', ['filter -A FORWARD -s 203.0.113.0/24 -j DROP']),
  })
  t.match(dropped.paths[0]?.end, { kind: 'dropped', caller: 'timeout', place: 'node-a' })
  const refused = tracedTo({ ...outside, to: '{node-a}:99' })
  t.match(refused.paths, [{ end: { kind: 'refused', place: 'node-a' } }])
  const lost = tracedTo({
    ...{ ...outside, to: '{node-a}:99' },
    change: withRules('node-a', ['filter -A OUTPUT -d 203.0.113.9 -j DROP']),
  })
  t.match(lost.paths, [{ end: { caller: 'timeout' } }])
})

t.test('what is stated about a request is checked', async (t) => {
  const ask = (more: Partial<WrittenRequest>) => () =>
    question(planSnapshot('nodeport'), { from: 'node-a', to: '{node-a}:80', protocol: 'tcp', ...more })
  t.throws(ask({ arrives: 'eth9', sourceAddress: '203.0.113.9' }), /node-a has no interface eth9/)
  t.throws(ask({ arrives: 'eth0' }), /needs a source address/)
  const { packet, snapshot, from } = ask({ mark: 1 })()
  t.equal(packet.mark, 1)
  t.equal(predict(snapshot.state, from, packet).paths[0]?.hops[0]?.mark, 1)
})

t.test('the options of trace and why', async (t) => {
  const request = ['nodeport', 'node-a', '{node-a}:30080', '--source', '203.0.113.9', '--in', 'eth0']
  const traced = await vethlab(['trace', ...request, '--predict'])
  t.match(traced.stdout, /203\.0\.113\.9/)
  t.equal(traced.code, 0)
  const why = await vethlab(['why', ...request, '--uid', '1000', '--mark', '0x1', '--plan'])
  t.equal(why.code, 0, why.stderr)
  const wrong = await vethlab(['trace', 'nodeport', 'client', '{node-a}:30080', '--uid', 'root', '--predict'])
  t.match(wrong.stderr, /It must be a number/)
  const real = await vethlab(['trace', 'nodeport', 'client', '{node-a}:30080', '--uid', '1000'])
  t.match(real.stderr, /--uid needs --predict/)
})
