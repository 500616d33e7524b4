import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { Parser } from 'tap-parser'
import { inOrder, named } from '../../scripts/test/order.mjs'
import { terminalReport } from '../../scripts/test/terminalReport.mjs'
import { sharing, testFiles, testProcesses } from '../../scripts/test/testFiles.mjs'

t.test(
  'a suite is test/full or all but test/full, and a filter that names a test takes only that',
  async (t) => {
    const folder = t.testdir({ 'a.test.ts': '', 'ba.test.ts': '', 'help.ts': '', full: { 'a.test.ts': '' } })
    t.strictSame(testFiles(folder, 'short', []), ['a', 'ba'])
    t.strictSame(testFiles(folder, 'full', []), ['full/a'])
    t.strictSame(testFiles(folder, 'short', ['a']), ['a'])
    t.strictSame(testFiles(folder, 'short', ['a', 'b']), ['a', 'ba'])
    t.strictSame(testFiles(folder, 'short', ['b', 'x']), ['ba'])
    t.strictSame(testFiles(folder, 'short', ['x']), [])
  },
)

t.test(
  'tests of a folder share a process, as do short ones of kernel; the others have their own',
  async (t) => {
    const kernel = ['kernel/a', 'kernel/golden', 'kernel/proxier']
    const processes = testProcesses(['errors', 'full/a', ...kernel, 'net/a', 'net/golden', 'net/c/d'])
    t.strictSame(
      processes.map(({ name, tests, isShared }) => [name, isShared && tests]),
      [
        ['errors', false],
        ['full/a', false],
        ['kernel/a', false],
        ['kernel/proxiers', ['kernel/golden', 'kernel/proxier']],
        ['net', ['net/a', 'net/golden', 'net/c/d']],
      ],
    )
    const tests = testFiles('test', 'short', [])
    for (const name of sharing) t.ok(tests.includes(name), name)
    for (const { name, isShared } of testProcesses(tests)) t.notOk(isShared && tests.includes(name), name)
  },
)

