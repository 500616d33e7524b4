import type { Clock } from '../../src/clock.js'

/** A clock that advances only when the test moves it. */
export function manualClock(start: string): Clock & { advance(milliseconds: number): void } {
  let now = Date.parse(start)
  const timers = new Set<{ at: number; callback: () => void }>()
  return {
    now: () => new Date(now),
    after(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback }
      timers.add(timer)
      return () => {
        timers.delete(timer)
      }
    },
    advance(milliseconds) {
      const end = now + milliseconds
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (next === undefined) break
        timers.delete(next)
        now = Math.max(now, next.at)
        next.callback()
      }
      now = end
    },
  }
}
