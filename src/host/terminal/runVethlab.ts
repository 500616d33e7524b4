import { execa } from 'execa'
import { cliPath } from '../builtFiles.js'
import { ownerVariable } from '../owner.js'

/** How a command of vethlab ended. */
export interface EndedCommand {
  /** 128 and more after a signal; undefined if it was stopped at the time limit. */
  readonly code: number | undefined
  /** The end of its output and errors, as people see them. */
  readonly output: string
}

/** The last lines of a command's output are kept: as many. */
const keptLines = 20

/** Runs a command of vethlab for an owner of labs, in another process; a signal or the time limit stops it. */
export async function runVethlab(
  args: readonly string[],
  owner: string,
  {
    timeoutMs,
    signal,
    lines = keptLines,
  }: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly lines?: number },
): Promise<EndedCommand> {
  const { exitCode, all, timedOut } = await execa(process.execPath, [cliPath(), ...args], {
    // an empty name is invalid
    env: { [ownerVariable]: owner === '' ? undefined : owner, NO_COLOR: '1' },
    ...{ stdin: 'ignore', all: true, reject: false, timeout: timeoutMs, cancelSignal: signal },
    maxBuffer: 10_000_000,
  })
  signal.throwIfAborted()
  const code = timedOut ? undefined : (exitCode ?? 128)
  return { code, output: all.trim().split('\n').slice(-lines).join('\n') }
}
