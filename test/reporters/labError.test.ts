import t from 'tap'
import { textReporterNames } from '../../src/reporters/names.js'
import type { LabEvent } from '../../src/results/events.js'
import { eventsOf, passingResult } from './fixture.js'
import { report } from './golden.js'

const error = 'labs/wrong/lab.yaml:2:1: unknown field "stepz"'
const file = 'labs/wrong/lab.yaml'
const event: LabEvent = { type: 'lab-error', lab: 'wrong', error, file }

t.test('every report for programs has the error of a lab that cannot run', async (t) => {
  for (const name of textReporterNames) {
    const text = report(name, [event])
    if (name === 'pretty' || name === 'brief') t.equal(text, '', 'it is printed on standard error')
    else t.match(text.replaceAll('\\', '').replaceAll('&quot;', '"'), error, name)
  }
})

t.test('JUnit counts it as an error, TAP bails out, JSON has ok false', async (t) => {
  t.match(
    report('junit', [event]),
    /<testsuite name="wrong" tests="1" failures="0" errors="1" .* file="labs\/wrong\/lab.yaml"/,
  )
  for (const name of ['tap', 'tap13'] as const)
    t.match(report(name, [event]), /^TAP version 1[34]\nBail out! wrong: labs\/wrong\/lab.yaml:2:1: .*\n$/)
  t.match(JSON.parse(report('json', [event])), { lab: 'wrong', ok: false, error, file })
})

t.test('a lab that ran before keeps its result', async (t) => {
  const text = report('junit', [...eventsOf(passingResult()), event])
  t.match(text, /<testsuites name="vethlab" tests="15" failures="0" errors="1"/)
})

t.test('a testsuite of JUnit has the time, the host and the file of its lab', async (t) => {
  const { machine, ...result } = passingResult()
  const facts = { startedAt: '2026-01-02T03:04:05.678Z', file: 'labs/nodeport/lab.yaml' }
  const text = report(
    'junit',
    eventsOf({ ...result, ...facts, machine: { ...machine, hostname: 'builder' } }),
  )
  t.match(text, / timestamp="2026-01-02T03:04:05" hostname="builder" file="labs\/nodeport\/lab.yaml">/)
  const [start] = eventsOf(passingResult())
  const interrupted = report('junit', start === undefined ? [] : [{ ...start, ...facts }])
  t.match(interrupted, / timestamp="2026-01-02T03:04:05" file="labs\/nodeport\/lab.yaml">/)
})
