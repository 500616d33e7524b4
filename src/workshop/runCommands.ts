import { exitCode } from '../errors.js'
import { runVethlab } from '../host/terminal/runVethlab.js'
import { wordsOfCommand } from './authors/commandsIn.js'

/** The time limit for a command that changes a lab, in milliseconds. */
const commandMs = 60_000

/** A command that ran; code 0 means that it worked. */
export interface RanCommand {
  readonly command: string
  /** Undefined if it did not end in time. */
  readonly code: number | undefined
  readonly output: string
}

/** Lines of the output of a command that are kept: the last ones. */
const keptLines = 500

/** Runs commands of vethlab as a participant types them, up to the first that fails. */
export async function runCommands(
  commands: readonly string[],
  owner: string,
  signal: AbortSignal,
  onCommand: (command: string) => void = () => undefined,
): Promise<readonly RanCommand[]> {
  const ran: RanCommand[] = []
  for (const command of commands) {
    onCommand(command)
    const ended = await run(command, owner, signal)
    ran.push({ command, ...ended })
    if (ended.code !== 0) break
  }
  return ran
}

async function run(command: string, owner: string, signal: AbortSignal) {
  const words = wordsOfCommand(command)
  if (words === undefined) return { code: exitCode.invalidInput, output: 'it needs a shell' }
  return runVethlab(words.slice(1), owner, { timeoutMs: commandMs, signal, lines: keptLines })
}
