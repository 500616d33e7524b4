import fc from 'fast-check'
import t from 'tap'
import type { Flow } from '../../src/packets/types.js'
import type { LabResult } from '../../src/results/events.js'
import { textWidth } from '../../src/text/textWidth.js'
import { anyRun } from './arbitraryEvents.js'
import {
  brokenResult,
  eventsOf,
  failingResult,
  flowToOtherNode,
  flowToSameNode,
  flowWithinNodeA,
  passingResult,
} from './fixture.js'
import { golden, interleaved, report } from './golden.js'

const OWN_COLOURS = /\x1b\[(?:[12]|22|3[1-6]|39)m/g

t.test('a lab that passes', async (t) => {
  const text = report('pretty', eventsOf(passingResult()))
  t.equal(text, golden('pretty-passing.txt'))
  t.ok(
    text.split('\n').every((line) => textWidth(line) <= 80),
    'fits 80 columns',
  )
})

t.test('a lab that fails shows expected and observed, the hops, and a command', async (t) => {
  t.equal(report('pretty', eventsOf(failingResult())), golden('pretty-failing.txt'))
})

t.test('a lab that did not start', async (t) => {
  const text = report('pretty', eventsOf(brokenResult()))
  t.match(text, /iptables-restore` in netns node-a exited with 2\n +line 14 failed\n/)
  t.match(text, /✖ clusterip: did not start, 0\.12 s/)
  t.notMatch(text, 'nothing left behind')
})

t.test('several labs are printed one after the other, with a table at the end', async (t) => {
  const results: LabResult[] = [
    passingResult(),
    { ...failingResult(), lab: 'why-masquerade' },
    brokenResult(),
  ]
  t.equal(report('pretty', interleaved(results)), golden('pretty-several.txt'))
})

t.test('a lab that is kept is reported as running', async (t) => {
  const text = report('pretty', eventsOf({ ...passingResult(), kept: true }))
  t.match(text, 'left running')
  t.notMatch(text, 'nothing left behind')
})

t.test('an interrupted lab is reported at the end', async (t) => {
  const text = report('pretty', eventsOf(passingResult()).slice(0, -2))
  t.match(text, /✖ nodeport: the run was interrupted before this lab ended\n$/)
})

t.test('eight steps stay under 60 lines', async (t) => {
  const [first, second, ...rest] = passingResult().steps
  const steps = [first, second, ...rest, first, second, ...rest].flatMap((step) =>
    step === undefined ? [] : [step],
  )
  const text = report('pretty', eventsOf({ ...passingResult(), steps }))
  t.equal(steps.length, 8)
  t.ok(text.split('\n').length < 60, `${text.split('\n').length} lines`)
})

t.test('with verbose each path is shown hop by hop, with any number of steps', async (t) => {
  const [first] = passingResult().steps
  if (first === undefined) throw new Error('the fixture has a step')
  const usual = Array.from({ length: 20 }, () => ({ ...first, flows: [flowToOtherNode()] }))
  const steps = [...usual, { ...first, flows: [flowToSameNode(42001)] }]
  const events = eventsOf({ ...passingResult(), steps })
  t.notMatch(report('pretty', events), ':42001', 'room runs short')
  t.match(report('pretty', events, { verbose: true }), ':42001')
})

t.test('the first request that a proxy forwards is always shown in full', async (t) => {
  const [first] = passingResult().steps
  if (first === undefined) throw new Error('the fixture has a step')
  const passedOn = (port: number): Flow => ({
    ...flowToSameNode(port),
    passedOn: [
      {
        netns: 'node-a',
        requestId: '5f3a',
        request: { method: 'GET', target: '/ping', headers: {} },
        destination: { address: '10.244.1.2', port: 80 },
        flow: flowWithinNodeA(port + 1),
      },
    ],
  })
  const usual = Array.from({ length: 20 }, () => ({ ...first, flows: [flowToOtherNode()] }))
  const steps = [...usual, ...[42001, 43001].map((port) => ({ ...first, flows: [passedOn(port)] }))]
  const text = report('pretty', eventsOf({ ...passingResult(), steps }))
  t.match(text, /:42001(.|\n)*↳ node-a sends GET \/ping(.|\n)*:42002/)
  t.notMatch(text, ':43001')
})

t.test('colour adds codes and nothing else', async (t) => {
  const events = eventsOf(failingResult())
  const coloured = report('pretty', events, { colour: true })
  t.match(coloured, OWN_COLOURS)
  t.equal(coloured.replace(OWN_COLOURS, ''), report('pretty', events))
})

t.test('a single lab is printed live', async (t) => {
  const events = eventsOf(passingResult())
  const first = events.findIndex((event) => event.type === 'step-end')
  const early = report('pretty', events.slice(0, first + 1)).replace(/✖ nodeport: .*\n$/, '')
  t.ok(golden('pretty-passing.txt').startsWith(early))
  t.match(early, '✔ 1 A request to node-a')
})

t.test('no text can act on the terminal', async () => {
  fc.assert(
    fc.property(anyRun, fc.integer({ min: 0, max: 200 }), ({ events }, width) => {
      const text = report('pretty', events, { colour: true, width }).replace(OWN_COLOURS, '')
      return !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text.replaceAll('\n', ''))
    }),
    { numRuns: 300 },
  )
})
