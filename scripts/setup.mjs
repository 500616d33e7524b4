#!/usr/bin/env node
// Installs missing Debian packages (as root) and node_modules and makes the build before vethlab runs, and logs each action.
// Needs only Node; takes a few milliseconds when nothing is missing.
// Manually: `node scripts/setup.mjs [tools] [modules] [workspace] [dist]`; by default all but `workspace`, the packages that only
// maintainers need (scripts/maintenance/package.json).
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIsCurrent, distFolder, makeBuild } from './setup/builds.mjs'
import { SetupFailure } from './setup/failure.mjs'
import { withLock } from './setup/lock.mjs'
import { installModules, modulesAreCurrent } from './setup/modules.mjs'
import { giveToOwner } from './setup/owner.mjs'
import { aptCommand, installPackages } from './setup/packages.mjs'
import { readRequirements, supportsNode } from './setup/requirements.mjs'
import { deferringSignals } from './setup/signals.mjs'
import { missingTools, packagesOf } from './setup/tools.mjs'
import { requireWritable } from './setup/writable.mjs'

/** The checkout that this script belongs to. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** Makes sure that each of `needs` ('tools', 'modules', 'workspace', 'dist') is installed or built; throws a SetupFailure. */
export function setUp(needs, { insist = true } = {}) {
  const requirements = readRequirements()
  checkNode(requirements.node)
  if (needs.includes('tools')) installTools(requirements.tools, insist)
  const wanted = [modulesStep(needs.includes('workspace')), buildStep].filter((step) => step.isFor(needs))
  if (wanted.every((step) => step.isCurrent())) return
  for (const step of wanted) if (!step.isCurrent()) requireWritable(root, [...step.makes, 'build'])
  const onWait = (pid) => say(`waiting for another set-up (process ${pid ?? '?'})`)
  withLock(join(root, 'build/.setup.lock'), () => wanted.forEach(take), { onWait })
}

/** Installs the packages that only these tests need, as root; without them the tests are skipped. */
export function installTestTools(tests) {
  const needed = readRequirements().testTools.filter(({ tests: some }) =>
    some.some((path) => tests.some((test) => test.startsWith(path))),
  )
  const missing = missingTools(needed)
  if (missing.length === 0 || process.getuid() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const packages = packagesOf(missing)
  say(`installing ${packages.join(' ')} (apt-get)`)
  try {
    installPackages(packages)
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error
    say(error.message)
  }
}

/** Runs the main part of a script; prints the message of a SetupFailure, and sets its exit code. */
export async function runScript(main) {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error
    say(error.message)
    process.exitCode = error.exitCode
  }
}

const modulesStep = (whole) => ({
  // Every build needs esbuild from node_modules.
  isFor: (needs) => needs.some((need) => need !== 'tools'),
  isCurrent: () => modulesAreCurrent(root, { whole }),
  message: `installing node_modules${whole ? ', with what only maintainers need' : ''} (npm ci)`,
  act: () => installModules(root, { whole }),
  makes: ['node_modules'],
})

const buildStep = {
  isFor: (needs) => needs.includes('dist'),
  isCurrent: () => buildIsCurrent(root),
  message: 'building the command line',
  act: () => makeBuild(root),
  makes: [distFolder],
}

function take(step) {
  if (step.isCurrent()) return
  say(step.message)
  deferringSignals(() => {
    try {
      step.act()
    } finally {
      giveToOwner(root, [...step.makes, 'build'])
    }
  })
}

function installTools(tools, insist) {
  const missing = missingTools(tools)
  if (missing.length === 0) return
  const packages = packagesOf(missing)
  if (process.getuid() === 0 && existsSync('/usr/bin/apt-get')) {
    say(`installing ${packages.join(' ')} (apt-get)`)
    installPackages(packages)
    const still = missingTools(missing)
    if (still.length > 0) throw missingFailure(still)
    return
  }
  if (insist && missing.some((tool) => tool.required)) throw missingFailure(missing)
  say(`without ${missing.map((tool) => `${tool.name} (${tool.for})`).join(', ')}; ${aptCommand(packages)}`)
}

function missingFailure(tools) {
  const names = tools.map((tool) => tool.name).join(', ')
  return new SetupFailure(`not installed on this host: ${names}`, {
    remedy: existsSync('/usr/bin/apt-get')
      ? aptCommand(packagesOf(tools))
      : `your package manager (on Debian these are ${packagesOf(tools).join(' ')})`,
  })
}

function checkNode(lines) {
  if (supportsNode(lines, process.versions.node)) return
  const wanted = lines.map(([major, minor]) => (minor === 0 ? `${major}` : `${major}.${minor}`)).join(', ')
  throw new SetupFailure(
    `Node ${process.versions.node} is too old or unsupported; vethlab runs on ${wanted}`,
    {
      remedy: 'https://nodejs.org/en/download',
    },
  )
}

/** Prints a message of the set-up, to standard error. */
export function say(text) {
  process.stderr.write(`vethlab: ${text}\n`)
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const needs = process.argv.slice(2)
  await runScript(() => setUp(needs.length === 0 ? ['tools', 'modules', 'dist'] : needs))
}
