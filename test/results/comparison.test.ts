import t from 'tap'
import { compare } from '../../src/results/comparison.js'
import { createComparisonReporter } from '../../src/reporters/comparisonReporter.js'
import type { LabResult, StepResult } from '../../src/results/events.js'
import type { TextReporterName } from '../../src/reporters/names.js'
import { brokenResult, eventsOf, failingResult, passingResult } from '../reporters/fixture.js'

const whole = passingResult()

/** A result in a mode in which one check does not apply, and one step is about other modes. */
function partialResult(): LabResult {
  const [first, second, ...rest] = whole.steps
  if (first === undefined || second === undefined) throw new Error('the fixture has two steps')
  const skipped: StepResult = {
    ...second,
    ok: false,
    checks: [],
    flows: [],
    skipped: 'it is about mode iptables',
  }
  return {
    ...whole,
    mode: 'nftables',
    steps: [{ ...first, checks: first.checks.slice(0, -1) }, skipped, ...rest],
    notices: [...whole.notices, 'mode nftables: 1 check about rules of mode iptables not run'],
  }
}

function reportOf(name: TextReporterName, results: readonly (LabResult | string)[]): string {
  let text = ''
  const modes = ['iptables', 'nftables']
  const cells = modes.map((mode) => ({
    name: `nodeport ${mode}`,
    lab: 'nodeport',
    argument: './nodeport',
    mode,
  }))
  const reporter = createComparisonReporter(name, cells, {
    write: (more) => (text += more),
    colour: false,
    width: 100,
    language: 'en',
  })
  for (const [index, result] of results.entries()) {
    const lab = `nodeport ${modes[index]}`
    if (typeof result === 'string') reporter.on({ type: 'lab-skipped', lab, reason: result })
    else for (const event of eventsOf({ ...result, lab })) reporter.on(event)
  }
  reporter.end()
  return text
}

t.test('checks are matched by their names', async (t) => {
  const { ok, steps } = compare('nodeport', 'nodeport', [
    { mode: 'iptables', report: whole },
    { mode: 'nftables', report: partialResult() },
    { mode: 'other', report: { ...whole, ok: false, steps: [], skipped: 'no such module' } },
  ])
  t.equal(ok, true)
  t.equal(steps.length, whole.steps.length)
  const [first, second] = steps
  t.same(first?.outcomes, ['passed', 'passed', 'left out'])
  t.same(first?.checks.at(0)?.outcomes, ['passed', 'passed', 'left out'])
  t.same(first?.checks.at(-1)?.outcomes, ['passed', 'left out', 'left out'], 'a check that does not apply')
  for (const { outcomes } of second?.checks ?? []) t.same(outcomes, ['passed', 'left out', 'left out'])
})

t.test('a check that a failed step did not evaluate is not reported as left out', async (t) => {
  const failing = failingResult()
  const [first, ...rest] = failing.steps
  const cut = {
    ...failing,
    steps: [{ ...(first as StepResult), checks: first?.checks.slice(0, 1) ?? [] }, ...rest],
  }
  const modes = [
    { mode: 'iptables', report: whole },
    { mode: 'nftables', report: cut },
    { mode: 'other', report: brokenResult() },
  ]
  const { ok, steps } = compare('nodeport', 'nodeport', modes)
  t.equal(ok, false)
  t.same(steps[0]?.checks[0]?.outcomes, ['passed', 'failed', 'not evaluated'])
  t.same(steps[0]?.checks[1]?.outcomes, ['passed', 'not evaluated', 'not evaluated'])
})

t.test('a lab that was not run is not reported as passed', async (t) => {
  const none = [
    { mode: 'iptables', report: { ...whole, ok: false, steps: [], skipped: 'it is about another' } },
  ]
  t.equal(compare('nodeport', 'nodeport', none).ok, false)
  t.match(reportOf('pretty', ['why', 'why']), /^– nodeport: not run in any mode$/m)
})

t.test('the table has a mark for each mode, and below it the reasons for missing results', async (t) => {
  const text = reportOf('pretty', [whole, partialResult()])
  t.match(text, /^ +iptables {2}nftables$/m)
  t.match(text, /^ {4}status 200 +✔ +✔$/m)
  t.match(text, /^ {4}chains on node-a: hit .* ✔ +–$/m)
  t.match(text, /^– nftables: 1 check about rules of mode iptables not run$/m)
  t.match(text, /^– nftables: skipped, it is about mode iptables: step 2$/m)
  t.match(text, /^✔ nodeport: 22 checks passed in 2 modes, /m)
  t.equal(text.match(/note: ConfigMap/g)?.length, 1, 'a notice of both modes is printed once')
})

t.test('a failure is reported with its mode and the command that shows its packets', async (t) => {
  const text = reportOf('pretty', [whole, failingResult()])
  t.match(text, /^✖ nftables: A request to node-a › status 200\n {4}expected .*\n {4}observed /m)
  t.match(text, /packets +vethlab run \.\/nodeport --mode nftables$/m)
  t.match(text, /^✖ nodeport: /m)
  t.match(reportOf('brief', [whole, failingResult()]), /^nodeport +✔ 14 +✖ \d+ of \d+$/m)
})

t.test('json has the same table, and all results', async (t) => {
  const document = JSON.parse(reportOf('json', [whole, 'no such module'])) as {
    ok: boolean
    labs: { ok: boolean; modes: (LabResult & { skipped?: string })[]; steps: { outcomes: object }[] }[]
  }
  t.match(document, { ok: true, labs: [{ lab: 'nodeport', ok: true }] })
  t.same(document.labs[0]?.steps[0]?.outcomes, { iptables: 'passed', nftables: 'left out' })
  t.match(document.labs[0]?.modes, [
    { mode: 'iptables', ok: true },
    { mode: 'nftables', ok: false, skipped: 'no such module' },
  ])
  t.match(reportOf('tap', [whole, 'no such module']), /^ok 2 - nodeport nftables # SKIP no such module$/m)
  t.match(
    reportOf('junit', [whole, partialResult()]),
    /<testsuite name="nodeport iptables"[^]*<testsuite name="nodeport nftables"/,
  )
})
