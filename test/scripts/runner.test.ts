import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Parser } from 'tap-parser'
import { inOrder, named } from '../../scripts/test/order.mjs'
import { terminalReport } from '../../scripts/test/terminalReport.mjs'
import { testFiles } from '../../scripts/test/testFiles.mjs'

t.test(
  'a suite is test/full or all but test/full, and a filter that names a test takes only that',
  async (t) => {
    const folder = t.testdir({ 'a.test.js': '', 'ba.test.js': '', 'help.js': '', full: { 'a.test.js': '' } })
    t.strictSame(testFiles(folder, 'short', []), ['a', 'ba'])
    t.strictSame(testFiles(folder, 'full', []), ['full/a'])
    t.strictSame(testFiles(folder, 'short', ['a']), ['a'])
    t.strictSame(testFiles(folder, 'short', ['a', 'b']), ['a', 'ba'])
    t.strictSame(testFiles(folder, 'short', ['b', 'x']), ['ba'])
    t.strictSame(testFiles(folder, 'short', ['x']), [])
  },
)

t.test('long tests start first, those that wait share a core, and those that are named exist', async (t) => {
  for (const test of named) t.ok(existsSync(`test/${test}.test.ts`), test)
  const all = ['a', ...named]
  const groups: readonly { perCore: number; tests: readonly string[] }[] = inOrder(all)
  t.strictSame(groups.flatMap(({ tests }) => tests).sort(), [...all].sort(), 'each once')
  t.equal(groups.at(-1)?.tests.at(-1), 'a')
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
  'is cut short': [tap('TAP version 14\nok 1 - one'), { ok: false }],
  'has another exit code': [
    `${tap('TAP version 14\nok 1 - one\n1..1')}process.exitCode = 3`,
    { ok: false, problem: 'exit code 3' },
  ],
  'is killed': [
    `${tap('TAP version 14\nok 1 - one\n1..1')}process.kill(process.pid, 'SIGKILL')`,
    { ok: false, problem: 'ended by SIGKILL' },
  ],
} as const

/** What runFiles.mjs reports of a file. */
interface Ended {
  readonly kind: string
  readonly file: string
  readonly ok: boolean
  readonly [key: string]: unknown
}

interface RunOrder {
  readonly groups: readonly { readonly jobs: number; readonly files: readonly string[] }[]
  readonly limitSeconds: number
  readonly bail: boolean
}

/** Runs files as `npm test` does; resolves to the messages, the TAP and the exit code. */
async function runFiles(order: RunOrder) {
  const runner = fork('scripts/test/runFiles.mjs', [JSON.stringify(order)], { stdio: 'pipe', execArgv: [] })
  const messages: Ended[] = []
  let text = ''
  runner.on('message', (message: Ended) => messages.push(message))
  runner.stdout?.on('data', (data) => (text += String(data)))
  const [code] = (await once(runner, 'close')) as [number]
  return { messages, ended: messages.filter(({ kind }) => kind === 'end'), text, code }
}

function written(t: Test, scripts: Record<string, string>): string[] {
  const folder = t.testdir(scripts)
  return Object.keys(scripts).map((name) => join(folder, name))
}

t.test('how files end', async (t) => {
  const all = Object.entries(endings)
  const files = written(
    t,
    Object.fromEntries(all.map(([, [script]], index) => [`${index}.test.mjs`, script])),
  )
  const { ended, text, code } = await runFiles({
    groups: [{ jobs: 4, files }],
    limitSeconds: 600,
    bail: false,
  })
  t.equal(code, 1)
  for (const [index, [how, [, expected]]] of all.entries())
    t.match(
      ended.find(({ file }) => file === files[index]),
      expected,
      `a file that ${how}`,
    )
  const ends: [string, boolean][] = []
  const parser = new Parser().on('assert', ({ name, ok }: { name: string; ok: boolean }) =>
    ends.push([name, ok]),
  )
  parser.end(text)
  for (const { file, ok } of ended)
    t.equal(
      ends.filter(([name]) => name.startsWith(file)).every(([, passes]) => passes),
      ok,
      'the TAP says the same',
    )
  t.match(text, /^# .*Error: broken$/m, 'with what a file that fails wrote to stderr')
})

t.test('as many run at once as the group says, and groups one after the other', async (t) => {
  const files = written(
    t,
    Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((name) => [`${name}.mjs`, tap('TAP version 14\nok 1 - one\n1..1')]),
    ),
  )
  const { messages, code } = await runFiles({
    groups: [
      { jobs: 2, files: files.slice(0, 3) },
      { jobs: 1, files: files.slice(3) },
    ],
    limitSeconds: 600,
    bail: false,
  })
  t.equal(code, 0)
  const beside = messages.flatMap(({ kind, beside }) => (kind === 'start' ? [Number(beside)] : []))
  t.equal(Math.max(...beside), 1)
  const last = messages.findIndex(({ kind, file }) => kind === 'start' && file === files[3])
  t.equal(messages.slice(0, last).filter(({ kind }) => kind === 'end').length, 3)
})

t.test('with bail none starts after a failure', async (t) => {
  const files = written(t, { 'a.mjs': endings.fails[0], 'b.mjs': endings.passes[0] })
  const { messages, text } = await runFiles({ groups: [{ jobs: 1, files }], limitSeconds: 600, bail: true })
  t.notOk(messages.some(({ kind, file }) => kind === 'start' && file === files[1]))
  t.match(text, /^Bail out!/m)
})

t.test('tap ends a test that hangs and names it', async (t) => {
  const script = `import t from ${JSON.stringify(import.meta.resolve('tap'))}
    t.test('hangs', () => new Promise((resolve) => setTimeout(resolve, 1e6)))`
  const files = written(t, { 'x.test.mjs': script })
  const { ended } = await runFiles({ groups: [{ jobs: 1, files }], limitSeconds: 2, bail: false })
  t.match(ended, [{ ok: false, failures: [{ name: /hangs|timeout/ }] }])
})

const passed = {
  file: 'build/test/a.test.js',
  ok: true,
  problem: undefined,
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

t.test('at a terminal failures come last, each with the command that runs its file again', async (t) => {
  let text = ''
  const report = terminalReport({
    write: (part: string) => (text += part),
    columns: () => 60,
    total: results.length,
    rerun: (test: string) => `npm test -- ${test}`,
  })
  for (const { file } of results) report.add({ kind: 'start', file })
  report.draw()
  t.ok(
    text.split('\r').every((line) => line.length < 70 && !line.includes('\n')),
    'one line that fits',
  )
  for (const result of results) report.add({ kind: 'end', ...result })
  report.close(undefined)
  const [, last = ''] = text.split('figures:')
  t.match(text, 'skipped: no root (3)')
  t.match(last, /^b\n {2}✖ x > two\n {4}at test\/b\.test\.ts:9\n {4}found: 3\n {2}again: npm test -- b$/m)
  t.match(last, /^c\n {2}✖ ended by SIGKILL\n {4}oh\n {2}again: npm test -- c$/m)
  t.match(last, /^3 passed, 2 failed in 2 files, 3 skipped \(0 min 0 s\)$/m)
})
