import type { Cell } from './matrix.js'

/** How a share ended: cells to run elsewhere or again, and whether its place can go on. */
export interface ShareEnd {
  readonly again: readonly Cell[]
  /** Set when the place is lost. */
  readonly lost?: string | undefined
}

/** Somewhere a share can be run; a host has as many places as containers at once. */
export interface Place {
  readonly host: string
  run(share: readonly Cell[]): Promise<ShareEnd>
}

/**
 * Runs all shares, each at the next place that is free; what a lost host left goes to the others. Resolves with the
 * cells that nobody was left to run.
 */
export async function schedule(
  shares: readonly (readonly Cell[])[],
  places: readonly Place[],
): Promise<readonly Cell[]> {
  const queue = [...shares]
  const lost = new Set<string>()
  let running = 0
  let wake: (() => void)[] = []
  const changed = () => {
    wake.forEach((each) => each())
    wake = []
  }
  const work = async (place: Place) => {
    while (!lost.has(place.host)) {
      const share = queue.shift()
      if (share === undefined) {
        // a share that still runs may come back
        if (running === 0) return
        await new Promise<void>((resolve) => wake.push(resolve))
        continue
      }
      running += 1
      try {
        const end = await place.run(share)
        if (end.again.length > 0) queue.push(end.again)
        if (end.lost !== undefined) lost.add(place.host)
      } finally {
        running -= 1
        changed()
      }
    }
  }
  const ends = await Promise.allSettled(places.map(work))
  const bad = ends.find((end) => end.status === 'rejected')
  if (bad !== undefined) throw bad.reason
  return queue.flat()
}
