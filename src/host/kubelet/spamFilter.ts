/** EventSourceObjectSpamFilter of client-go: so many Events at once, and then one per interval. */
const budget = { burst: 25, intervalMs: 300_000 }

/** Returns a function that is true while another Event of a pod may be reported; `now` is in milliseconds. */
export function spamFilter(now: () => number): () => boolean {
  let left = budget.burst
  let last = now()
  return () => {
    const time = now()
    left = Math.min(budget.burst, left + (time - last) / budget.intervalMs)
    last = time
    if (left < 1) return false
    left--
    return true
  }
}
