/** Numbers of a range, each allocated once; finding a free one does not scan those in use. */
export interface Pool {
  /** Reserves a number; returns the reason when it is not available. */
  take(value: number): 'outside' | 'taken' | undefined
  /** Allocates the first free number of the dynamic band, then of the static one; undefined when the range is full. */
  next(): number | undefined
}

/**
 * A pool of `first`..`last` that allocates numbers below `dynamicFrom` last: these are for users who choose their own
 * (KEP-3070 for cluster addresses, KEP-3668 for node ports). Kubernetes chooses at random inside a band; here it is
 * the first free number, so that the same input gives the same addresses.
 */
export function createPool(first: number, last: number, dynamicFrom: number): Pool {
  const taken = new Set<number>()
  const order = [
    { from: dynamicFrom, to: last },
    { from: first, to: dynamicFrom - 1 },
  ]
  let band = 0
  let cursor = dynamicFrom
  return {
    take(value) {
      if (value < first || value > last) return 'outside'
      if (taken.has(value)) return 'taken'
      taken.add(value)
      return undefined
    },
    next() {
      for (; band < order.length; band++, cursor = order[band]?.from ?? 0) {
        while (cursor <= (order[band]?.to ?? 0)) {
          const value = cursor++
          if (taken.has(value)) continue
          taken.add(value)
          return value
        }
      }
      return undefined
    },
  }
}

/** Size of the static band at the start of a range of `size`: a share of it, between `least` and `most`. */
export function staticBand(size: number, least: number, most: number, share: number): number {
  return size <= least ? 0 : Math.min(Math.max(least, Math.floor(size / share)), most)
}
