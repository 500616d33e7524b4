import * as z from 'zod'
import { checkArguments, duration, nonEmpty } from '../../text/checkArguments.js'
import type { Where } from './enterSandbox.js'

export interface CommandOptions extends Where {
  readonly input?: string | Uint8Array | undefined
  /** Discards the output, which saves a pipe. */
  readonly stdout?: 'ignore' | undefined
  /** Kills it after this time; by default a command that takes too long is an error (CannotRunError). */
  readonly timeoutMs?: number | undefined
  /** Longest time without output, for a tool with its own time limit: longer silence means that it hangs (CannotRunError). */
  readonly quietMs?: number | undefined
  /** Of the command alone if it has `files`, otherwise also of what runs before it. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** A tool of the host that vethlab calls for the lab: it may run in a shell of the sandbox though it has `files`. */
  readonly tool?: boolean | undefined
  /** Runs it once for each of these, a few at the same time: in its words, they replace {}. Needs `stdout: 'ignore'`. */
  readonly each?: readonly string[] | undefined
}

const shape = {
  argv: z.array(z.string()).min(1),
  options: z.looseObject({ netns: nonEmpty.optional(), timeoutMs: duration.optional() }),
}

/** Checks the arguments of a method that runs a command. Throws InputError. */
export function checkCommand(
  by: 'run' | 'start' | 'command',
  argv: readonly string[],
  options: CommandOptions,
): void {
  checkArguments(by, shape, { argv, options })
}
