#!/usr/bin/env node
// `vethlab` from a checkout: runs the set-up, then the command line in the same process, because a second start of Node takes
// longer than the set-up's check. `npm run lab X` is this with `run X`; `npm run dev -- X` is this with `--from-source X`.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildIsCurrent, distFolder } from './setup/builds.mjs'
import { root, runScript, say, setUp } from './setup.mjs'

await runScript(async () => {
  const [first, ...rest] = process.argv.slice(2)
  const fromSource = first === '--from-source'
  const args = fromSource ? rest : process.argv.slice(2)
  // npm starts scripts in the checkout; paths are relative to the user's folder.
  const { npm_lifecycle_event: script, INIT_CWD: here } = process.env
  if (['lab', 'vethlab', 'dev'].includes(script) && here) process.chdir(here)
  const onlyRun = args.length === 1 && args[0] === 'run'
  const command = args.find((arg) => !arg.startsWith('-'))
  // Commands that only read need no tools, and so no sudo: `list`, `plan`, the help.
  const needsTools = !onlyRun && ['run', 'up', 'exec', 'shell'].includes(command) && !args.includes('--help')
  const isBuilt = existsSync(join(root, distFolder, 'cli.cjs'))
  setUp([...(needsTools ? ['tools'] : []), 'modules', ...(fromSource && isBuilt ? [] : ['dist'])])
  if (onlyRun) {
    process.stdout.write(
      'Usage: npm run lab <lab…> [-- options]      npm run vethlab -- --help\n\nThe labs:\n',
    )
    args[0] = 'list'
  }
  const cli = join(root, fromSource ? 'src/cli.ts' : `${distFolder}/cli.cjs`)
  process.argv = [process.execPath, cli, ...args]
  if (fromSource) {
    if (!buildIsCurrent(root))
      say('pages and processes of labs are those of dist/, an older build (npm run build)')
    const { register } = await import('tsx/esm/api')
    register()
  }
  await import(cli)
})
