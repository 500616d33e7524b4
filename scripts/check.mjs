#!/usr/bin/env node
// `npm run check`: types, lint, format, unused code, generated files, stray files. Runs all eight, two at a time, and prints the failed ones.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root, runScript, setUp } from './setup.mjs'

const checks = [
  // the longest one first
  { name: 'lint', argv: ['eslint/bin/eslint.js', '.', '--max-warnings', '0'] },
  { name: 'types', argv: ['typescript/bin/tsc', '-p', '.'] },
  { name: 'types of pages', argv: ['typescript/bin/tsc', '-p', 'src/view/page'] },
  { name: 'format', argv: ['prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'] },
  { name: 'unused', argv: ['knip/bin/knip.js', '--no-progress'] },
  // code that only tests use belongs to the tests
  { name: 'unused except in tests', argv: ['knip/bin/knip.js', '--no-progress', '--production'] },
  { name: 'generated files', argv: ['tsx/dist/cli.mjs', 'scripts/docs.ts', '--check'] },
  // stray binaries, tests that depend on short times
  { name: 'repository', argv: ['../scripts/repository.mjs'] },
]

await runScript(async () => {
  setUp(['workspace'])
  const waiting = [...checks]
  const results = []
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift())
      results.push(await run(check))
  }
  await Promise.all([worker(), worker()])
  const failed = results.filter((result) => !result.ok).map((result) => result.name)
  if (failed.length === 0) return
  process.stdout.write(`failed: ${failed.join(', ')}\n`)
  process.exitCode = 1
})

function run({ name, argv: [bin, ...args] }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', bin), ...args], { cwd: root })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    child.on('error', reject)
    child.on('close', (code) => {
      const ok = code === 0
      process.stdout.write(`${ok ? '✔' : '✖'} ${name}\n${ok ? '' : output}`)
      resolve({ name, ok })
    })
  })
}
