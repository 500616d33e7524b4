import { fork, type ForkOptions } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { Parser } from 'tap-parser'
import { testProcesses } from '../../../scripts/test/processes.mjs'
import { terminalReport } from '../../../scripts/test/terminalReport.mjs'
import { testFiles } from '../../../scripts/test/testFiles.mjs'

t.test('a suite is test/full or all but test/full, and filters choose from it', async (t) => {
  const folder = t.testdir({
    ...{ 'a.test.ts': '', 'ba.test.ts': '', 'help.ts': '' },
    full: { a: { 'c.test.ts': '', 'd.test.ts': '' }, b: { 'faces.test.ts': '' } },
  })
  t.strictSame(testFiles(folder, 'short', []), ['a', 'ba'])
  t.strictSame(testFiles(folder, 'full', []), ['full/a/c', 'full/a/d', 'full/b/faces'])
  t.strictSame(testFiles(folder, 'short', ['a']), ['a'], 'a name takes only that test')
  for (const path of ['test/ba.test.ts', './test/ba.test.ts', resolve('test/ba.test.ts')])
    t.strictSame(testFiles(folder, 'short', [path]), ['ba'], `as does ${path}`)
  t.strictSame(testFiles(folder, 'short', ['a', 'b']), ['a', 'ba'], 'a part of a path')
  t.strictSame(testFiles(folder, 'short', ['b', 'x']), ['ba'])
  t.strictSame(testFiles(folder, 'short', ['x']), [])
  t.strictSame(testFiles(folder, 'full', ['a']), ['full/a/c', 'full/a/d'], 'an area takes its folder')
  t.strictSame(testFiles(folder, 'full', ['c', 'face']), ['full/a/c', 'full/b/faces'])
})

