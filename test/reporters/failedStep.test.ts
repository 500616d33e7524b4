import t from 'tap'
import type { TextReporterName } from '../../src/reporters/names.js'
import type { LabResult } from '../../src/results/events.js'
import type { StepWhy } from '../../src/results/stepWhy.js'
import { eventsOf, failingResult } from './fixture.js'
import { report } from './golden.js'

const why: StepWhy = {
  sentence: 'client calls node-a, and gets no answer; the cause is on node-a',
  code: 'forward-policy-drop',
  cause: 'no rule of filter FORWARD accepts it, and the policy is DROP',
  fix: 'the policy of filter FORWARD on node-a is ACCEPT',
  command: 'vethlab exec nodeport node-a -- iptables -P FORWARD ACCEPT',
}

function explained(given: StepWhy): LabResult {
  const [first, ...others] = failingResult().steps
  const result = failingResult()
  return first === undefined ? result : { ...result, steps: [{ ...first, why: given }, ...others] }
}

t.test('every report has the cause and the fix of a failed step', async (t) => {
  const forms: readonly [TextReporterName, RegExp][] = [
    ['pretty', /^ {6}cause {5}no rule of filter FORWARD accepts it/m],
    ['tap', /^ +cause: no rule of filter FORWARD accepts it/m],
    ['tap13', /^# cause: no rule of filter FORWARD accepts it/m],
    ['junit', /^cause: no rule of filter FORWARD accepts it/m],
    ['markdown', /^ {2}- cause: no rule of filter FORWARD accepts it/m],
    ['json', /"cause": "no rule of filter FORWARD accepts it/],
  ]
  for (const [name, cause] of forms) {
    const text = report(name, eventsOf(explained(why)))
    t.match(text, cause, name)
    for (const part of [why.sentence, why.fix ?? '', why.code ?? ''])
      t.match(text.replace(/\s+/g, ' '), part, `${name}: ${part}`)
  }
})

t.test('commands in the lab are printed only if it keeps running', async (t) => {
  const removed = report('pretty', eventsOf(explained(why)))
  t.notMatch(removed, 'vethlab exec')
  const kept = report('pretty', eventsOf(explained(why)), { kept: true })
  t.match(kept, /^ {6}look {6}vethlab exec nodeport client -- curl/m)
  t.match(kept, /^ {16}vethlab exec nodeport node-a -- iptables -P FORWARD ACCEPT$/m)
})

t.test('a request that is predicted to pass has only the sentence', async (t) => {
  const text = report('pretty', eventsOf(explained({ sentence: 'client calls node-a: it is answered' })))
  t.match(text, /^ {6}why {7}client calls node-a: it is answered$/m)
  t.notMatch(text, /^ {6}(?:cause|fix|explain) /m)
})
