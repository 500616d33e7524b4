#!/usr/bin/env node
// `tap --reporter=tap | node scripts/countTap.mjs FILE [--check=CODE]`: keeps the TAP in FILE, shows a line for each
// test file and what failed in it, and ends with `N passed, N failed[, N skipped]`, counted from the assertions.
// A check that ended with another CODE than 0 counts as one failure. Exits with 1 when anything failed or nothing ran.
import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

const [file, ...rest] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: countTap.mjs FILE [--check=CODE]')
const checkFailed = rest.some((arg) => /^--check=/.test(arg) && arg !== '--check=0')
const { Parser } = await loadParser()

const counts = { passed: 0, failed: 0, skipped: 0 }
const parser = new Parser()
parser.on('assert', (result) => say(`${result.ok ? '✔' : '✖'} ${result.name}`))
// `result` is for the assertions themselves: a subtest's own line only repeats what stands inside it.
parser.on('result', (result) => {
  if (result.skip || result.todo) counts.skipped += 1
  else if (result.ok) counts.passed += 1
  else {
    counts.failed += 1
    say(`  ✖ ${result.fullname}\n${indent(JSON.stringify(result.diag ?? {}, null, 2))}`)
  }
})
const complete = new Promise((resolve) => parser.on('complete', resolve))

mkdirSync(dirname(file), { recursive: true })
process.stdin.pipe(createWriteStream(file))
process.stdin.pipe(parser)
const { ok } = await complete

const ran = counts.passed + counts.failed > 0
if (!ran) say('no test ran')
// A run that was cut short has no failed assertion to show for it.
else if (!ok && counts.failed === 0) counts.failed += 1
if (checkFailed) {
  say('npm run check failed: counted as one failure')
  counts.failed += 1
}
const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`
say(`${counts.passed} passed, ${counts.failed} failed${skipped}`)
process.exitCode = ran && counts.failed === 0 ? 0 : 1

/** Where node_modules could not be installed there is nothing to count, and that is to be said in the agreed form. */
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

function say(text) {
  process.stdout.write(`${text}\n`)
}
