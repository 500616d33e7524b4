import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A process of this host, as in /proc. */
export interface ProcessFacts {
  readonly pid: number
  readonly words: readonly string[]
  /** Identity of its PID namespace; empty for another user's. */
  readonly pidNamespace: string
}

/** The current processes. */
export function processes(): ProcessFacts[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        const words = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0')
        return [{ pid: Number(entry), words, pidNamespace: readNamespace(entry) }]
      } catch {
        // it has ended
        return []
      }
    })
}

/** A line of /proc/PID/status or smaps_rollup that counts kB, in MB. */
export function megabytes(pid: number, file: 'status' | 'smaps_rollup', key: string): number {
  const text = readFileSync(`/proc/${pid}/${file}`, 'utf8')
  return Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024
}

function readNamespace(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`)
  } catch {
    return ''
  }
}
