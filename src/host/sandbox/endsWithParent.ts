import { execa } from 'execa'
import { CannotRunError, CommandError } from '../../errors.js'
import { asTool, installCommand } from '../environment.js'
import { longestCommandMs } from './toolFailure.js'

/**
 * Put before a command, the kernel kills it when its parent ends (prctl(2), PR_SET_PDEATHSIG). What notices that by itself, by
 * the end of a pipe or of a child, does not when a process of the lab has stopped it.
 */
export const endsWithParent: readonly string[] = ['setpriv', '--pdeathsig', 'KILL']

/** The error of a setpriv that does not start a command; undefined where it does. */
export async function setprivFault(): Promise<CannotRunError | undefined> {
  const argv = [...endsWithParent, 'echo', 'started']
  const run = await execa({ ...asTool(), timeout: longestCommandMs })`${argv}`
  if (run.stdout === 'started') return undefined
  const { message } = new CommandError({ what: 'setpriv is broken', argv, ...run })
  return new CannotRunError(message, installCommand(['setpriv'], true))
}
