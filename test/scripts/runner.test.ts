import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Parser } from 'tap-parser'
import { inOrder, named } from '../../scripts/test/order.mjs'
import { runAll } from '../../scripts/test/runAll.mjs'
import { runFile } from '../../scripts/test/runFile.mjs'
import { tapReport } from '../../scripts/test/tapReport.mjs'
import { terminalReport } from '../../scripts/test/terminalReport.mjs'
import { testFiles } from '../../scripts/test/testFiles.mjs'

t.test(
  'a suite is test/full or all but test/full, and a filter that names a test takes only that',
  async (t) => {
    const folder = t.testdir({ 'a.test.js': '', 'ba.test.js': '', 'help.js': '', full: { 'a.test.js': '' } })
    t.strictSame(testFiles(folder, 'short', []), ['a', 'ba'])
    t.strictSame(testFiles(folder, 'full', []), ['full/a'])
    t.strictSame(testFiles(folder, 'short', ['a']), ['a'])
    t.strictSame(testFiles(folder, 'short', ['b', 'x']), ['ba'])
    t.strictSame(testFiles(folder, 'short', ['x']), [])
  },
)

t.test('long tests begin first, and those that the order names exist', async (t) => {
  for (const test of named) t.ok(existsSync(`test/${test}.test.ts`), test)
  const [long = ''] = named
  t.strictSame(
    inOrder(['a', long]).map(({ test }) => String(test)),
    [long, 'a'],
  )
})

t.test('as many run at once as fit, and none begins after a stop', async (t) => {
  const tasks = [1, 0.5, 0.5, 0.5, 1].map((cores, index) => ({ test: `${index}`, cores }))
  const ends = new Map<string, (goOn: boolean) => void>()
  const begun: string[] = []
  const all = runAll(tasks, 2, (test: string) => {
    begun.push(test)
    return new Promise((resolve) => ends.set(test, resolve))
  })
  const turn = () => new Promise(setImmediate)
  t.strictSame(begun, ['0', '1', '2'])
  ends.get('1')?.(true)
  await turn()
  t.strictSame(begun, ['0', '1', '2', '3'])
  ends.get('2')?.(false)
  ends.get('0')?.(true)
  ends.get('3')?.(true)
  await all
  t.notOk(begun.includes('4'))
  await runAll([{ test: 'large', cores: 4 }], 1, async (test: string) => begun.push(test) > 0)
  t.ok(begun.includes('large'), 'one runs even where it does not fit')
})

const tap = (text: string) => `console.log(${JSON.stringify(text)})\n`

/** Test files that end in different ways, and how each is reported. */
const endings = {
  passes: [
    tap('TAP version 14\nok 1 - one\n# figure: 3 of 3\n1..1'),
    { ok: true, passed: 1, figures: ['3 of 3'] },
  ],
  fails: [
    `${tap('TAP version 14\nnot ok 1 - one\n1..1')}process.exitCode = 1`,
    { ok: false, failed: 1, problem: undefined, failures: [{ name: 'one' }] },
  ],
  skips: [
    tap('TAP version 14\nok 1 - one # SKIP no root\n1..1'),
    { ok: true, skipped: 1, skips: ['no root'] },
  ],
  'writes nothing': ['', { ok: false, problem: 'no test ran (exit code 0)' }],
  throws: [
    'throw new Error("broken")',
    { ok: false, problem: 'no test ran (exit code 1)', stderr: /broken/ },
  ],
  'is cut short': [tap('TAP version 14\nok 1 - one'), { ok: false, problem: 'its output was cut short' }],
  'has another exit code': [
    `${tap('TAP version 14\nok 1 - one\n1..1')}process.exitCode = 3`,
    { ok: false, problem: 'exit code 3' },
  ],
  'is killed': [
    `${tap('TAP version 14\nok 1 - one\n1..1')}process.kill(process.pid, 'SIGKILL')`,
    { ok: false, problem: 'ended by SIGKILL' },
  ],
} as const

