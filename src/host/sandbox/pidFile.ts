import type { Sandbox } from './sandbox.js'
import { until } from '../until.js'

/** The process of a pid file inside the sandbox; a daemon writes the file when it listens. */
export interface FiledProcess {
  runs(): boolean
  /** Sends a signal (`TERM`, `QUIT`); does nothing if the process has ended. */
  signal(name: string): Promise<void>
  /** Resolves with true when it has ended, with false after this time. */
  ended(patienceMs: number): Promise<boolean>
}

/** Reads a pid file; without a file or a number the process is not running. */
export function filedProcess(sandbox: Pick<Sandbox, 'inside' | 'run'>, pidFile: string): FiledProcess {
  const pid = readPid(sandbox, pidFile) ?? ''
  const runs = () => pid !== '' && sandbox.inside.exists(`/proc/${pid}`)
  return {
    runs,
    async signal(name) {
      if (runs()) await sandbox.run(['kill', '-s', name, pid])
    },
    async ended(patienceMs) {
      return until(() => !runs(), { patienceMs })
    },
  }
}

/** The number in a pid file; undefined if there is no file or no number. */
export function readPid({ inside }: Pick<Sandbox, 'inside'>, file: string): string | undefined {
  try {
    return /^\d+$/.exec(inside.read(file).trim())?.[0]
  } catch {
    return undefined
  }
}
