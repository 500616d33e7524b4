/** Puts items of several sources in order of time. */
export interface Merge<Item> {
  add(microseconds: number, item: Item): void
  /** Releases the items up to a time, in order. */
  release(microseconds: number): void
}

/** Keeps items until they are released: a source may report an item later than another source one that happened after it. */
export function mergeByTime<Item>(write: (item: Item, microseconds: number) => void): Merge<Item> {
  let waiting: { readonly microseconds: number; readonly item: Item }[] = []
  return {
    add: (microseconds, item) => void waiting.push({ microseconds, item }),
    release(limit) {
      const due = waiting.filter(({ microseconds }) => microseconds <= limit)
      waiting = waiting.filter(({ microseconds }) => microseconds > limit)
      // a stable sort: items of one source keep their order
      due.sort((a, b) => a.microseconds - b.microseconds)
      for (const { item, microseconds } of due) write(item, microseconds)
    },
  }
}