async function end(t: Test, script: string) {
  const file = join(t.testdir({ 'x.test.mjs': script }), 'x.test.mjs')
  return runFile(file, { env: {}, limitSeconds: 600 }).done
}

for (const [how, [script, expected]] of Object.entries(endings))
  t.test(`a file that ${how}`, async (t) => {
    t.match(await end(t, script), expected)
  })

t.test('tap ends a test that hangs and names it', async (t) => {
  const script = `import t from ${JSON.stringify(import.meta.resolve('tap'))}
    t.test('hangs', () => new Promise((resolve) => setTimeout(resolve, 1e6)))`
  const file = join(t.testdir({ 'x.test.mjs': script }), 'x.test.mjs')
  const result = await runFile(file, { env: {}, limitSeconds: 2 }).done
  t.match(result, { ok: false, failures: [{ name: /hangs/ }] })
})

t.test('a process that is left behind with its output open is not waited for', async (t) => {
  const script = `import { spawn } from 'node:child_process'
    const child = spawn('sleep', ['1000'], { stdio: 'inherit', detached: true })
    child.unref()
    ${tap('TAP version 14\nok 1 - one\n1..1')}console.log('# figure: ' + child.pid)`
  const result = await end(t, script)
  process.kill(Number(result.figures[0]), 'SIGKILL')
  t.equal(result.ok, true)
})

const passed = {
  file: 'build/test/a.test.js',
  ok: true,
  problem: undefined,
  ms: 5,
  lines: ['ok 1 - one', '1..1'],
  stderr: '',
}
const counted = { passed: 1, failed: 0, skipped: 1, failures: [], skips: ['no root'], figures: ['7 kills'] }
const failure = { name: 'x > two', diag: { at: { fileName: 'test/b.test.ts', lineNumber: 9 }, found: 3 } }
const results = [
  { ...passed, ...counted },
  { ...passed, ...counted, file: 'build/test/b.test.js', ok: false, failed: 1, failures: [failure] },
  {
    ...passed,
    ...counted,
    file: 'build/test/c.test.js',
    ok: false,
    problem: 'ended by SIGKILL',
    stderr: 'oh',
  },
]

t.test('TAP of all files', async (t) => {
  let text = ''
  const report = tapReport((part: string) => (text += part), results.length)
  for (const result of results) report.end(result)
  report.close({ interrupted: undefined })
  const ends: [string, boolean][] = []
  const parser = new Parser().on('assert', ({ name, ok }: { name: string; ok: boolean }) =>
    ends.push([name, ok]),
  )
  parser.end(text)
  t.strictSame(
    ends,
    results.map(({ file, ok }) => [file, ok]),
  )
  t.match(text, 'problem: "ended by SIGKILL"')
  t.match(text, /^# oh$/m)
})

t.test('at a terminal failures come last, each with the command that runs its file again', async (t) => {
  let text = ''
  const report = terminalReport({
    write: (part: string) => (text += part),
    columns: () => 60,
    total: results.length,
    rerun: (test: string) => `npm test -- ${test}`,
  })
  for (const result of results) report.begin(result)
  t.ok(
    text.split('\r').every((line) => line.length < 70 && !line.includes('\n')),
    'one line that fits',
  )
  for (const result of results) report.end(result)
  report.close({ interrupted: undefined })
  const [, last = ''] = text.split('figures:')
  t.match(text, 'skipped: no root (3)')
  t.match(last, /^b\n {2}✖ x > two\n {4}at test\/b\.test\.ts:9\n {4}found: 3\n {2}again: npm test -- b$/m)
  t.match(last, /^c\n {2}✖ ended by SIGKILL\n {4}oh\n {2}again: npm test -- c$/m)
  t.match(last, /^3 passed, 2 failed in 2 files, 3 skipped \(0 min 0 s\)$/m)
})
