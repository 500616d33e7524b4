import fc from 'fast-check'
import t from 'tap'
import type { LabEvent } from '../../src/results/events.js'
import { labPassed } from '../../src/results/verdict.js'
import { anyRun } from './arbitraryEvents.js'
import { brokenResult, eventsOf, failingResult, passingResult } from './fixture.js'
import { interleaved, report } from './golden.js'

const skipped: LabEvent = { type: 'lab-skipped', lab: 'dual-stack', reason: 'it is one of both families' }

t.test('a lab that passed is one line', async (t) => {
  const lines = report('brief', eventsOf(passingResult())).split('\n')
  t.equal(lines.length, 4)
  t.match(lines[0], /^✔ nodeport +\d+ checks +\d+\.\d\d s {2}\S/)
  t.equal(lines[2], '1 of 1 lab passed')
})

t.test('a lab that failed is printed in full, and named at the end', async (t) => {
  const failing = { ...failingResult(), lab: 'why-masquerade' }
  const text = report('brief', interleaved([passingResult(), failing, brokenResult()]))
  t.match(text, report('pretty', eventsOf(failing)), 'the output of the pretty reporter')
  t.notMatch(text, /^nodeport/m, 'only one line for the lab that passed')
  t.match(text, /1 of 3 labs passed, failed: why-masquerade, clusterip\n$/)
})

t.test('every reporter reports a skipped lab as skipped, not as passed', async (t) => {
  const events = [skipped, ...eventsOf(passingResult())]
  t.match(report('brief', events), /^- dual-stack +skipped: it is one of both families\n/)
  t.match(report('brief', events), /1 of 2 labs passed, 1 skipped\n$/)
  t.match(report('pretty', events), /^- dual-stack: skipped: it is one of both families\n/)
  t.match(report('pretty', events), /\n- {2}dual-stack +skipped/)
  t.match(report('pretty', events), /1 of 2 labs passed/)
  t.match(report('tap', events), /^ok 1 - dual-stack # SKIP it is one of both families$/m)
  const json = JSON.parse(report('json', events)) as { ok: boolean; labs: object[] }
  t.match(json, { ok: true, labs: [{ lab: 'dual-stack', ok: false, skipped: String }, { ok: true }] })
  const junit = report('junit', events)
  t.match(junit, /<testsuite name="dual-stack" tests="1" failures="0" errors="0" skipped="1"/)
  t.match(junit, /<skipped message="it is one of both families"\/>/)
})

t.test('an interrupted lab is reported as failed', async (t) => {
  const text = report('brief', eventsOf(passingResult()).slice(0, -1))
  t.match(text, 'the run was interrupted before this lab ended')
  t.match(text, /0 of 1 lab passed, failed: nodeport\n$/)
})

t.test('with any text the counts of the last line are correct', async () => {
  fc.assert(
    fc.property(anyRun, ({ results, events, whole }) => {
      const passed = results.filter(
        (result, index) => (whole || index < results.length - 1) && labPassed(result),
      )
      const text = report('brief', events)
      if (results.length === 0) return text === ''
      return text.includes(`\n${passed.length} of ${results.length} lab`)
    }),
  )
})
