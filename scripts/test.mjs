#!/usr/bin/env node
// `npm test [-- filter…]` runs every test except those in test/full; `npm run test:full [-- filter…]` runs those: labs in
// every mode, mutations of every lab, containers, kills. A filter is a part of a path. Options of tap go after the
// filters: `npm test -- packets --bail`.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SetupFailure } from './setup/failure.mjs'
import { giveToOwner } from './setup/owner.mjs'
import { bringTestTools, root, runScript, setUp } from './setup.mjs'

const fullOption = '--suite=full'

await runScript(() => {
  const args = process.argv.slice(2)
  const full = args.includes(fullOption)
  const filters = args.filter((arg) => !arg.startsWith('-'))
  const options = args.filter((arg) => arg.startsWith('-') && arg !== fullOption)
  setUp(['tools', 'modules', 'dist', 'tests'])
  const files = testFiles(full, filters)
  if (files.some((file) => file.endsWith('full/ci.test.js'))) bringTestTools()
  if (files.length === 0) throw new SetupFailure(`no test matches ${filters.join(', ')}`, { exitCode: 2 })
  const tap = join(root, 'node_modules/tap/dist/esm/run.mjs')
  const { status } = spawnSync(process.execPath, [tap, 'run', ...options, ...files], {
    cwd: root,
    stdio: 'inherit',
    // test/suite.ts reads it
    env: { ...process.env, VETHLAB_TEST_SUITE: full ? 'full' : 'short' },
  })
  giveToOwner(root, ['.tap', 'build'])
  process.exitCode = status ?? 1
})

function testFiles(full, filters) {
  const folder = join(root, 'build/test')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js') && file.startsWith('full/') === full)
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .sort()
    .map((file) => join('build/test', file))
}
