// tap runs test files: `node runFiles.mjs JSON`, where JSON is { groups: [{ jobs, files }], limitSeconds, bail }. Prints TAP, a
// subtest for each file. A parent that listens gets a message when a file starts, for its counts, and when it has ended.
// The tests run without NODE_OPTIONS: tap's hooks would load into every process that a test starts, about 2 s a file.
import t from 'tap'

const { groups, limitSeconds, bail } = JSON.parse(process.argv[2])
const say = (message) => process.connected && process.send(message)
const running = new Set()

t.bail = bail
t.setTimeout(0)
t.setMaxListeners(0)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    for (const child of running) child.kill(signal)
    t.bailout(`ended by ${signal}`)
  })

for (const { jobs, files } of groups) {
  t.jobs = jobs
  await Promise.all(files.map(run))
}

async function run(file) {
  const result = { file, passed: 0, failed: 0, skipped: 0, failures: [], skips: [], figures: [] }
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
    subtest.parser.on('result', (assertion) => {
      count(result, assertion)
      say({ kind: 'counts', file, passed: result.passed, failed: result.failed, skipped: result.skipped })
    })
    listenForFigures(subtest.parser, result.figures)
    say({ kind: 'start', file, beside: running.size })
  }
  t.on('spawn', started)
  const test = t.spawn(
    'env',
    ['-u', 'NODE_OPTIONS', process.execPath, '--enable-source-maps', file],
    {
      buffered: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: limitSeconds * 1000,
      // the position of the spawn call in this script does not help to find the failure
      ...{ at: null, stack: '' },
      env: { ...process.env, TAP_TIMEOUT: String(limitSeconds) },
    },
    file,
  )
  const passed = (await test)?.ok === true
  // tap reports a file without a test as skipped
  const empty = passed && result.passed + result.skipped === 0
  if (empty) t.fail(`${file}: no test ran`)
  const ok = passed && !empty
  const { exitCode, signal } = test.subtest.options
  if (!ok && stderr !== '') t.comment(`${file}: ${stderr.trimEnd()}`)
  const problem = ok || result.failed > 0 ? undefined : problemOf(result, exitCode, signal)
  say({ kind: 'end', ...result, ok, stderr, problem })
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
function listenForFigures(parser, figures) {
  parser.on('comment', (text) => {
    const figure = /^\s*# figure: (.*)$/m.exec(text)?.[1]
    if (figure !== undefined) figures.push(figure)
  })
  parser.on('child', (child) => listenForFigures(child, figures))
}

function problemOf({ passed, skipped }, exitCode, signal) {
  if (signal) return `ended by ${signal}`
  if (passed + skipped === 0) return `no test ran (exit code ${exitCode})`
  return exitCode ? `exit code ${exitCode}` : 'its output was cut short'
}
