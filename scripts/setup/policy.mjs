import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { deferringSignals } from './signals.mjs'

const mark = '# written by vethlab set-up'

/**
 * Runs `act` with a policy that keeps Debian's package scripts from starting services (policy-rc.d, exit 101). An existing
 * policy of the host stays in place. Ours checks whether this process is alive, so that it has no effect after a SIGKILL,
 * and the next set-up removes it.
 */
export function withoutStartingServices(act, file = '/usr/sbin/policy-rc.d') {
  if (isOurs(file)) rmSync(file, { force: true })
  return deferringSignals(() => {
    const ours = tryWrite(file)
    try {
      return act()
    } finally {
      if (ours) rmSync(file, { force: true })
    }
  })
}

function tryWrite(file) {
  const text = `#!/bin/sh\n${mark}\n[ -d /proc/${process.pid} ] && exit 101\nexit 0\n`
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o755 })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function isOurs(file) {
  try {
    return readFileSync(file, 'utf8').includes(mark)
  } catch {
    return false
  }
}
