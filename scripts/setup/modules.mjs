import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { SetupFailure } from './failure.mjs'

/**
 * Whether node_modules has what package-lock.json requires; `whole` includes the workspace scripts/maintenance, whose packages only
 * maintainers need.
 */
export function modulesAreCurrent(root, { whole = false } = {}) {
  const lock = join(root, 'package-lock.json')
  // npm writes this copy of the lock last, so that an interrupted `npm ci` leaves none.
  const installed = join(root, 'node_modules/.package-lock.json')
  const lockTime = timeOf(lock)
  const installedTime = timeOf(installed)
  if (lockTime === undefined || installedTime === undefined) return false
  const hasWhole = existsSync(join(root, 'node_modules/vethlab-maintenance'))
  if (whole && !hasWhole) return false
  if (installedTime >= lockTime) return true
  if (!holdsTheSame(readPackages(lock), readPackages(installed), hasWhole)) return false
  // A checkout touched the lock without changing it: update the time, which is compared next time.
  utimesSync(installed, new Date(), new Date())
  return true
}

/** `npm ci` without install scripts: nothing here depends on one, and with sudo they would run as root. */
export function installModules(root, { whole = false } = {}) {
  const npm = process.env.npm_execpath
  const [file, ...before] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']
  const args = [
    ...before,
    'ci',
    ...(whole ? [] : ['--workspaces=false']),
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const { status, error } = spawnSync(file, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: cleanEnvironment(),
  })
  if (status !== 0) {
    const how = error ? error.message : `exit ${status}`
    throw new SetupFailure(`npm ci failed (${how})`, { remedy: `cd ${root} && npm ci --ignore-scripts` })
  }
}

// `npm run` puts its options into the environment (npm_config_*), where they would apply to this npm too.
function cleanEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(lifecycle|package)_/.test(name)),
  )
}

function holdsTheSame(wanted, installed, hasWhole) {
  const same = (path) => installed[path]?.version === wanted[path]?.version
  const { dependencies, devDependencies } = wanted[''] ?? {}
  const wantedPaths = hasWhole
    ? Object.keys(wanted).filter((path) => path !== '')
    : Object.keys({ ...dependencies, ...devDependencies }).map((name) => `node_modules/${name}`)
  return (
    wantedPaths.every((path) => same(path) || (wanted[path].optional && !(path in installed))) &&
    Object.keys(installed).every((path) => path in wanted && same(path))
  )
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs
}
