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

function reportOf(name: 'markdown' | 'events'): string {
  let text = ''
  const reporter = createReporter(name, {
    write: (more) => (text += more),
    colour: false,
    width: 100,
    language: 'en',
  })
  for (const event of events) reporter.on(event)
  reporter.end()
  return text
}

t.test('the summary counts passed, failed and skipped labs, and escapes Markdown', async (t) => {
  const text = reportOf('markdown')
  t.match(text, /^## vethlab: 1 of 3 labs passed, 1 failed, 1 skipped\n/)
  t.match(text, '| ✅ | a\\_b | 0 | 0.84 s |')
  t.match(text, '❌ | bad ')
  t.match(text, 'it &lt;broke&gt; \\| so')
  t.match(text, 'skipped: not here')
})

t.test('each event is one line of JSON', async (t) => {
  t.strictSame(
    reportOf('events')
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
    events,
  )
})
