import t from 'tap'
import type { LabEvent, LabResult } from '../../src/results/events.js'
import { createReporter } from '../../src/reporters/index.js'

const base: LabResult = {
  lab: 'a_b',
  title: 'A lab',
  ok: true,
  durationMs: 840,
  machine: { kernel: '6.1', iptables: '1.8', backend: 'nft', rootless: false },
  topology: { fabric: [], nodes: [], clients: [], pods: [], services: [] },
  steps: [],
  notices: [],
}
const events: LabEvent[] = [
  { type: 'lab-end', lab: 'a_b', result: base },
  { type: 'lab-end', lab: 'bad', result: { ...base, lab: 'bad', ok: false, error: 'it <broke> | so' } },
  { type: 'lab-skipped', lab: 'other', reason: 'not here' },
]

function told(name: 'markdown' | 'events'): string {
  let text = ''
  const reporter = createReporter(name, { write: (more) => (text += more), colour: false, width: 100 })
  for (const event of events) reporter.on(event)
  reporter.end()
  return text
}

t.test('the summary counts what passed, failed and was skipped, and cannot be broken out of', async (t) => {
  const text = told('markdown')
  t.match(text, /^## vethlab: 1 of 3 labs passed, 1 failed, 1 skipped\n/)
  t.match(text, '| ✅ | a\\_b | 0 | 0.84 s |')
  t.match(text, '❌ | bad ')
  t.match(text, 'it &lt;broke&gt; \\| so')
  t.match(text, 'skipped: not here')
})

t.test('events are told one a line, as they are', async (t) => {
  t.strictSame(
    told('events')
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
    events,
  )
})
