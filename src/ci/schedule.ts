import type { Cell } from './matrix.js'

/** How a share ended: the cells to run again, and whether its host was lost. */
export interface ShareEnd {
  readonly again: readonly Cell[]
  /** The error, if the host was lost. */
  readonly lost?: string | undefined
}

/** Runs one share at a time; a host has one place for each concurrent container. */
export interface Place {
  readonly host: string
  run(share: readonly Cell[]): Promise<ShareEnd>
}

/**
 * Runs all shares, each at the next free place; unfinished cells of a lost host move to the other hosts. Resolves with
 * the cells that could not run because every host was lost.
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
        // a running share may return cells to the queue
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
