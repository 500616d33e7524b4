/** Checks waiting conditions again, each time that something may have made one true. */
export interface Conditions {
  /** Something has happened that may have made one true. */
  check(): void
  /** Resolves when the condition holds or the time is up. */
  until(condition: () => boolean, timeoutMs: number): Promise<void>
}

export function createConditions(): Conditions {
  const waiters = new Set<() => void>()
  return {
    check() {
      for (const waiter of [...waiters]) waiter()
    },
    until(condition, timeoutMs) {
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          waiters.delete(look)
          resolve()
        }
        const look = () => {
          if (condition()) end()
        }
        const timer = timeoutMs === Infinity ? undefined : setTimeout(end, timeoutMs).unref()
        waiters.add(look)
        look()
      })
    },
  }
}
