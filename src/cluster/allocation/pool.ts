/** Numbers of a range, each given out once; what is left is found without going over what is taken. */
export interface Pool {
  /** Takes a number; the reason when it cannot be had. */
  take(value: number): 'outside' | 'taken' | undefined
  /** Takes the first free number of the dynamic band, then of the static one; undefined when none is left. */
  next(): number | undefined
}

/**
 * A pool of `first`..`last` whose numbers below `dynamicFrom` are handed out last: they are for those who choose their
 * own (KEP-3070 for cluster addresses, KEP-3668 for node ports). Kubernetes picks at random inside a band; here it is
 * the first free one, so that the same input gives the same addresses.
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

/** How many numbers at the start of a range of `size` are the static band: between `least` and `most`, else a share. */
export function staticBand(size: number, least: number, most: number, share: number): number {
  return size <= least ? 0 : Math.min(Math.max(least, Math.floor(size / share)), most)
}
