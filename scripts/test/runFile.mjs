import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Parser } from 'tap-parser'

/** How long after its own limit a test that does not end is killed. */
const graceMs = 60_000

/**
 * Runs one test file with Node and reads its TAP. tap itself ends an unfinished test after `limitSeconds` and names it; a
 * file that does not end even then is killed. `child` is the process; `done` resolves to the TAP lines, the counts, the
 * failed assertions and the figures (comments `figure: …`), and to a `problem` where the file failed without a failed
 * assertion. The counts of `result` are current while it runs.
 */
export function runFile(file, { env, limitSeconds }) {
  const begin = performance.now()
  const result = {
    file,
    lines: [],
    stderr: '',
    passed: 0,
    failed: 0,
    skipped: 0,
    failures: [],
    skips: [],
    figures: [],
  }
  const parser = new Parser().on('result', (assertion) => count(result, assertion))
  const complete = new Promise((resolve) => parser.on('complete', resolve))
  const child = spawn(process.execPath, ['--enable-source-maps', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, TAP_TIMEOUT: String(limitSeconds) },
  })
  const kill = setTimeout(() => child.kill('SIGKILL'), limitSeconds * 1000 + graceMs)
  const lines = createInterface({ input: child.stdout }).on('line', (line) => {
    parser.write(`${line}\n`)
    if (/^TAP version \d+$/.test(line)) return
    result.lines.push(line)
    const figure = /^\s*# figure: (.*)$/.exec(line)?.[1]
    if (figure !== undefined) result.figures.push(figure)
  })
  child.stderr.setEncoding('utf8').on('data', (text) => (result.stderr += text))
  const ended = new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }))
    child.on('error', (error) => resolve({ code: null, signal: null, error }))
    // a process that the test left behind may hold its output: a second later all is read that the test wrote
    child.on('exit', (code, signal) => setTimeout(() => resolve({ code, signal }), 1000))
  })
  const finish = async () => {
    const how = await ended
    clearTimeout(kill)
    lines.close()
    child.stdout.destroy()
    child.stderr.destroy()
    parser.end()
    const { ok } = await complete
    const problem = problemOf(how, ok, result)
    return Object.assign(result, { ms: performance.now() - begin, problem, ok: ok && problem === undefined })
  }
  return { child, result, done: finish() }
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

function problemOf({ code, signal, error }, ok, { passed, failed, skipped }) {
  if (error !== undefined) return error.message
  if (signal !== null) return `ended by ${signal}`
  if (failed > 0) return undefined
  if (passed + skipped === 0) return `no test ran (exit code ${code})`
  if (code !== 0) return `exit code ${code}`
  return ok ? undefined : 'its output was cut short'
}
