import t from 'tap'
import { labPassed } from '../../src/results/verdict.js'
import type { LabResult, StepResult } from '../../src/results/events.js'
import type { TextReporterName } from '../../src/reporters/names.js'
import { eventsOf, failingResult, passingResult } from './fixture.js'
import { report } from './golden.js'

const skipped: StepResult = {
  name: 'Only in the other',
  action: '',
  ok: false,
  skipped: 'it is about mode nftables',
  durationMs: 0,
  checks: [],
  flows: [],
  flowCount: 0,
}

function withSkipped(result: LabResult): LabResult {
  return { ...result, steps: [skipped, ...result.steps] }
}

t.test('a skipped step is reported with its reason, and is neither passed nor failed', async (t) => {
  const output = (name: TextReporterName) => report(name, eventsOf(withSkipped(passingResult())))
  t.match(output('tap'), /^ {4}ok 1 - Only in the other # SKIP it is about mode nftables$/m)
  t.match(output('junit'), /<testsuite .*errors="0" skipped="1"/)
  t.match(output('junit'), /<skipped message="it is about mode nftables"\/>/)
  t.match(output('pretty'), /^- 1 Only in the other: skipped, it is about mode nftables$/m)
  t.match(output('brief'), /✔ nodeport .* \(1 step not run\)$/m)
  const { ok, steps } = JSON.parse(output('json')) as LabResult
  t.match({ ok, first: steps[0] }, { ok: true, first: { ok: false, skipped: skipped.skipped } })
  t.match(output('pretty'), /nodeport: 14 checks passed/, 'as many as without it')
  t.ok(labPassed(withSkipped(passingResult())))
  t.notOk(labPassed(withSkipped(failingResult())))
})

t.test('the closing line shows a mode that is not the default', async (t) => {
  const closing = (mode: string) => report('pretty', eventsOf({ ...passingResult(), mode }))
  t.match(closing('nftables'), /nothing left behind\s+mode nftables, Linux 6\.8\.0/)
  t.match(closing('iptables'), /nothing left behind\s+Linux 6\.8\.0/)
})
