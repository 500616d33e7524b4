#!/usr/bin/env node
// `npm test [-- filter…]`: the set-up, then tap over the built tests whose path holds one of the filters.
// Options of tap go after the filters: `npm test -- packets --bail`.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SetupFailure } from './setup/failure.mjs'
import { giveToOwner } from './setup/owner.mjs'
import { bringTestTools, root, runScript, setUp } from './setup.mjs'

await runScript(() => {
  const args = process.argv.slice(2)
  const filters = args.filter((arg) => !arg.startsWith('-'))
  const options = args.filter((arg) => arg.startsWith('-'))
  setUp(['tools', 'modules', 'dist', 'tests'])
  const files = testFiles(filters)
  if (files.some((file) => file.endsWith('kernel/ci.test.js'))) bringTestTools()
  if (files.length === 0) throw new SetupFailure(`no test matches ${filters.join(', ')}`, { exitCode: 2 })
  const tap = join(root, 'node_modules/tap/dist/esm/run.mjs')
  const { status } = spawnSync(process.execPath, [tap, 'run', ...options, ...files], {
    cwd: root,
    stdio: 'inherit',
  })
  giveToOwner(root, ['.tap', 'build'])
  process.exitCode = status ?? 1
})

function testFiles(filters) {
  const folder = join(root, 'build/test')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .sort()
    .map((file) => join('build/test', file))
}
