// tap runs processes of tests: `node runFiles.mjs JSON`, where JSON is { jobs, processes, limitSeconds, bail } and a process is
// { name, script, tests }: a script for Node, and the names of the tests that it runs one after the other, each in a subtest.
// They start in this order, `jobs` at a time. Prints TAP, a subtest for each process. A parent that listens gets a message when a
// test starts, for its counts, and when it has ended. A signal ends the processes, then the labs that they left up.
// The tests run without NODE_OPTIONS: tap's hooks would load into every process that a test starts, about 2 s a process. They also
// run without NODE_EXTRA_CA_CERTS, which every Node reads at its start; only the test of a fresh clone downloads something.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { endLabs, environmentOf } from './endLabs.mjs'

const { jobs, processes, limitSeconds, bail } = JSON.parse(process.argv[2])
const say = (message) => process.connected && process.send(message)
/** Tests run most code a few times, and V8 would optimize it after less than scripts/launcher.cjs says. */
const nodeOptions = ['--enable-source-maps', '--interrupt-budget=540672']
const running = new Set()
const runName = String(process.pid)
let hasBailed = false

t.setTimeout(0)
t.setMaxListeners(0)
t.on('bailout', () => (hasBailed = true))

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, async () => {
    hasBailed = true
    const ended = [...running].map((child) => once(child, 'exit'))
    for (const child of running) child.kill(signal)
    await Promise.race([Promise.all(ended), sleep(5000)])
    await Promise.race([endLabs(runName), sleep(20_000)])
    t.bailout(`ended by ${signal}`)
  })

t.jobs = jobs
const waiting = [...processes]
await Promise.all(
  Array.from({ length: jobs }, async () => {
    for (let next = waiting.shift(); next !== undefined && !hasBailed; next = waiting.shift()) await run(next)
  }),
)

async function run({ name, script, tests }) {
  const progress = newProgress(tests)
  let stderr = ''
  // emitted before the process exists, and possibly before spawn returns
  const started = (subtest) => {
    if (subtest.name !== name) return
    t.off('spawn', started)
    subtest.on('process', (child) => {
      running.add(child)
      child.on('exit', () => running.delete(child))
      child.stderr.setEncoding('utf8').on('data', (text) => (stderr = (stderr + text).slice(-20_000)))
    })
    // the only test of a process may fail before its subtest begins
    if (tests.length === 1) progress.begin(tests[0])
    else subtest.parser.on('child', (child) => progress.begin(child.name))
    subtest.parser.on('result', progress.count)
    listenForFigures(subtest.parser, progress.figure)
  }
  t.on('spawn', started)
  const without = [
    'NODE_OPTIONS',
    ...(tests.some((test) => test.endsWith('/freshClone')) ? [] : ['NODE_EXTRA_CA_CERTS']),
  ]
  const unset = without.flatMap((name) => ['-u', name])
  const test = t.spawn(
    'env',
    [...unset, process.execPath, ...nodeOptions, script],
    {
      buffered: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: limitSeconds * 1000,
      // the position of the spawn call in this script does not help to find the failure
      ...{ at: null, stack: '' },
      env: {
        ...environmentOf(runName),
        ...{ TAP_TIMEOUT: String(limitSeconds), VETHLAB_TEST_BAIL: bail ? '1' : '0' },
        VETHLAB_TESTS: tests.join(' '),
      },
    },
    name,
  )
  const passed = (await test)?.ok === true
  const { exitCode, signal } = test.subtest.options
  const ok = progress.end({ passed, exitCode, signal, stderr })
  if (!ok && stderr !== '') t.comment(`${name}: ${stderr.trimEnd()}`)
  // tap's own bail would end this process before the failure is reported
  if (!ok && bail) t.bailout(`${name} failed`)
}

/** The results of the tests of a process, in the order in which they run. */
function newProgress(tests) {
  const notBegun = new Set(tests)
  let result
  let failed = 0
  let begun = 0
  const finish = ({ problem, exitCode = 0, stderr = '' }) => {
    if (result === undefined) return
    // tap reports a process that writes nothing as skipped
    const isEmpty = problem === undefined && result.passed + result.failed + result.skipped === 0
    if (isEmpty) t.fail(`${result.test}: no test ran`)
    const found = isEmpty ? problemOf(undefined, exitCode) : problem
    const ok = result.failed === 0 && found === undefined
    if (!ok) failed += 1
    say({ kind: 'end', ...result, ok, stderr, problem: found, seconds: (performance.now() - begun) / 1000 })
    result = undefined
  }
  const begin = (test) => {
    finish({})
    notBegun.delete(test)
    begun = performance.now()
    result = { test, passed: 0, failed: 0, skipped: 0, failures: [], skips: [], figures: [] }
    say({ kind: 'start', test, beside: running.size })
  }
  return {
    begin,
    count: (assertion) => {
      if (result === undefined) return
      count(result, assertion)
      const { test, passed, failed, skipped } = result
      say({ kind: 'counts', test, passed, failed, skipped })
    },
    figure: (text) => result?.figures.push(text),
    /** The process has ended; returns whether all its tests passed. */
    end: ({ passed, exitCode, signal, stderr }) => {
      const isExplained = passed || result?.failed > 0 || (failed > 0 && !signal)
      finish({ problem: isExplained ? undefined : problemOf(result, exitCode, signal), exitCode, stderr })
      for (const test of bail ? [] : notBegun) {
        begin(test)
        finish({ problem: problemOf(undefined, exitCode, signal), stderr })
      }
      return failed === 0
    },
  }
}

function count(result, { ok, skip, todo, fullname, diag }) {
  if (skip || todo) {
    result.skipped += 1
    result.skips.push(String(skip || todo))
  } else if (ok) result.passed += 1
  else {
    result.failed += 1
    // without the name of the process
    result.failures.push({ name: fullname.replace(/^.*? > /, ''), diag })
  }
}

/** Tests print figures as comments, `figure: …`, at any depth. */
function listenForFigures(parser, onFigure) {
  parser.on('comment', (text) => {
    const figure = /^\s*# figure: (.*)$/m.exec(text)?.[1]
    if (figure !== undefined) onFigure(figure)
  })
  parser.on('child', (child) => listenForFigures(child, onFigure))
}

function problemOf({ passed, skipped } = { passed: 0, skipped: 0 }, exitCode, signal) {
  if (signal) return `ended by ${signal}`
  if (passed + skipped === 0) return `no test ran (exit code ${exitCode})`
  return exitCode ? `exit code ${exitCode}` : 'its output was cut short'
}
