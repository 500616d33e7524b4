#!/usr/bin/env node
// `vethlab` from a checkout: runs the set-up, then the command line in the same process, because a second start of Node takes
// longer than the set-up's check. `npm run lab X` is this with `run X`.
import { fileURLToPath } from 'node:url'
import { runScript, setUp } from './setup.mjs'

await runScript(async () => {
  const args = process.argv.slice(2)
  // npm starts scripts in the checkout; paths are relative to the user's folder.
  const { npm_lifecycle_event: script, INIT_CWD: here } = process.env
  if (['lab', 'vethlab'].includes(script) && here) process.chdir(here)
  const onlyRun = args.length === 1 && args[0] === 'run'
  const command = args.find((arg) => !arg.startsWith('-'))
  // Commands that only read need no tools, and so no sudo: `list`, `plan`, the help.
  const needsTools = !onlyRun && ['run', 'up', 'exec', 'shell'].includes(command) && !args.includes('--help')
  setUp(needsTools ? ['tools', 'modules', 'dist'] : ['modules', 'dist'])
  if (onlyRun) {
    process.stdout.write(
      'Usage: npm run lab <lab…> [-- options]      npm run vethlab -- --help\n\nThe labs:\n',
    )
    args[0] = 'list'
  }
  const cli = new URL('../dist/cli.cjs', import.meta.url)
  process.argv = [process.execPath, fileURLToPath(cli), ...args]
  await import(cli.href)
})
