#!/usr/bin/env node
// `npm test -- --reporter=tap | node scripts/countTap.mjs FILE`: keeps the TAP in FILE, prints a line for each test,
// what failed in it and each figure (a comment `# figure: …`), and ends with the figures and failures again and `N passed, N
// failed[, N skipped]`, counted from the assertions, so that the end of a log is enough to see what failed. A line `# npm run check
// ended with exit code N` other than 0 counts as one failure, and so do tests that were cut short. A line `# end of the tests` ends
// the input.
// Exits with 1 when anything failed or nothing ran.
import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: countTap.mjs FILE')
const { Parser } = await loadParser()

const counts = { passed: 0, failed: 0, skipped: 0 }
const figures = []
const failures = []

mkdirSync(dirname(file), { recursive: true })
const kept = createWriteStream(file)
const parser = newParser()
let hasBegun = false
let checksFailed = false
for await (const line of createInterface({ input: process.stdin })) {
  kept.write(`${line}\n`)
  if (line === '# end of the tests') break
  const figure = /^\s*# figure: (.*)$/.exec(line)?.[1]
  if (figure !== undefined) {
    figures.push(figure)
    say(`  figure: ${figure}`)
  }
  if (/^# npm run check ended with exit code [^0]/.test(line)) checksFailed = true
  // npm may print lines before
  hasBegun ||= /^TAP version \d+/.test(line)
  if (hasBegun) parser.write(`${line}\n`)
}
// a process that outlived the tests may still hold the other end
process.stdin.destroy()

const isComplete = await end(parser)
const ran = counts.passed + counts.failed > 0
if (!ran) fail('✖ no test ran: counted as one failure')
// tests that were cut short have no failed assertion
else if (!isComplete && counts.failed === 0) fail('✖ the tests were cut short: counted as one failure')
if (checksFailed) fail('✖ npm run check failed: counted as one failure')
if (figures.length > 0) say(`figures:\n${indent(figures.join('\n'))}`)
if (failures.length > 0) say(`failures:\n${failures.map(indent).join('\n')}`)
const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`
say(`${counts.passed} passed, ${counts.failed} failed${skipped}`)
process.exitCode = ran && counts.failed === 0 ? 0 : 1

function newParser() {
  const parser = new Parser()
  let failedBefore = 0
  // processes of tests: one that was killed, say, has no failed assertion
  parser.on('assert', ({ ok, name }) => {
    if (!ok && counts.failed === failedBefore) fail(`✖ ${name} ended without a failed assertion`)
    failedBefore = counts.failed
  })
  parser.on('child', (child) =>
    child.on('assert', ({ ok, name, skip }) => say(`${markOf(ok, skip)} ${name}`)),
  )
  // `result` is for the assertions themselves: a subtest's own line only repeats its assertions.
  parser.on('result', (result) => {
    if (result.skip || result.todo) counts.skipped += 1
    else if (result.ok) counts.passed += 1
    else fail(`✖ ${result.fullname}\n${indent(JSON.stringify(result.diag ?? {}, null, 2))}`)
  })
  return parser
}

/** A skipped test is neither passed nor failed. */
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
    say('✖ no test ran\n0 passed, 1 failed')
    process.exit(1)
  }
}

function indent(text) {
  return text.replace(/^/gm, '    ')
}

/** Counts a failure, which is printed now and again at the end. */
function fail(text) {
  counts.failed += 1
  failures.push(text)
  say(indent(text).slice(2))
}

function say(text) {
  process.stdout.write(`${text}\n`)
}
