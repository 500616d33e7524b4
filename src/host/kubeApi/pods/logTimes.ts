import { lstatSync, watch, type Stats } from 'node:fs'
import { basename, join } from 'node:path'
import { systemClock, type Clock } from '../../../clock.js'
import { previousLog } from '../../../topology/planContainers.js'
import { writeTimes, type WriteTimes } from './writeTimes.js'

/** When the lines of logs were written: the kernel keeps only the time of the last write. */
export interface LogTimes {
  /** The times of an open log up to its present size. */
  readonly of: (stats: FileStats) => WriteTimes
  /** Notes what was written to a log until now, and forgets its files that are gone. */
  readonly look: (log: string) => void
}

type FileStats = Pick<Stats, 'dev' | 'ino' | 'birthtimeMs' | 'size' | 'mtimeMs'>

/** Times of no log yet. A log that becomes the one of the previous run, by its new name, keeps its times. */
export function logTimes(): LogTimes {
  const files = new Map<string, WriteTimes>()
  const held = new Map<string, readonly string[]>()
  const of = (stats: FileStats) => {
    const key = fileKey(stats)
    const times = files.get(key) ?? writeTimes()
    files.set(key, times)
    times.note(stats.size, stats.mtimeMs)
    return times
  }
  return {
    of,
    look(log) {
      const found = [log, previousLog(log)].flatMap((path) => {
        const stats = lstatSync(path, { throwIfNoEntry: false })
        return stats?.isFile() === true ? [stats] : []
      })
      found.forEach(of)
      const keys = found.map(fileKey)
      for (const key of held.get(log) ?? []) if (!keys.includes(key)) files.delete(key)
      if (keys.length === 0) held.delete(log)
      else held.set(log, keys)
    },
  }
}

/** A number of an inode is used again for another file. */
function fileKey({ dev, ino, birthtimeMs }: FileStats): string {
  return `${dev} ${ino} ${birthtimeMs}`
}

/** What is written within this time has the time of the last of it: a container may write all the time. */
const intervalMs = 10

/** Notes from now on when the logs of a folder are written, until it is closed; throws the error of Node when it cannot watch. */
export function watchLogs(
  folder: string,
  times: LogTimes,
  clock: Pick<Clock, 'after'> = systemClock,
): { close(): void } {
  const resting = new Map<string, boolean>()
  const look = (log: string) => {
    times.look(log)
    resting.set(log, false)
    clock.after(intervalMs, () => {
      const isDue = resting.get(log) === true
      resting.delete(log)
      if (isDue) look(log)
    })
  }
  return watch(folder, (_, name) => {
    if (name === null) return
    const log = join(folder, basename(name, previousLog('')))
    if (resting.has(log)) resting.set(log, true)
    else look(log)
  })
}
