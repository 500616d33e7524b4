#!/usr/bin/env node
// Brings what is missing before vethlab runs, and says so in a line each: Debian packages (as root), node_modules,
// the build. Needs nothing but Node; costs a few milliseconds when nothing is missing.
// By hand: `node scripts/setup.mjs [tools] [modules] [dist] [tests]`, all but the tests by default.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIsCurrent, builds, makeBuild } from './setup/builds.mjs'
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

/** Sees that each of `needs` ('tools', 'modules', 'dist', 'tests') is there; throws a SetupFailure when it cannot be. */
export function setUp(needs, { insist = true } = {}) {
  const requirements = readRequirements()
  checkNode(requirements.node)
  if (needs.includes('tools')) bringTools(requirements.tools, insist)
  const steps = [modulesStep, buildStep(builds.dist, 'dist'), buildStep(builds.tests, 'tests')]
  const wanted = steps.filter((step) => step.isFor(needs))
  if (wanted.every((step) => step.isCurrent())) return
  for (const step of wanted) if (!step.isCurrent()) requireWritable(root, [...step.makes, 'build'])
  const onWait = (pid) => say(`waiting for another set-up (process ${pid ?? '?'})`)
  withLock(join(root, 'build/.setup.lock'), () => wanted.forEach(take), { onWait })
}

/** Brings the packages that only tests need, as root; a test that does without them says so. */
export function bringTestTools() {
  const missing = missingTools(readRequirements().testTools)
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

/** Runs a script's main part; a SetupFailure is told in one message and sets the exit code. */
export async function runScript(main) {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error
    say(error.message)
    process.exitCode = error.exitCode
  }
}

const modulesStep = {
  // Every build needs esbuild from node_modules.
  isFor: (needs) => needs.some((need) => need !== 'tools'),
  isCurrent: () => modulesAreCurrent(root),
  saying: 'installing node_modules (npm ci)',
  act: () => installModules(root),
  makes: ['node_modules'],
}

function buildStep(build, need) {
  return {
    isFor: (needs) => needs.includes(need),
    isCurrent: () => buildIsCurrent(root, build),
    saying: `building ${build.title}`,
    act: () => makeBuild(root, build),
    makes: [build.folder],
  }
}

function take(step) {
  if (step.isCurrent()) return
  say(step.saying)
  deferringSignals(() => {
    try {
      step.act()
    } finally {
      giveToOwner(root, [...step.makes, 'build'])
    }
  })
}

function bringTools(tools, insist) {
  const missing = missingTools(tools)
  if (missing.length === 0) return
  const packages = packagesOf(missing)
  if (process.getuid() === 0 && existsSync('/usr/bin/apt-get')) {
    say(`installing ${packages.join(' ')} (apt-get)`)
    installPackages(packages)
    const still = missingTools(missing)
    if (still.length > 0) throw lack(still)
    return
  }
  if (insist && missing.some((tool) => tool.required)) throw lack(missing)
  say(`without ${missing.map((tool) => `${tool.name} (${tool.for})`).join(', ')}; ${aptCommand(packages)}`)
}

function lack(tools) {
  const names = tools.map((tool) => tool.name).join(', ')
  return new SetupFailure(`this machine lacks ${names}`, {
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

function say(text) {
  process.stderr.write(`vethlab: ${text}\n`)
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const needs = process.argv.slice(2)
  await runScript(() => setUp(needs.length === 0 ? ['tools', 'modules', 'dist'] : needs))
}
