import type { Sandbox } from './sandbox.js'
import { until } from '../until.js'

/** The process of a pid file inside the sandbox; a daemon writes the file when it listens. */
export interface FiledProcess {
  /** Whether the file has a pid. */
  readonly isFiled: boolean
  runs(): boolean
  /** Sends a signal (`HUP`, `KILL`); does nothing if the process has ended. */
  signal(name: string): Promise<void>
  /**
   * Sends a signal until it has ended, or for this time; resolves with whether it has. One signal is not enough for a process that
   * has just started: nginx can receive it before it waits for events, and then waits for the next event.
   */
  end(signal: string, patienceMs: number): Promise<boolean>
}

/** How long a process may take to end before it gets its signal again. */
const againMs = 1000
/** How long a daemon may take to write its pid file. */
const patienceMs = 30_000

/** Reads a pid file; without a file or a number the process is not running. */
export function filedProcess(sandbox: Pick<Sandbox, 'inside' | 'run'>, pidFile: string): FiledProcess {
  const pid = readPid(sandbox, pidFile) ?? ''
  const runs = () => pid !== '' && sandbox.inside.exists(`/proc/${pid}`)
  const signal = async (name: string) => {
    if (runs()) await sandbox.run(['kill', '-s', name, pid])
  }
  return {
    isFiled: pid !== '',
    runs,
    signal,
    async end(name, patienceMs) {
      const begun = performance.now()
      for (;;) {
        await signal(name)
        const left = patienceMs - (performance.now() - begun)
        if (await until(() => !runs(), { patienceMs: Math.min(againMs, left) })) return true
        if (left <= againMs) return false
      }
    },
  }
}

/** Starts a daemon; resolves when it has written its pid file, so that it can be ended. Throws CommandError. */
export async function startDaemon(
  sandbox: Sandbox,
  what: string,
  { argv, pidFile }: { readonly argv: readonly string[]; readonly pidFile: string },
): Promise<void> {
  await sandbox.must(what, argv)
  await hasStarted(sandbox, pidFile)
}

/** Resolves when the process of a pid file runs, or after a time, or when the sandbox has ended. */
export async function hasStarted(sandbox: Sandbox, pidFile: string): Promise<void> {
  await until(() => filedProcess(sandbox, pidFile).runs() || !sandbox.alive(), { patienceMs })
}

/** The number in a pid file; undefined if there is no file or no number. */
export function readPid({ inside }: Pick<Sandbox, 'inside'>, file: string): string | undefined {
  try {
    return /^\d+$/.exec(inside.read(file).trim())?.[0]
  } catch {
    return undefined
  }
}
