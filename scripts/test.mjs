#!/usr/bin/env node
// `npm test [-- filter…]` runs every module and mechanism once; `npm run test:full [-- area|filter…]` runs the tests of test/full,
// which repeat mechanisms with many inputs, by area (CONTRIBUTING.md). A filter is a part of a path. Options: --bail stops after
// the first file that fails, --watch runs the tests again after an edit that concerns them, --jobs=N sets how many processes run
// at a time, --reporter=tap prints TAP at a terminal too, --record writes the durations that decide the order.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, constants } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SetupFailure } from './setup/failure.mjs'
import { giveToOwner } from './setup/owner.mjs'
import { installTestTools, root, runScript, say, setUp } from './setup.mjs'
import { codeFolder, compileTests } from './test/compile.mjs'
import { loadedBy } from './test/imports.mjs'
import { durationsFile, recordedDurations, testProcesses } from './test/processes.mjs'
import { fullFolder, testFiles } from './test/testFiles.mjs'
import { watchEdits } from './test/watch.mjs'

/** The time limit of a process that runs tests, in seconds: it takes minutes, and many of them on a busy, slow host. */
const limits = { short: 1800, full: 2700 }

/** Processes at a time, for each core: tests of labs wait for much of their time; those of the full suite start several labs. */
const jobsPerCore = { short: 2.5, full: 1.5 }

/** The tests of these scripts are in the full suite; `npm test` runs them too when the scripts differ from those upstream. */
const scriptTests = `${fullFolder}/scripts`

await runScript(async () => {
  const { suite, filters, watch, ...options } = readArguments()
  setUp(['tools', suite === 'full' ? 'workspace' : 'modules'])
  process.chdir(root)
  const wanted = testFiles('test', suite, filters)
  const unknown = filters.filter((filter) => testFiles('test', suite, [filter]).length === 0)
  if (unknown.length > 0) throw new SetupFailure(`no test matches ${unknown.join(', ')}`, { exitCode: 2 })
  if (suite === 'short' && filters.length === 0 && scriptsHaveChanged()) {
    setUp(['workspace'])
    wanted.push(...testFiles('test', 'full', [scriptTests]))
  }
  installTestTools(wanted)
  const watching = watch ? watchEdits(root) : undefined
  for (let tests = wanted; tests !== undefined;) {
    const { code, isInterrupted } = await buildAndRun({ tests, suite, ...options })
    giveToOwner(root, ['.tap', 'build'])
    process.exitCode = code
    tests = isInterrupted || watching === undefined ? undefined : await testsAfterEdit(wanted, watching)
  }
  watching?.close()
})

function readArguments() {
  const { positionals, values } = parse()
  const suite = values.full ? 'full' : 'short'
  const jobs = Number(values.jobs ?? Math.ceil(availableParallelism() * jobsPerCore[suite]))
  if (!Number.isInteger(jobs) || jobs < 1) wrong(`--jobs=${values.jobs} is not a number of processes`)
  if (!['auto', 'tap'].includes(values.reporter))
    wrong(`--reporter=${values.reporter} is unknown; it can be tap`)
  const asTap = values.reporter === 'tap' || !process.stdout.isTTY
  const { bail, watch, record } = values
  return { suite, filters: positionals, bail, watch, record, jobs, asTap }
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        full: { type: 'boolean', default: false },
        bail: { type: 'boolean', default: false },
        watch: { type: 'boolean', default: false },
        record: { type: 'boolean', default: false },
        jobs: { type: 'string' },
        reporter: { type: 'string', default: 'auto' },
      },
    })
  } catch (error) {
    return wrong(error.message)
  }
}

function wrong(message) {
  throw new SetupFailure(message, { exitCode: 2 })
}

/** Whether scripts/ differs from the branch that this one follows; false where git cannot say. */
function scriptsHaveChanged() {
  const { status } = spawnSync('git', [
    '-c',
    'safe.directory=*',
    'diff',
    '--quiet',
    '@{upstream}',
    '--',
    'scripts',
  ])
  return status === 1
}

/** Runs tests; what does not compile ends them as a failed test does. */
async function buildAndRun(order) {
  try {
    await build(order.tests)
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error
    say(error.message)
    return { code: error.exitCode, isInterrupted: false }
  }
  return run(order)
}

