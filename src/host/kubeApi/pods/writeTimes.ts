/** When the parts of a growing file were written. */
export interface WriteTimes {
  /** Notes that the file has this size and was last written to at a time, in ms since 1970. */
  readonly note: (size: number, time: number) => void
  /** When the byte at an offset was written; after the noted size, the last time. */
  readonly at: (offset: number) => number
}

/** More than this many parts are merged two by two, so that a log of any size needs little memory. */
const mostParts = 65_536

/** Times of a file that was not seen yet. */
export function writeTimes(most = mostParts): WriteTimes {
  let ends: number[] = []
  let times: number[] = []
  return {
    note(size, time) {
      const last = ends.at(-1) ?? 0
      if (size === last) return
      // it was emptied and is written again
      if (size < last) [ends, times] = [[], []]
      if (size === 0) return
      ends.push(size)
      times.push(time)
      if (ends.length <= most) return
      // a merged part has the later time of the two
      const isKept = (_: number, index: number) => (ends.length - index) % 2 === 1
      const kept = times.filter(isKept)
      ends = ends.filter(isKept)
      times = kept
    },
    at(offset) {
      let [from, to] = [0, ends.length - 1]
      while (from < to) {
        const middle = (from + to) >> 1
        if ((ends[middle] ?? 0) > offset) to = middle
        else from = middle + 1
      }
      return times[from] ?? 0
    },
  }
}
