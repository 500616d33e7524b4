import { readFileSync, rmSync, writeFileSync } from 'node:fs'

const mark = '# written by vethlab set-up'

/**
 * Runs `act` while Debian's package scripts are told not to start services (policy-rc.d, exit 101).
 * A policy of the machine's own stays in force untouched. Ours asks whether this process still lives, so that
 * even one left behind by SIGKILL forbids nothing, and the next set-up removes it.
 */
export function withoutStartingServices(act, file = '/usr/sbin/policy-rc.d') {
  if (isOurs(file)) rmSync(file, { force: true })
  const ours = tryWrite(file)
  // A handler keeps Ctrl-C, which apt-get receives as well, from ending this process before it has tidied up.
  let received
  const onSignal = (signal) => (received = signal)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
  try {
    return act()
  } finally {
    if (ours) rmSync(file, { force: true })
    // Signals that came while apt-get ran are delivered once this turn ends.
    setImmediate(() => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, onSignal)
      if (received !== undefined) process.kill(process.pid, received)
    })
  }
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