/** Compiles the tests, and builds the command line where one of them runs it: a unit test does not wait for that. */
async function build(tests) {
  try {
    await compileTests(root)
  } catch (error) {
    // esbuild has printed the errors of files that do not compile
    if (!Array.isArray(error.errors)) throw error
    throw new SetupFailure('the tests do not compile', { exitCode: 1 })
  }
  const imports = new Map()
  const loaded = new Set(tests.flatMap((test) => [...loadedBy(root, test, imports)]))
  if ([...loaded].some(runsCommandLine)) setUp(['dist'])
}

function runsCommandLine(file) {
  if (file === 'src/host/builtFiles.js') return true
  if (!file.startsWith('test/')) return false
  const path = join(codeFolder, file)
  // a test that imports a file that is gone fails by itself
  return existsSync(path) && readFileSync(path, 'utf8').includes('dist/')
}

/** The tests of `wanted` that an edit concerns: those that load a changed file, or all when it is no code. */
async function testsAfterEdit(wanted, watching) {
  say('waiting for edits (Ctrl-C ends)')
  for (;;) {
    const paths = await watching.edited()
    const isCode = (path) => /\.(tsx?|mjs|cjs)$/.test(path)
    if (!paths.every(isCode)) return wanted
    // what was loaded before the edit
    const imports = new Map()
    const changed = paths.map((path) => path.replace(/\.tsx?$/, '.js'))
    const concerned = wanted.filter((test) => {
      const loaded = loadedBy(root, test, imports)
      return (
        changed.some((path) => loaded.has(path)) || (changesBuild(paths) && [...loaded].some(runsCommandLine))
      )
    })
    if (concerned.length > 0) return concerned
  }
}

function changesBuild(paths) {
  return paths.some((path) => path.startsWith('src/'))
}

/** Has tap run the tests, and reports them at a terminal. A signal ends them, then this process. */
async function run({ tests, suite, bail, record, jobs, asTap }) {
  const processes = testProcesses(tests, recordedDurations()).map(({ name, tests }) => ({
    ...{ name, tests },
    script: 'scripts/test/testProcess.mjs',
  }))
  const order = JSON.stringify({ jobs, processes, limitSeconds: limits[suite], bail })
  const tap = spawn(process.execPath, [join(root, 'scripts/test/runFiles.mjs'), order], {
    stdio: ['ignore', asTap ? 'inherit' : 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, VETHLAB_TEST_SUITE: suite },
  })
  const report = asTap ? undefined : await newReport(tests.length)
  const seconds = {}
  tap.on('message', (message) => {
    report?.add(message)
    if (message.kind === 'end' && message.ok) seconds[message.test] = message.seconds
  })
  let interrupted
  const onSignal = (signal) => {
    interrupted ??= signal
    tap.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, onSignal)
  const [code] = await once(tap, 'close')
  for (const signal of signals) process.off(signal, onSignal)
  report?.close(interrupted && `ended by ${interrupted}`)
  if (interrupted !== undefined) return { code: 128 + constants.signals[interrupted], isInterrupted: true }
  if (record) recordDurations(seconds)
  return { code: code === 0 ? 0 : 1, isInterrupted: false }
}

/** Replaces the recorded durations of the tests that ran, and removes those of tests that are gone. */
function recordDurations(seconds) {
  const all = { ...recordedDurations(), ...seconds }
  const lines = ['short', 'full']
    .flatMap((suite) => testFiles('test', suite, []))
    .filter((test) => all[test] !== undefined)
    .map((test) => [test, Number(all[test].toFixed(1))])
  writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(lines), undefined, 2)}\n`)
}

async function newReport(total) {
  const { terminalReport } = await import('./test/terminalReport.mjs')
  const sudo = process.getuid() === 0 && process.env.SUDO_USER !== undefined ? 'sudo ' : ''
  return terminalReport({
    write: (text) => process.stdout.write(text),
    columns: () => process.stdout.columns ?? 80,
    total,
    rerun: (test) => `${sudo}npm ${test.startsWith(`${fullFolder}/`) ? 'run test:full' : 'test'} -- ${test}`,
  })
}
