/** The time and timers; passed in so that tests control time. */
export interface Clock {
  readonly now: () => Date
  /** Calls back once after this many milliseconds; returns a function that cancels the timer. */
  readonly after: (milliseconds: number, callback: () => void) => () => void
}

// The longest delay of setTimeout; it fires at once for a longer one.
const longest = 2 ** 31 - 1

/** The host's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => new Date(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, longest))
    timer.unref()
    return () => {
      clearTimeout(timer)
    }
  },
}
