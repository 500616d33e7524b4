#!/usr/bin/env node
// `npm test [-- filter…]` runs every test except those in test/full; `npm run test:full [-- filter…]` runs those: labs in
// every mode, mutations of every lab, lessons, containers. A filter is a part of a path. Options: --bail stops at the
// first file that fails, --jobs=N sets the number of cores, --reporter=tap prints TAP at a terminal too.
import { availableParallelism, constants } from 'node:os'
import { parseArgs } from 'node:util'
import { SetupFailure } from './setup/failure.mjs'
import { giveToOwner } from './setup/owner.mjs'
import { bringTestTools, root, runScript, setUp } from './setup.mjs'
import { inOrder } from './test/order.mjs'
import { runAll } from './test/runAll.mjs'
import { builtFile, testFiles } from './test/testFiles.mjs'

/** What a hung file is given, in seconds; a file takes at most some minutes, also on a busy machine. */
const limits = { short: 900, full: 1800 }

await runScript(async () => {
  const { suite, filters, bail, jobs, asTap } = readArguments()
  setUp(['tools', 'modules', 'dist', 'tests'])
  process.chdir(root)
  const tests = testFiles('build/test', suite, filters)
  if (tests.length === 0) throw new SetupFailure(`no test matches ${filters.join(', ')}`, { exitCode: 2 })
  if (tests.includes('full/ci')) bringTestTools()
  const report = await newReport({ asTap, suite, total: tests.length })
  const passed = await run({ tests, suite, bail, jobs, report })
  giveToOwner(root, ['.tap', 'build'])
  if (!passed) process.exitCode ||= 1
})

function readArguments() {
  const { positionals, values } = parse()
  const jobs = Number(values.jobs)
  if (!Number.isInteger(jobs) || jobs < 1) wrong(`--jobs=${values.jobs} is not a number of cores`)
  if (!['auto', 'tap'].includes(values.reporter))
    wrong(`--reporter=${values.reporter} is unknown; it can be tap`)
  const asTap = values.reporter === 'tap' || !process.stdout.isTTY
  return { suite: values.full ? 'full' : 'short', filters: positionals, bail: values.bail, jobs, asTap }
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        full: { type: 'boolean', default: false },
        bail: { type: 'boolean', default: false },
        jobs: { type: 'string', default: String(availableParallelism()) },
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

async function newReport({ asTap, suite, total }) {
  const write = (text) => process.stdout.write(text)
  if (asTap) return (await import('./test/tapReport.mjs')).tapReport(write, total)
  const columns = () => process.stdout.columns ?? 80
  const sudo = process.getuid() === 0 && process.env.SUDO_USER !== undefined ? 'sudo ' : ''
  const rerun = (test) => `${sudo}npm ${suite === 'full' ? 'run test:full' : 'test'} -- ${test}`
  return (await import('./test/terminalReport.mjs')).terminalReport({ write, columns, total, rerun })
}

/** Runs the tests and reports them; false when one failed. A signal ends them, and then this process. */
async function run({ tests, suite, bail, jobs, report }) {
  const { runFile } = await import('./test/runFile.mjs')
  const env = { VETHLAB_TEST_SUITE: suite }
  const children = new Set()
  let passed = true
  let interrupted
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      interrupted = `ended by ${signal}`
      process.exitCode = 128 + constants.signals[signal]
      for (const child of children) child.kill(signal)
    })
  await runAll(inOrder(tests), jobs, async (test) => {
    const { child, result, done } = runFile(builtFile('build/test', test), {
      env,
      limitSeconds: limits[suite],
    })
    children.add(child)
    report.begin(result)
    const { ok } = await done
    children.delete(child)
    report.end(result)
    passed &&= ok
    return interrupted === undefined && (ok || !bail)
  })
  report.close({ interrupted })
  return passed && interrupted === undefined
}