t.test('long tests start first, those that wait share a core, and those that are named exist', async (t) => {
  const processes = testProcesses(['short', 'full'].flatMap((suite) => testFiles('test', suite, [])))
  const names = processes.map(({ name }) => name)
  for (const name of named) t.ok(names.includes(name), name)
  const { perCore, processes: sorted } = inOrder(processes)
  t.strictSame(sorted.map(({ name }) => name).sort(), names.sort())
  t.notOk(named.includes(sorted.at(-1)?.name ?? ''))
  for (const { name, places } of sorted)
    t.ok(places > 0 && places <= perCore, `a core has places for ${name}`)
  const placesOf = (some: readonly string[]) =>
    inOrder(testProcesses(some)).processes.map(({ name, places }) => [name, places])
  const full = ['full/kills', 'full/mutateLabs', 'full/hungTools']
  t.strictSame(placesOf(full), [
    ['full/hungTools', 1],
    ['full/mutateLabs', 2],
    ['full/kills', 2],
  ])
  t.strictSame(
    placesOf(['net/a', 'kernel/traces', 'kernel/mutate']).map(([, places]) => places),
    [1, 1, 1],
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
  readonly file: string
  readonly ok: boolean
  readonly failures?: readonly unknown[]
  readonly [key: string]: unknown
}

interface Process {
  readonly file: string
  readonly tests?: readonly string[]
  readonly places?: number
}

interface RunOrder {
  readonly places: number
  readonly processes: readonly Process[]
  readonly limitSeconds: number
  readonly startWithinSeconds?: number
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

function written(t: Test, scripts: Record<string, string>): Process[] {
  const folder = t.testdir(scripts)
  return Object.keys(scripts).map((name) => ({ file: join(folder, name) }))
}

t.test('how files end', async (t) => {
  const all = Object.entries(endings)
  const processes = written(
    t,
    Object.fromEntries(all.map(([, [script]], index) => [`${index}.test.mjs`, script])),
  )
  const { ended, text, code } = await runFiles({
    ...{ places: 4, processes },
    limitSeconds: 600,
    bail: false,
  })
  t.equal(code, 1)
  for (const [index, [how, [, expected]]] of all.entries())
    t.match(
      ended.find(({ file }) => file === processes[index]?.file),
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

t.test('files start in order, when there are enough places', async (t) => {
  const scripts = ['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}.mjs`, endings.passes[0]] as const)
  const [a, b, c, d, e] = written(t, Object.fromEntries(scripts)).map(({ file }) => file)
  const processes = [a, b, c, d, e].map((file = '') => ({ file, places: file === d ? 3 : 1 }))
  const { messages, code } = await runFiles({ places: 2, processes, limitSeconds: 600, bail: false })
  t.equal(code, 0)
  const started = messages.filter(({ kind }) => kind === 'start')
  t.strictSame(new Set(started.slice(0, 2).map(({ file }) => file)), new Set([a, b]))
  t.strictSame(
    started.slice(2).map(({ file }) => file),
    [c, d, e],
  )
  t.equal(Math.max(...started.map(({ beside }) => Number(beside))), 1)
  const endedBefore = (file: string | undefined) => {
    const start = messages.findIndex((message) => message.kind === 'start' && message.file === file)
    return messages.slice(0, start).filter(({ kind }) => kind === 'end').length
  }
  t.equal(endedBefore(d), 3, 'one that takes all places runs alone')
  t.equal(endedBefore(e), 4)
})

t.test('with bail none starts after a failure', async (t) => {
  const processes = written(t, { 'a.mjs': endings.fails[0], 'b.mjs': endings.passes[0] })
  const { messages, text } = await runFiles({
    ...{ places: 1, processes },
    limitSeconds: 600,
    bail: true,
  })
  t.notOk(messages.some(({ kind, file }) => kind === 'start' && file === processes[1]?.file))
  t.match(text, /^Bail out!/m)
})

t.test('a file that has not started in time is skipped, and does not run', async (t) => {
  const [alone, shared] = written(t, { 'a.mjs': endings.fails[0], 'b.mjs': endings.fails[0] }) as [
    Process,
    Process,
  ]
  const { messages, ended, text, code } = await runFiles({
    ...{ places: 2, processes: [alone, { ...shared, tests: ['x/one', 'x/two'] }] },
    ...{ limitSeconds: 600, startWithinSeconds: 0, bail: false },
  })
  t.equal(code, 0)
  t.notOk(messages.some(({ kind }) => kind === 'start'))
  t.strictSame(
    ended.map(({ file, skips }) => [file, skips]),
    [alone.file, 'x/one', 'x/two'].map((name) => [name, ['did not start within 0 s']]),
  )
  t.equal(text.match(/^ok .* # SKIP did not start within 0 s$/gm)?.length, 3)
})

t.test('test files that share a process', async (t) => {
  const shared = pathToFileURL(resolve('scripts/test/sharedProcess.mjs')).href
  const script = `import t, { runWanted } from '${shared}'
    const files = {
      'x/passes': () => {
        t.equal(t.name, 'x/passes')
        t.test('one', async (t) => t.pass())
        t.test('two', { skip: 'no root' }, async () => undefined)
      },
      'x/fails': () => t.test('one', async (t) => t.fail()),
      'x/throws': () => { throw new Error('broken') },
      'x/empty': () => undefined,
      'x/unwanted': () => t.fail(),
      'x/dies': () => t.test('one', async (t) => {
        t.comment('figure: 3 of 3')
        t.pass()
        if (process.env.VETHLAB_TESTS !== 'x/passes') process.kill(process.pid, 'SIGKILL')
      }),
      'x/last': () => t.pass(),
    }
    await runWanted(files, process.env.VETHLAB_TESTS.split(' '))`
  const [{ file } = { file: '' }] = written(t, { 'x.test.mjs': script })
  const passing = ['x/passes']
  const some = ['x/fails', 'x/throws', 'x/empty', 'x/dies', 'x/last']
  const processes = [
    { file, tests: passing },
    { file, tests: some },
  ]
  const { ended, text, code } = await runFiles({
    ...{ places: 1, processes },
    limitSeconds: 600,
    bail: false,
  })
  t.equal(code, 1)
  t.match(ended, [
    { file: 'x/passes', ok: true, passed: 2, failed: 0, skipped: 1 },
    { file: 'x/fails', ok: false, failed: 1, problem: undefined },
    { file: 'x/throws', ok: false, failed: 1, failures: [{ name: /broken/ }] },
    { file: 'x/empty', ok: false, failed: 1, failures: [{ name: /no test ran/ }] },
    { file: 'x/dies', ok: false, figures: ['3 of 3'], passed: 1 },
    { file: 'x/last', ok: false, problem: 'ended by SIGKILL' },
  ])
  t.equal(ended.length, 6)
  t.match(text, /^ {4}# Subtest: x\/passes$/m, 'each is a subtest')
})

t.test('tap ends a test that hangs and names it', async (t) => {
  const script = `import t from ${JSON.stringify(import.meta.resolve('tap'))}
    t.test('hangs', () => new Promise((resolve) => setTimeout(resolve, 1e6)))`
  const processes = written(t, { 'x.test.mjs': script })
  let ended: Ended[] = []
  // on a busy host the shorter limits end the process before its test begins
  for (const limitSeconds of [2, 8, 32, 128]) {
    ended = (await runFiles({ places: 1, processes, limitSeconds, bail: false })).ended
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
  const [file] = written(t, { 'x.mjs': script, 'cli.cjs': held }).map(({ file }) => file)
  const order = { places: 1, processes: [{ file }], limitSeconds: 600, bail: false }
  const runner = fork('scripts/test/runFiles.mjs', [JSON.stringify(order)], { stdio: 'pipe', execArgv: [] })
  t.teardown(() => runner.kill('SIGKILL'))
  await new Promise<void>((resolve) => {
    runner.on('message', ({ kind, passed }: { kind: string; passed?: number }) => {
      if (kind === 'counts' && passed === 1) resolve()
    })
  })
  t.ok(isHeld(file ?? ''), 'it runs in a session of its own')
  runner.kill('SIGINT')
  await once(runner, 'close')
  t.notOk(isHeld(file ?? ''))
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
