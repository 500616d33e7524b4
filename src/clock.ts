/** The time, and a way to be called later; passed in so that tests decide when time passes. */
export interface Clock {
  readonly now: () => Date
  /** Calls back once after so many milliseconds; returns what calls it off. */
  readonly after: (milliseconds: number, callback: () => void) => () => void
}

// The longest that setTimeout can wait; it fires at once for anything longer.
const longest = 2 ** 31 - 1

/** The machine's clock. Its timers do not keep the process alive. */
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
