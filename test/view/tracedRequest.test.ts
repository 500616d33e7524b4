import t from 'tap'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { plannedState } from '../../src/snapshot/fromPlan/plannedState.js'
import { compareTrace } from '../../src/trace/observed/compare.js'
import { predict } from '../../src/trace/predict.js'
import { firstPacket } from '../../src/trace/request.js'
import { requestDocument, stepOf } from '../../src/view/report/tracedRequest.js'

const prepared = prepareLab('labs/nodeport')
const state = plannedState(prepared)
const packetTo = (port: number) =>
  firstPacket(state, { from: 'client', protocol: 'tcp', address: '172.18.0.2', port })
const pageOf = (port: number) => {
  const packet = packetTo(port)
  const prediction = predict(state, 'client', packet)
  const { labs } = requestDocument('1', prepared, [
    stepOf({ name: 'a request', from: 'client', basis: 'plan', packet, prediction }),
  ])
  const [lab] = labs
  if (lab === undefined) throw new Error('there is no lab')
  return lab
}

t.test('a prediction has a flow for each possible path', async (t) => {
  const { report, steps, places } = pageOf(30080)
  t.equal(report.ok, true)
  t.equal(report.steps[0]?.flows.length, 2)
  const paths = steps[0]?.paths ?? []
  t.strictSame(
    paths.map((one) => ('path' in one ? [one.basis, one.path.probability] : one)),
    [
      ['plan', 0.5],
      ['plan', 0.5],
    ],
  )
  t.match(places, { 'node-a': { kind: 'node' }, client: { kind: 'client' } })
})

t.test('a request that will not be answered has failed', async (t) => {
  const { report } = pageOf(30081)
  t.equal(report.ok, false)
  t.match(report.steps, [{ ok: false, flows: [{ outcome: 'refused' }] }])
})

t.test('what the kernel does otherwise is a failed check with both sides', async (t) => {
  const packet = packetTo(30080)
  const prediction = predict(state, 'client', packet)
  const comparison = compareTrace(prediction, undefined)
  const observed = { comparison, got: { outcome: 'timeout' } }
  const request = { name: 'a request', from: 'client', basis: 'plan' as const, packet, prediction, observed }
  const { report, steps } = requestDocument('1', prepared, [stepOf(request)]).labs[0] ?? {}
  t.equal(report?.ok, false)
  t.match(report?.steps[0]?.summary, ['the caller: timeout'])
  t.match(report?.steps[0]?.checks[0], {
    name: 'client: hop as predicted',
    ok: false,
    observed: 'no packet',
  })
  t.match(steps?.[0]?.paths, [
    { basis: 'trace', differing: [/^client: hop: predicted .*, the kernel no packet$/] },
  ])
})

t.test('a page has some of the paths of a large lab, and one for each end', async (t) => {
  const packet = packetTo(30080)
  const { paths, complete } = predict(state, 'client', packet)
  const [path] = paths
  if (path === undefined) throw new Error('nothing is predicted')
  const end = { ...path.end, kind: 'dropped', reason: 'rule 1 drops it' } as const
  const many = [...Array.from({ length: 249 }, () => ({ ...path })), { ...path, end }]
  const request = { name: 'a request', from: 'client', basis: 'plan' as const, packet }
  const shown = stepOf({ ...request, prediction: { paths: many, complete } })
  t.equal(shown.paths.length, 16)
  t.equal(shown.paths.at(-1)?.path.end.kind, 'dropped')
  t.match(shown.step, { ok: false, flowCount: 250, flows: { length: 16 } })
  t.equal(shown.paths[0]?.paths, 250)
  t.equal(stepOf({ ...request, prediction: { paths: many, complete }, all: true }).paths.length, 250)
})

t.test('what the caller got is part of its flow, and a prediction has none', async (t) => {
  const packet = packetTo(30080)
  const prediction = predict(state, 'client', packet)
  const comparison = compareTrace(prediction, undefined)
  const request = { name: 'a request', from: 'client', basis: 'plan' as const, packet, prediction }
  const got = { outcome: 'HTTP 200', milliseconds: 3.1 }
  t.strictSame(stepOf({ ...request, observed: { comparison, got } }).step.flows[0]?.caller, got)
  t.equal(stepOf(request).step.flows[0]?.caller, undefined)
})
