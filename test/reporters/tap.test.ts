import fc from 'fast-check'
import t from 'tap'
import { Parser, type FinalResults, type Result } from 'tap-parser'
import { labPassed } from '../../src/results/verdict.js'
import { anyRun } from './arbitraryEvents.js'
import { brokenResult, eventsOf, failingResult, passingResult } from './fixture.js'
import { golden, interleaved, report } from './golden.js'

interface Parsed {
  readonly results: FinalResults
  readonly points: readonly Result[]
  readonly problems: readonly unknown[]
}

function parse(text: string): Parsed {
  const points: Result[] = []
  const problems: unknown[] = []
  let results: FinalResults | undefined
  const parser = new Parser({ strict: true }, (final) => {
    results = final
  })
  parser.on('assert', (point: Result) => points.push(point))
  parser.on('extra', (extra: string) => problems.push(extra))
  parser.end(text)
  if (results === undefined) throw new Error('the parser returned no result')
  problems.push(...results.failures.filter((failure) => failure.tapError))
  return { results, points, problems }
}

t.test('golden texts', async (t) => {
  t.equal(report('tap', eventsOf(passingResult())), golden('passing.tap'))
  t.equal(report('tap', eventsOf(failingResult())), golden('failing.tap'))
})

t.test('several labs, one that fails and one that does not start', async (t) => {
  const labs = [passingResult(), { ...failingResult(), lab: 'why-masquerade' }, brokenResult()]
  const { results, points, problems } = parse(report('tap', interleaved(labs)))
  t.same(problems, [])
  t.equal(results.ok, false)
  t.same(
    points.map(({ id, ok, name }) => ({ id, ok, name })),
    [
      { id: 1, ok: true, name: 'nodeport' },
      { id: 2, ok: false, name: 'clusterip' },
      { id: 3, ok: false, name: 'why-masquerade' },
    ],
  )
  t.match(points[1]?.diag, { error: /^load rules: .*\n.*line 14 failed$/ })
})

t.test('a lab without steps is one test point', async (t) => {
  const { results, points } = parse(report('tap', eventsOf({ ...passingResult(), steps: [] })))
  t.ok(results.ok)
  t.same(
    points.map(({ name, skip }) => ({ name, skip })),
    [{ name: 'nodeport', skip: false }],
  )
})

t.test('without labs the plan is empty', async (t) => {
  const { results } = parse(report('tap', []))
  t.ok(results.ok)
  t.equal(results.count, 0)
})

t.test('an interrupted lab bails out', async (t) => {
  const { results, problems } = parse(report('tap', eventsOf(passingResult()).slice(0, -2)))
  t.equal(results.bailout, '1 lab interrupted: nodeport')
  t.same(problems, [])
})

t.test('names keep their # and \\', async (t) => {
  const [first] = eventsOf(passingResult()).flatMap((event) =>
    event.type === 'step-end' ? [event.result] : [],
  )
  const step = { ...first, name: 'C:\\ # SKIP not me', ok: true, checks: [], flows: [], flowCount: 0 }
  const text = report(
    'tap',
    eventsOf({ ...passingResult(), lab: 'a # TODO b {', steps: [{ action: '', durationMs: 1, ...step }] }),
  )
  const { points, problems } = parse(text)
  t.same(problems, [])
  t.equal(points[0]?.name, '"a # TODO b {"')
  t.notOk(points[0]?.todo)
  t.match(text, '    ok 1 - C:\\\\ \\# SKIP not me\n')
})

t.test('any text gives valid TAP with the verdict of each lab', async () => {
  fc.assert(
    fc.property(anyRun, ({ events, results: labs, whole }) => {
      const { results, points, problems } = parse(report('tap', events))
      if (problems.length > 0) throw new Error(JSON.stringify(problems))
      if (!whole) return results.bailout !== false
      const verdicts = labs.map(labPassed)
      const reported = points.map((point) => point.ok && !point.skip && !point.todo)
      return JSON.stringify(reported) === JSON.stringify(verdicts) && results.ok === verdicts.every(Boolean)
    }),
    { numRuns: 300 },
  )
})
