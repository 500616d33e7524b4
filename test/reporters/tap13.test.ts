import fc from 'fast-check'
import t from 'tap'
import { Parser, type FinalResults, type Result } from 'tap-parser'
import { labPassed } from '../../src/results/verdict.js'
import { anyRun } from './arbitraryEvents.js'
import { brokenResult, eventsOf, failingResult, passingResult } from './fixture.js'
import { interleaved, report } from './golden.js'

function parse(text: string) {
  const points: Result[] = []
  const problems: unknown[] = []
  let results: FinalResults | undefined
  const parser = new Parser({ strict: true }, (final) => {
    results = final
  })
  parser.on('assert', (point: Result) => points.push(point))
  parser.on('extra', (extra: string) => problems.push(extra))
  parser.on('child', () => problems.push('a subtest'))
  parser.end(text)
  if (results === undefined) throw new Error('the parser returned no result')
  problems.push(...results.failures.filter((failure) => failure.tapError))
  return { results, points, problems }
}

t.test('a flat list with a point for each check, and details of a failed one as comments', async (t) => {
  const text = report('tap13', eventsOf(failingResult()))
  const { points, problems } = parse(text)
  t.same(problems, [])
  t.match(text, /^TAP version 13\nnot ok 1 - nodeport: A request to node-a: status 200\n/)
  t.match(text, /\n# expected: status 200\n# observed: no answer within 2 s\n# hops:\n/)
  t.equal(points.filter(({ ok }) => !ok).length, 2)
  t.match(text, /\n1\.\.5\n$/)
})

t.test('labs that run at once are numbered in the order of the text', async (t) => {
  const { points, problems, results } = parse(
    report('tap13', interleaved([passingResult(), { ...failingResult(), lab: 'other' }, brokenResult()])),
  )
  t.same(problems, [])
  t.equal(results.ok, false)
  t.strictSame(
    points.map(({ id }) => id),
    points.map((_, index) => index + 1),
  )
  t.ok(points.some(({ name, ok }) => name === 'clusterip: starts' && !ok))
})

t.test('any text gives valid TAP with the verdict of the run', async () => {
  fc.assert(
    fc.property(anyRun, ({ events, results: labs, whole }) => {
      const { results, problems } = parse(report('tap13', events))
      if (problems.length > 0) throw new Error(JSON.stringify(problems))
      return whole ? results.ok === labs.every(labPassed) : results.bailout !== false
    }),
    { numRuns: 300 },
  )
})
