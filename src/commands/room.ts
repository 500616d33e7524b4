/** Runs pieces of work, at most `limit` at once, in the order in which they are asked for. */
export function createRoom(limit: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let free = limit
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((begin) => waiting.push(begin))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
