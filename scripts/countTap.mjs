#!/usr/bin/env node
// `{ npm test …; npm run test:full …; } | node scripts/countTap.mjs FILE [--check=CODE] [--parts=N]`: keeps the TAP in
// FILE, prints a line for each test file, what failed in it and each figure (a comment `# figure: …`), and ends with the
// figures and failures again and `N passed, N failed[, N skipped]`, counted from the assertions of all parts, so that the end
// of a log is enough to see what failed. A part begins with a line `TAP version`. A check that ended with another CODE than 0 counts as one failure, and so does each part that was cut
// short or is missing. A line `# all parts ran` ends the input. Exits with 1 when anything failed or nothing ran.
import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'string', default: '0' }, parts: { type: 'string', default: '1' } },
})
const [file] = positionals
if (file === undefined) throw new Error('usage: countTap.mjs FILE [--check=CODE] [--parts=N]')
const { Parser } = await loadParser()

const counts = { passed: 0, failed: 0, skipped: 0 }
const figures = []
const failures = []
const parts = []

mkdirSync(dirname(file), { recursive: true })
const kept = createWriteStream(file)
for await (const line of createInterface({ input: process.stdin })) {
  kept.write(`${line}\n`)
  if (line === '# all parts ran') break
  if (/^TAP version \d+/.test(line)) parts.push(newPart())
  parts.at(-1)?.parser.write(`${line}\n`)
  const figure = /^\s*# figure: (.*)$/.exec(line)?.[1]
  if (figure === undefined) continue
  figures.push(figure)
  say(`  figure: ${figure}`)
}
// a process that outlived its part may still hold the other end
process.stdin.destroy()

for (const part of parts) part.ok = await end(part.parser)
const ran = counts.passed + counts.failed > 0
if (!ran) say('no test ran')
else {
  // A part that was cut short has no failed assertion.
  const cutShort = parts.filter(({ ok, results, failed }) => failed === 0 && (!ok || results === 0)).length
  const missing = Math.max(0, Number(values.parts) - parts.length)
  if (cutShort > 0) fail(`cut short: ${cutShort} of the parts; each is counted as one failure`)
  if (missing > 0) fail(`did not run: ${missing} of the parts; each is counted as one failure`)
  counts.failed += cutShort + missing
}
if (values.check !== '0') {
  fail('npm run check failed: counted as one failure')
  counts.failed += 1
}
if (figures.length > 0) say(`figures:\n${indent(figures.join('\n'))}`)
if (failures.length > 0) say(`failures:\n${failures.map(indent).join('\n')}`)
const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`
say(`${counts.passed} passed, ${counts.failed} failed${skipped}`)
process.exitCode = ran && counts.failed === 0 ? 0 : 1

function newPart() {
  const parser = new Parser()
  const part = { parser, results: 0, failed: 0 }
  let failedBefore = 0
  parser.on('assert', ({ ok, name, skip }) => {
    say(`${markOf(ok, skip)} ${name}`)
    // a file that was killed, say, has no failed assertion
    if (!ok && part.failed === failedBefore) {
      failures.push(`✖ ${name} ended without a failed assertion`)
      counts.failed += 1
      part.failed += 1
    }
    failedBefore = part.failed
  })
  // test files that share a process
  parser.on('child', (child) => {
    const [, folder] = /^build\/test\/([^/]+)\.test\.js$/.exec(child.name) ?? []
    child.on('assert', ({ ok, name, skip }) => {
      if (folder !== undefined && name.startsWith(`${folder}/`)) say(`  ${markOf(ok, skip)} ${name}`)
    })
  })
  // `result` is for the assertions themselves: a subtest's own line only repeats its assertions.
  parser.on('result', (result) => {
    part.results += 1
    if (result.skip || result.todo) counts.skipped += 1
    else if (result.ok) counts.passed += 1
    else {
      counts.failed += 1
      part.failed += 1
      const failure = `✖ ${result.fullname}\n${indent(JSON.stringify(result.diag ?? {}, null, 2))}`
      failures.push(failure)
      say(`  ${failure}`)
    }
  })
  return part
}

/** A skipped file is neither passed nor failed. */
function markOf(ok, skip) {
  if (!ok) return '✖'
  return skip ? `– ${typeof skip === 'string' ? `(${skip})` : '(skipped)'}` : '✔'
}

/** Ends a parser; true when its TAP is complete and nothing failed. */
function end(parser) {
  return new Promise((resolve) => {
    parser.on('complete', ({ ok }) => resolve(ok))
    parser.end()
  })
}

/** Where node_modules could not be installed nothing can be counted; the last line says so in the agreed form. */
async function loadParser() {
  try {
    return await import('tap-parser')
  } catch {
    say('no test ran\n0 passed, 1 failed')
    process.exit(1)
  }
}

function indent(text) {
  return text.replace(/^/gm, '    ')
}

function fail(text) {
  failures.push(text)
  say(text)
}

function say(text) {
  process.stdout.write(`${text}\n`)
}
