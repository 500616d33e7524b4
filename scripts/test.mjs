#!/usr/bin/env node
// `npm test [-- filter…]` runs every test except those in test/full; `npm run test:full [-- filter…]` runs those: labs in
// every mode, mutations of every lab, lessons, containers. A filter is a part of a path. Options: --bail stops at the
// first file that fails, --jobs=N sets the number of cores, --reporter=tap prints TAP at a terminal too. For slow machines,
// --share=PERCENT carries out fewer of the attacks that are repeated, and --start-within=SECONDS skips files that start later.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, constants } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SetupFailure } from './setup/failure.mjs'
import { giveToOwner } from './setup/owner.mjs'
import { installTestTools, root, runScript, setUp } from './setup.mjs'
import { inOrder } from './test/order.mjs'
import { testFiles, testProcesses } from './test/testFiles.mjs'

/** The time limit of a process that runs test files, in seconds: it takes minutes, and many of them on a busy, slow host. */
const limits = { short: 1800, full: 2700 }

await runScript(async () => {
  const { suite, filters, bail, jobs, startWithinSeconds, share, asTap } = readArguments()
  setUp(['tools', 'modules', 'dist', 'tests'])
  process.chdir(root)
  const tests = testFiles('test', suite, filters)
  if (tests.length === 0) throw new SetupFailure(`no test matches ${filters.join(', ')}`, { exitCode: 2 })
  if (['full/ci', 'full/containerSecurity', 'full/reportPage'].some((test) => tests.includes(test)))
    installTestTools()
  const passed = await run({ tests, suite, bail, jobs, startWithinSeconds, share, asTap })
  giveToOwner(root, ['.tap', 'build'])
  if (!passed) process.exitCode ||= 1
})

function readArguments() {
  const { positionals, values } = parse()
  const jobs = Number(values.jobs)
  if (!Number.isInteger(jobs) || jobs < 1) wrong(`--jobs=${values.jobs} is not a number of cores`)
  const within = values['start-within']
  const startWithinSeconds = within === undefined ? undefined : Number(within)
  if (startWithinSeconds !== undefined && !(startWithinSeconds >= 0))
    wrong(`--start-within=${within} is not a number of seconds`)
  const share = Number(values.share) / 100
  if (!(share > 0 && share <= 1)) wrong(`--share=${values.share} is not a percentage from 1 to 100`)
  if (!['auto', 'tap'].includes(values.reporter))
    wrong(`--reporter=${values.reporter} is unknown; it can be tap`)
  const asTap = values.reporter === 'tap' || !process.stdout.isTTY
  const suite = values.full ? 'full' : 'short'
  return { suite, filters: positionals, bail: values.bail, jobs, startWithinSeconds, share, asTap }
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
        'start-within': { type: 'string' },
        share: { type: 'string', default: '100' },
      },
    })
  } catch (error) {
    return wrong(error.message)
  }
}

function wrong(message) {
  throw new SetupFailure(message, { exitCode: 2 })
}

/** Has tap run the tests, and reports them at a terminal; false when one failed. A signal ends them, then this process. */
async function run({ tests, suite, bail, jobs, startWithinSeconds, share, asTap }) {
  const { perCore, processes } = inOrder(testProcesses(tests))
  const order = JSON.stringify({
    places: jobs * perCore,
    processes: processes.map(({ name, tests, isShared, places }) => ({
      file: `build/test/${name}.test.js`,
      tests: isShared ? tests : [],
      places,
    })),
    ...{ limitSeconds: limits[suite], startWithinSeconds, bail },
  })
  const tap = spawn(process.execPath, [join(root, 'scripts/test/runFiles.mjs'), order], {
    stdio: ['ignore', asTap ? 'inherit' : 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, VETHLAB_TEST_SUITE: suite, VETHLAB_TEST_SHARE: String(share) },
  })
  const report = asTap ? undefined : await newReport(suite, tests.length)
  tap.on('message', (message) => report?.add(message))
  let interrupted
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      interrupted ??= signal
      tap.kill(signal)
    })
  const [code] = await once(tap, 'close')
  report?.close(interrupted && `ended by ${interrupted}`)
  if (interrupted !== undefined) process.exitCode = 128 + constants.signals[interrupted]
  return code === 0 && interrupted === undefined
}

async function newReport(suite, total) {
  const { terminalReport } = await import('./test/terminalReport.mjs')
  const sudo = process.getuid() === 0 && process.env.SUDO_USER !== undefined ? 'sudo ' : ''
  return terminalReport({
    write: (text) => process.stdout.write(text),
    columns: () => process.stdout.columns ?? 80,
    total,
    rerun: (test) => `${sudo}npm ${suite === 'full' ? 'run test:full' : 'test'} -- ${test}`,
  })
}
