import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { SetupFailure } from './failure.mjs'
import { withoutStartingServices } from './policy.mjs'

/** The command that installs Debian packages, as a user types it. */
export function aptCommand(packages, sudo = process.getuid() !== 0) {
  const prefix = sudo ? 'sudo ' : ''
  return `${prefix}apt-get update && ${prefix}apt-get install --no-install-recommends ${packages.join(' ')}`
}

/**
 * Installs Debian packages; throws a SetupFailure with the command to run manually when apt-get fails.
 *
 * @param {string[]} packages
 * @param {{ run?: (file: string, args: string[]) => { status: number | null, stderr?: string }, policyFile?: string }} [options]
 */
export function installPackages(packages, { run = runQuietly, policyFile } = {}) {
  const update = run('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=120', 'update'])
  // Old package lists may be sufficient: only a failed installation is an error.
  const install = withoutStartingServices(
    () =>
      run('apt-get', [
        ...['-qq', '-y', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Dpkg::Use-Pty=0'],
        ...['install', '--no-install-recommends', ...packages],
      ]),
    policyFile,
  )
  if (install.status === 0) {
    for (const [name, units] of Object.entries(services))
      if (packages.includes(name)) for (const unit of units) keepFromStarting(unit, run)
    return
  }
  const said = [update, install].map((result) => lastLines(result)).filter((lines) => lines !== '')
  throw new SetupFailure(
    [`apt-get could not install ${packages.join(', ')} (${howItEnded(install)})`, ...said].join('\n    '),
    { remedy: aptCommand(packages) },
  )
}

// These packages enable their services for the next boot, and a policy of the host may have let them start.
const services = { 'nginx-light': ['nginx'], bind9: ['named'], 'docker.io': ['docker', 'docker.socket'] }

function keepFromStarting(unit, run) {
  if (existsSync('/usr/bin/systemctl')) {
    const now = existsSync('/run/systemd/system') ? ['--now'] : []
    run('systemctl', ['disable', ...now, unit.includes('.') ? unit : `${unit}.service`])
  } else if (existsSync('/usr/sbin/update-rc.d') && !unit.includes('.')) {
    run('/usr/sbin/update-rc.d', [unit, 'disable'])
  }
}

function runQuietly(file, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' }
  return spawnSync(file, args, {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 26,
  })
}

function howItEnded(result) {
  if (result.error) return result.error.message
  return result.signal ? `ended by ${result.signal}` : `exit ${result.status}`
}

function lastLines(result) {
  if (result.status === 0) return ''
  return `${result.stderr ?? ''}`.trim().split('\n').slice(-4).join('\n    ')
}
