// tap runs test files: `node runFiles.mjs JSON`, where JSON is { places, processes, limitSeconds, startWithinSeconds?, bail } and a
// process is { file, tests?, places? }: a built file, the names of its tests if several share it, and how many places it takes (1).
// They start in this order, each when enough places are free. Prints TAP, a subtest for each file, with a subtest for each test
// that shares it. A parent that listens gets a message when a test file starts, for its counts, and when it has ended. Files that
// have not started within `startWithinSeconds` are skipped.
// A signal ends the test files, then the labs that they left up.
// The tests run without NODE_OPTIONS: tap's hooks would load into every process that a test starts, about 2 s a file. They also run
// without NODE_EXTRA_CA_CERTS, which every Node reads at its start; only the test of a fresh clone downloads something.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { endLabs, environmentOf } from './endLabs.mjs'

const { places, processes, limitSeconds, startWithinSeconds = Infinity, bail } = JSON.parse(process.argv[2])
const say = (message) => process.connected && process.send(message)
const running = new Set()
const runName = String(process.pid)
let hasBailed = false

t.bail = bail
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

t.jobs = places
await runInPlaces()

async function runInPlaces() {
  const started = []
  let free = places
  let onFree = () => undefined
  for (const process of processes) {
    const taken = Math.min(process.places ?? 1, places)
    while (free < taken) await new Promise((resolve) => (onFree = resolve))
    free -= taken
    const freed = () => {
      free += taken
      onFree()
    }
    started.push(start(process).finally(freed))
  }
  await Promise.all(started)
}

async function start(process) {
  if (hasBailed) return
  if (performance.now() < startWithinSeconds * 1000) await run(process)
  else leaveOut(process)
}

function leaveOut({ file, tests = [] }) {
  const skip = `did not start within ${startWithinSeconds} s`
  for (const name of tests.length === 0 ? [file] : tests) {
    t.pass(name, { skip })
    const result = { passed: 0, failed: 0, skipped: 1, failures: [], skips: [skip], figures: [] }
    say({ kind: 'end', file: name, ...result, ok: true, stderr: '' })
  }
}

async function run({ file, tests = [] }) {
  const progress = newProgress(tests)
  let stderr = ''
  // emitted before the process exists, and possibly before spawn returns
  const started = (subtest) => {
    if (subtest.name !== file) return
    t.off('spawn', started)
    subtest.on('process', (child) => {
      running.add(child)
      child.on('exit', () => running.delete(child))
      child.stderr.setEncoding('utf8').on('data', (text) => (stderr = (stderr + text).slice(-20_000)))
    })
    if (tests.length === 0) progress.begin(file)
    // tests that share a process run one after the other
    else subtest.parser.on('child', ({ name }) => progress.begin(name))
    subtest.parser.on('result', progress.count)
    listenForFigures(subtest.parser, progress.figure)
  }
  t.on('spawn', started)
  const without = [
    'NODE_OPTIONS',
    ...(file.endsWith('full/freshClone.test.js') ? [] : ['NODE_EXTRA_CA_CERTS']),
  ]
  const unset = without.flatMap((name) => ['-u', name])
  const test = t.spawn(
    'env',
    [...unset, process.execPath, '--enable-source-maps', file],
    {
      buffered: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: limitSeconds * 1000,
      // the position of the spawn call in this script does not help to find the failure
      ...{ at: null, stack: '' },
      env: { ...environmentOf(runName), TAP_TIMEOUT: String(limitSeconds), VETHLAB_TESTS: tests.join(' ') },
    },
    file,
  )
  const passed = (await test)?.ok === true
  const { exitCode, signal } = test.subtest.options
  const ok = progress.end({ passed, exitCode, signal, stderr })
  if (!ok && stderr !== '') t.comment(`${file}: ${stderr.trimEnd()}`)
}

/** The results of the test files of a process, in the order in which they run; `tests` are those that share it. */
function newProgress(tests) {
  const notBegun = new Set(tests)
  let result
  let failed = 0
  const finish = ({ problem, exitCode = 0, stderr = '' }) => {
    if (result === undefined) return
    // tap reports a file without a test as skipped
    const isEmpty = problem === undefined && result.passed + result.failed + result.skipped === 0
    if (isEmpty) t.fail(`${result.file}: no test ran`)
    const found = isEmpty ? `no test ran (exit code ${exitCode})` : problem
    const ok = result.failed === 0 && found === undefined
    if (!ok) failed += 1
    say({ kind: 'end', ...result, ok, stderr, problem: found })
    result = undefined
  }
  const begin = (file) => {
    finish({})
    notBegun.delete(file)
    result = { file, passed: 0, failed: 0, skipped: 0, failures: [], skips: [], figures: [] }
    say({ kind: 'start', file, beside: running.size })
  }
  return {
    begin,
    count: (assertion) => {
      if (result === undefined) return
      count(result, assertion)
      const { file, passed, failed, skipped } = result
      say({ kind: 'counts', file, passed, failed, skipped })
    },
    figure: (text) => result?.figures.push(text),
    /** The process has ended; returns whether all its tests passed. */
    end: ({ passed, exitCode, signal, stderr }) => {
      const isExplained = passed || result?.failed > 0 || (failed > 0 && !signal)
      const problem = isExplained ? undefined : problemOf(result, exitCode, signal)
      finish({ problem, exitCode, stderr })
      for (const file of bail ? [] : notBegun) {
        begin(file)
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
    result.failures.push({ name: fullname, diag })
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
