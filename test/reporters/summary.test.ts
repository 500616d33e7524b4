import t from 'tap'
import type { LabResult, StepResult } from '../../src/results/events.js'
import { eventsOf, passingResult } from './fixture.js'
import { report } from './golden.js'

const stop: StepResult = {
  name: 'Shoppers go',
  action: 'stop shoppers',
  ok: true,
  durationMs: 12,
  summary: [
    'shoppers: 212 requests in 4.3 s, 209 answered (web-a 104, web-b 105)',
    '3 not answered: lost during "Scale\u001b to 1"',
  ],
  checks: [{ name: 'at most 3 lost', ok: true, expected: 'at most 3 lost', observed: '3 lost of 212' }],
  flows: [],
  flowCount: 0,
}

const result: LabResult = { ...passingResult(), steps: [stop] }

t.test('the summary of a step is in every report, one line each', async (t) => {
  const pretty = report('pretty', eventsOf(result))
  t.match(pretty, /Shoppers go +\$ stop shoppers\n {6}shoppers: 212 requests .*\n {6}3 not answered: lost/)
  t.match(
    report('tap', eventsOf(result)),
    /summary:\n +- "?shoppers: 212 requests .*\n +- .*3 not answered: lost/,
  )
  t.match(report('junit', eventsOf(result)), /stop shoppers \(0 flows\)\n {2}shoppers: 212 requests/)
  const json = JSON.parse(report('json', eventsOf(result))) as LabResult
  t.strictSame(json.steps[0]?.summary, stop.summary)
  t.notMatch(pretty + report('junit', eventsOf(result)), '\u001b')
})
