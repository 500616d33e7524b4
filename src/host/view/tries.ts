/** Failures of callers, by address. */
export interface Tries {
  failed(address: string): void
  /** Whether an address has failed too often lately. */
  tooMany(address: string): boolean
}

const windowMs = 60_000
const mostFailures = 30
const mostAddresses = 4096

/** Counts failures within a minute, by `now` in milliseconds. */
export function createTries(now: () => number): Tries {
  const failures = new Map<string, { since: number; count: number }>()
  const of = (address: string) => {
    const found = failures.get(address)
    return found !== undefined && found.since + windowMs > now() ? found : undefined
  }
  return {
    failed(address) {
      const found = of(address)
      if (found !== undefined) {
        found.count++
        return
      }
      if (failures.size >= mostAddresses) failures.clear()
      failures.set(address, { since: now(), count: 1 })
    },
    tooMany: (address) => (of(address)?.count ?? 0) >= mostFailures,
  }
}
