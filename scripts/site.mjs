#!/usr/bin/env node
// `npm run site` builds the static site in build/site from README, docs/ and labs/. Links that lead nowhere end it. The
// generator has its own packages (scripts/site/package.json), so that labs and tests do not wait for them.
import { existsSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { SetupFailure } from './setup/failure.mjs'
import { root, runScript } from './setup.mjs'

const folder = join(root, 'scripts/site')

await runScript(async () => {
  if (!existsSync(join(folder, 'node_modules/vitepress')))
    run('npm', ['install', '--no-package-lock', '--silent'])
  run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build'])
})

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) throw new SetupFailure(`${command} ${args.join(' ')} failed`)
}
