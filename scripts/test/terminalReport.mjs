import { stringify } from 'yaml'

const clearLine = '\r\x1b[2K'

/**
 * For a terminal: one line that moves while tests run, then the reasons of skipped tests, the figures and, last, every
 * failure with the command that runs its file again.
 */
export function terminalReport({ write, columns, total, rerun }) {
  const begin = performance.now()
  const running = new Map()
  const results = []
  const timer = setInterval(draw, 250)

  function draw() {
    const all = [...results, ...running.values()]
    const sum = (key) => all.reduce((total, result) => total + result[key], 0)
    const failed = results.filter(({ ok }) => !ok).length
    const state = `${results.length} of ${total} files, ${sum('passed')} passed, ${failed} failed`
    const names = [...running.keys()].join(', ')
    write(`${clearLine}${`${state} │ ${names}`.slice(0, columns() - 1)}`)
  }

  return {
    draw,
    /** Takes a message of runFiles.mjs. */
    add({ kind, test, ...result }) {
      if (kind === 'start') running.set(test, { passed: 0, failed: 0, skipped: 0 })
      if (kind === 'counts') running.set(test, result)
      if (kind === 'end') {
        running.delete(test)
        results.push({ test, ...result })
      }
    },
    /** Prints the summary; `interrupted` is the reason if the tests did not end. */
    close(interrupted) {
      clearInterval(timer)
      write(clearLine)
      for (const [reason, count] of skipReasons(results)) write(`skipped: ${reason} (${count})\n`)
      const figures = results.flatMap((result) => result.figures)
      if (figures.length > 0) write(`figures:\n${indent(figures.join('\n'))}\n`)
      const failed = results.filter(({ ok }) => !ok)
      for (const result of failed) write(`${failureText(result, rerun)}\n`)
      if (interrupted !== undefined) write(`${interrupted}; ${total - results.length} files did not end\n`)
      write(`${summary(results, failed, performance.now() - begin)}\n`)
    },
  }
}

function failureText({ test, failures, problem, stderr }, rerun) {
  const parts = failures.map(({ name, diag }) => `✖ ${name}\n${indent(detail(diag))}`)
  if (problem !== undefined)
    parts.push(`✖ ${problem}\n${indent(stderr.trimEnd().split('\n').slice(-20).join('\n'))}`)
  return `${test}\n${indent(parts.join('\n'))}\n  again: ${rerun(test)}\n`
}

/** Why tests were skipped, each reason with the number of tests. */
function skipReasons(results) {
  const counts = new Map()
  for (const reason of results.flatMap(({ skips }) => skips))
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return counts
}

/** Where it failed, and what was expected and found. */
function detail(diag = {}) {
  const { at } = diag
  const where = at?.fileName === undefined ? '' : `at ${at.fileName}:${at.lineNumber}\n`
  const rest = Object.entries(diag).filter(([name]) => !['at', 'source', 'stack'].includes(name))
  return `${where}${rest.length === 0 ? '' : stringify(Object.fromEntries(rest))}`.trimEnd()
}

function summary(results, failed, ms) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  const withProblem = results.filter(({ problem, failed }) => problem !== undefined && failed === 0).length
  const skipped = sum('skipped') === 0 ? '' : `, ${sum('skipped')} skipped`
  const [minutes, seconds] = [Math.floor(ms / 60_000), Math.round((ms % 60_000) / 1000)]
  const files = failed.length === 0 ? '' : ` in ${failed.length} ${failed.length === 1 ? 'file' : 'files'}`
  return `${sum('passed')} passed, ${sum('failed') + withProblem} failed${files}${skipped} (${minutes} min ${seconds} s)`
}

function indent(text) {
  return text.replace(/^(?=.)/gm, '  ')
}
