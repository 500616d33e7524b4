import { constants } from 'node:os'

const deferred = ['SIGINT', 'SIGTERM', 'SIGHUP']
const graceMs = 50

/**
 * Delays signals until `act`, cleanup included, has ended. The child processes of `act` receive the terminal's Ctrl-C
 * themselves, so that this takes no longer.
 */
export function deferringSignals(act) {
  let received
  const remember = (signal) => (received = signal)
  for (const signal of deferred) process.on(signal, remember)
  try {
    return act()
  } finally {
    // Signals that arrived meanwhile are delivered by the event loop, on a busy host not in its first turns.
    setTimeout(finish, graceMs)
  }

  function finish() {
    for (const signal of deferred) process.off(signal, remember)
    // the exit code that shells give to a process that a signal ended
    if (received !== undefined) process.exit(128 + constants.signals[received])
  }
}