t.test('the longest tests start first, and short ones of a folder share a process', async (t) => {
  const durations = {
    'net/a': 1,
    'net/b': 15,
    'net/c': 2,
    'kernel/a': 30,
    'kernel/b': 9,
    'kernel/c': 9,
    'kernel/d': 8,
  }
  const tests = [...Object.keys(durations), 'errors', 'full/x/a', 'full/x/b']
  const processes = testProcesses(tests, { ...durations, errors: 0.1, 'full/x/a': 1, 'full/x/b': 1 })
  t.strictSame(
    processes.map(({ name, tests }) => [name, tests]),
    [
      ['kernel/a', ['kernel/a']],
      ['kernel', ['kernel/b', 'kernel/c']],
      ['net/b', ['net/b']],
      ['kernel/d', ['kernel/d']],
      ['net', ['net/a', 'net/c']],
      // several labs at once: never in one process
      ['full/x/a', ['full/x/a']],
      ['full/x/b', ['full/x/b']],
      ['errors', ['errors']],
    ],
  )
  const unknown = testProcesses(['net/a', 'net/new'], { 'net/a': 1 })
  t.equal(unknown.length, 2, 'a test without a recorded duration may be long')
  t.strictSame(
    testProcesses(['a/1', 'a/2', 'a/3', 'a/4'], { 'a/1': 9, 'a/2': 8, 'a/3': 7, 'a/4': 6 }).map(
      ({ name }) => name,
    ),
    ['a (1 of 2)', 'a (2 of 2)'],
  )
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
  readonly test: string
  readonly ok: boolean
  readonly failures?: readonly unknown[]
  readonly [key: string]: unknown
}

interface Process {
  readonly name: string
  readonly script: string
  readonly tests: readonly string[]
}

interface RunOrder {
  readonly jobs: number
  readonly processes: readonly Process[]
  readonly limitSeconds: number
  readonly bail: boolean
}

/** Runs files as `npm test` does; resolves to the messages, the TAP and the exit code. */
async function runFiles(order: RunOrder, cwd = process.cwd()) {
  const options = { stdio: 'pipe', execArgv: [], cwd } satisfies ForkOptions
  const runner = fork(resolve('scripts/test/runFiles.mjs'), [JSON.stringify(order)], options)
  const messages: Ended[] = []
  let text = ''
  runner.on('message', (message: Ended) => messages.push(message))
  runner.stdout?.on('data', (data) => (text += String(data)))
  const [code] = (await once(runner, 'close')) as [number]
  return { messages, ended: messages.filter(({ kind }) => kind === 'end'), text, code }
}

function written(t: Test, scripts: Record<string, string>): Process[] {
  const folder = t.testdir(scripts)
  return Object.keys(scripts).map((name) => ({ name, script: join(folder, name), tests: [name] }))
}

t.test('how tests end', async (t) => {
  const all = Object.entries(endings)
  const scripts = Object.fromEntries(all.map(([how, [script]]) => [`${how}.mjs`, script]))
  const { ended, text, code } = await runFiles({
    jobs: 4,
    processes: written(t, scripts),
    limitSeconds: 600,
    bail: false,
  })
  t.equal(code, 1)
  for (const [how, [, expected]] of all)
    t.match(
      ended.find(({ test }) => test === `${how}.mjs`),
      expected,
      `a test that ${how}`,
    )
  const ends: [string, boolean][] = []
  const parser = new Parser().on('assert', ({ name, ok }: { name: string; ok: boolean }) =>
    ends.push([name, ok]),
  )
  parser.end(text)
  for (const { test, ok } of ended)
    t.equal(
      ends.filter(([name]) => name.startsWith(test)).every(([, passes]) => passes),
      ok,
      'the TAP says the same',
    )
  t.match(text, /^# .*Error: broken$/m, 'with what a test that fails wrote to stderr')
})

t.test('processes start in order, as many at a time as there are jobs', async (t) => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const processes = written(t, Object.fromEntries(names.map((name) => [`${name}.mjs`, endings.passes[0]])))
  const { messages, code } = await runFiles({ jobs: 2, processes, limitSeconds: 600, bail: false })
  t.equal(code, 0)
  const started = messages.filter(({ kind }) => kind === 'start')
  t.strictSame(new Set(started.slice(0, 2).map(({ test }) => test)), new Set(['a.mjs', 'b.mjs']))
  t.strictSame(
    started.slice(2).map(({ test }) => test),
    ['c.mjs', 'd.mjs', 'e.mjs'],
  )
  t.equal(Math.max(...started.map(({ beside }) => Number(beside))), 1)
})

t.test('with bail none starts after a failure', async (t) => {
  const processes = written(t, { 'a.mjs': endings.fails[0], 'b.mjs': endings.passes[0] })
  const { messages, text } = await runFiles({ jobs: 1, processes, limitSeconds: 600, bail: true })
  t.notOk(messages.some(({ kind, test }) => kind === 'start' && test === 'b.mjs'))
  t.match(text, /^Bail out!/m)
})

/** Tests of one process, as compile.mjs writes them into build/code. */
const sharing = {
  passes: `t.equal(t.name, 'x/passes')
    t.test('one', async (t) => t.pass())
    t.test('two', { skip: 'no root' }, async () => undefined)`,
  fails: "t.test('one', async (t) => t.fail())",
  throws: "throw new Error('broken')",
  rejects: "t.pass(); void Promise.reject(new Error('not handled'))",
  empty: '',
  unwanted: 't.fail()',
  dies: `t.test('one', async (t) => {
    t.comment('figure: 3 of 3')
    t.pass()
    process.kill(process.pid, 'SIGKILL')
  })`,
  last: 't.pass()',
}

t.test('tests that share a process', async (t) => {
  const tap = `import t from ${JSON.stringify(pathToFileURL(resolve('scripts/test/sharedTap.mjs')).href)}\n`
  const files = Object.entries(sharing).map(([name, script]): [string, string] => [
    `${name}.test.js`,
    tap + script,
  ])
  const folder = t.testdir({
    'package.json': '{ "type": "module" }',
    build: { code: { test: { x: Object.fromEntries(files) } } },
  })
  const processOf = (tests: readonly string[]) => ({
    name: tests.join(' '),
    script: resolve('scripts/test/testProcess.mjs'),
    tests,
  })
  const passing = ['x/passes']
  const some = ['x/fails', 'x/throws', 'x/empty', 'x/dies', 'x/last']
  const { ended, text, code } = await runFiles(
    { jobs: 1, processes: [processOf(passing), processOf(some)], limitSeconds: 600, bail: false },
    folder,
  )
  t.equal(code, 1)
  t.match(ended, [
    { test: 'x/passes', ok: true, passed: 2, failed: 0, skipped: 1 },
    { test: 'x/fails', ok: false, failed: 1, problem: undefined },
    { test: 'x/throws', ok: false, failed: 1, failures: [{ name: /broken/ }] },
    { test: 'x/empty', ok: false, failed: 1, failures: [{ name: /no test ran/ }] },
    { test: 'x/dies', ok: false, figures: ['3 of 3'], passed: 1 },
    { test: 'x/last', ok: false, problem: 'ended by SIGKILL' },
  ])
  t.equal(ended.length, 6)
  t.match(text, /^ {4}# Subtest: x\/passes$/m, 'each is a subtest')
  const rejecting = [processOf(['x/rejects', 'x/last'])]
  const rejected = await runFiles({ jobs: 1, processes: rejecting, limitSeconds: 600, bail: false }, folder)
  t.match(rejected.ended[0], { test: 'x/rejects', ok: false }, 'not the test that runs after it')
  const processes = [processOf(['x/passes', 'x/fails', 'x/last'])]
  const bailed = await runFiles({ jobs: 1, processes, limitSeconds: 600, bail: true }, folder)
  t.strictSame(
    bailed.ended.map(({ test, ok }) => [test, ok]),
    [
      ['x/passes', true],
      ['x/fails', false],
    ],
    'with bail none runs after a test that fails',
  )
})

t.test('tap ends a test that hangs and names it', async (t) => {
  const script = `import t from ${JSON.stringify(import.meta.resolve('tap'))}
    t.test('hangs', () => new Promise((resolve) => setTimeout(resolve, 1e6)))`
  const processes = written(t, { 'x.test.mjs': script })
  let ended: Ended[] = []
  // on a busy host the shorter limits end the process before its test begins
  for (const limitSeconds of [2, 8, 32, 128]) {
    ended = (await runFiles({ jobs: 1, processes, limitSeconds, bail: false })).ended
    if (ended.some(({ failures = [] }) => failures.length > 0)) break
  }
  t.match(ended, [{ ok: false, failures: [{ name: /hangs|timeout/ }] }])
})

t.test('a signal ends the test files, and what they left running', async (t) => {
  const held = `process.on('SIGTERM', () => process.exit()); setInterval(() => undefined, 1e6); console.log()`
  const script = `import { spawn } from 'node:child_process'
    const held = spawn(process.execPath, [process.argv[1].replace('x.mjs', 'cli.cjs')], {
      detached: true, stdio: ['ignore', 'pipe', 'ignore'],
    })
    held.stdout.once('data', () => console.log('TAP version 14\\nok 1 - held\\nok 2 - read'))
    setInterval(() => undefined, 1e6)`
  const [only] = written(t, { 'x.mjs': script, 'cli.cjs': held })
  const file = only?.script ?? ''
  const order = { jobs: 1, processes: [only], limitSeconds: 600, bail: false }
  const runner = fork('scripts/test/runFiles.mjs', [JSON.stringify(order)], { stdio: 'pipe', execArgv: [] })
  t.teardown(() => runner.kill('SIGKILL'))
  await new Promise<void>((resolve) => {
    runner.on('message', ({ kind, passed }: { kind: string; passed?: number }) => {
      if (kind === 'counts' && passed === 1) resolve()
    })
  })
  t.ok(isHeld(file), 'it runs in a session of its own')
  runner.kill('SIGINT')
  await once(runner, 'close')
  t.notOk(isHeld(file))
})

/** Whether a process runs `cli.cjs` beside a file. */
function isHeld(file: string): boolean {
  const script = join(dirname(file), 'cli.cjs')
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1] === script
    } catch {
      return false
    }
  })
}

const passed = {
  test: 'a',
  ok: true,
  problem: undefined,
  stderr: '',
}
const counted = { passed: 1, failed: 0, skipped: 1, failures: [], skips: ['no root'], figures: ['7 kills'] }
const failure = { name: 'x > two', diag: { at: { fileName: 'test/b.test.ts', lineNumber: 9 }, found: 3 } }
const results = [
  { ...passed, ...counted },
  { ...passed, ...counted, test: 'b', ok: false, failed: 1, failures: [failure] },
  {
    ...passed,
    ...counted,
    test: 'c',
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
  for (const { test } of results) report.add({ kind: 'start', test })
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
