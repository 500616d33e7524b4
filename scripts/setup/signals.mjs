import { constants } from 'node:os'

const deferred = ['SIGINT', 'SIGTERM', 'SIGHUP']
const graceMs = 50
let isListening = false

/**
 * Delays signals until `act`, cleanup included, has ended. The child processes of `act` receive the terminal's Ctrl-C
 * themselves, so that this takes no longer.
 */
export function deferringSignals(act) {
  // A signal that arrives meanwhile is delivered by the event loop, on a busy host long after `act`: another thread may have
  // received it. The listeners therefore stay.
  if (!isListening) for (const signal of deferred) process.on(signal, endUnlessHandled)
  isListening = true
  try {
    return act()
  } finally {
    // the time in which the process waits for one
    setTimeout(() => {}, graceMs)
  }
}

function endUnlessHandled(signal) {
  if (process.listenerCount(signal) > 1) return
  // the exit code that shells give to a process that a signal ended
  process.exit(128 + constants.signals[signal])
}
