import { constants } from 'node:os'

const deferred = ['SIGINT', 'SIGTERM', 'SIGHUP']
const graceMs = 50

/**
 * Runs `act` to its end, tidying up included, before a Ctrl-C ends this process. What `act` has started receives the
 * terminal's Ctrl-C by itself, so that nothing takes longer for it.
 */
export function deferringSignals(act) {
  let received
  const remember = (signal) => (received = signal)
  for (const signal of deferred) process.on(signal, remember)
  try {
    return act()
  } finally {
    // Signals that came meanwhile reach us when the event loop looks for them, on a busy machine not in its first turns.
    setTimeout(finish, graceMs)
  }

  function finish() {
    for (const signal of deferred) process.off(signal, remember)
    // the exit code that shells give to a process that a signal ended
    if (received !== undefined) process.exit(128 + constants.signals[received])
  }
}
