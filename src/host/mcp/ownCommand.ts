import { execa } from 'execa'
import { cliPath } from '../builtFiles.js'

/** What a command of vethlab printed. */
export interface CommandAnswer {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Columns of the texts of commands that no terminal shows. */
const columns = 110

/**
 * Runs a command of vethlab in a process of its own, as a user would: its answer is what it prints. Throws when the signal aborts,
 * which ends the process.
 */
export async function ownCommand(args: readonly string[], signal: AbortSignal): Promise<CommandAnswer> {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [cliPath(), ...args], {
    ...{ stdin: 'ignore', reject: false, cancelSignal: signal, maxBuffer: 256 * 2 ** 20 },
    env: { NO_COLOR: '1', FORCE_COLOR: undefined, COLUMNS: String(columns) },
  })
  signal.throwIfAborted()
  return { code: exitCode ?? 3, stdout, stderr }
}
