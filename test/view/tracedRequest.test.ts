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

t.test('a page says what is predicted', async (t) => {
  const page = pageOf(30080)
  t.equal(page.verdict, 'predicted: the request passes')
  t.strictSame(page.report.notices, ['Predicted from the plan of the lab: no packet was sent.'])
  t.match(page.report.steps, [{ ok: true, summary: ['predicted: the request passes'] }])
  t.equal(pageOf(30081).verdict, 'predicted: the request fails')
  const [one] = predict(state, 'client', packetTo(30080)).paths
  if (one === undefined) throw new Error('nothing is predicted')
  const end = { ...one.end, http: { status: 404 } }
  const prediction = { paths: [{ ...one, end }], complete: true }
  const request = { name: 'a request', from: 'client', basis: 'attached' as const, packet: packetTo(30080) }
  const shown = stepOf({ ...request, prediction })
  t.match(shown, { verdict: 'predicted: the request fails', step: { ok: false } }, 'an error of HTTP')
  const facts = { notices: ['not looked at: TLS'] }
  t.strictSame(requestDocument('1', prepared, [shown], facts).labs[0]?.report.notices, [
    'Predicted from the rules, routes and objects that were attached: no packet was sent.',
    'not looked at: TLS',
  ])
})

t.test('what the caller got decides whether a sent request has failed, not the comparison', async (t) => {
  const packet = packetTo(30080)
  const prediction = predict(state, 'client', packet)
  const request = { name: 'a request', from: 'client', basis: 'plan' as const, packet, prediction }
  const comparison = { path: 0, hops: [], differences: [] }
  const why = { findings: [], remarks: [{ says: 'nothing is known' }] }
  const got = { outcome: 'timeout', passed: false }
  const { step, verdict, ...shown } = stepOf({ ...request, why, observed: { comparison, got } })
  t.equal(verdict, 'failed')
  t.match(shown, { why })
  t.match(step, { ok: false, checks: [{ name: 'the kernel’s trace is the predicted path', ok: true }] })
  t.match(step.flows, [{ outcome: 'unanswered', caller: got }])
  const [lab] = requestDocument('1', prepared, [stepOf({ ...request, observed: { comparison, got } })]).labs
  t.match(lab, { verdict: 'failed', report: { ok: false, notices: [] } })
  const answered = { outcome: 'HTTP 200', passed: true }
  const differing = compareTrace(prediction, undefined)
  t.match(stepOf({ ...request, observed: { comparison: differing, got: answered } }), {
    ...{ verdict: 'answered, not as predicted', step: { ok: true, checks: [{ ok: false }] } },
  })
})

t.test('what the kernel does otherwise is a failed check with both sides', async (t) => {
  const packet = packetTo(30080)
  const prediction = predict(state, 'client', packet)
  const comparison = compareTrace(prediction, undefined)
  const observed = { comparison, got: { outcome: 'timeout', passed: false } }
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
  t.equal(shown.paths[0]?.path.end.kind, 'dropped', 'what fails comes first')
  t.equal(shown.paths[0]?.otherwise, many.slice(1).length * path.probability)
  t.match(shown.step, { ok: false, flowCount: 250, flows: { length: 16 } })
  t.equal(shown.paths[0]?.paths, 250)
  t.equal(stepOf({ ...request, prediction: { paths: many, complete }, all: true }).paths.length, 250)
})

t.test('what the caller got is part of its flow, and a prediction has none', async (t) => {
  const packet = packetTo(30080)
  const prediction = predict(state, 'client', packet)
  const comparison = compareTrace(prediction, undefined)
  const request = { name: 'a request', from: 'client', basis: 'plan' as const, packet, prediction }
  const got = { outcome: 'HTTP 200', passed: true, milliseconds: 3.1 }
  t.strictSame(stepOf({ ...request, observed: { comparison, got } }).step.flows[0]?.caller, got)
  t.equal(stepOf(request).step.flows[0]?.caller, undefined)
})
