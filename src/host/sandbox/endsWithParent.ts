import { CannotRunError, CommandError } from '../../errors.js'
import { installCommand, toolEnvironment, toolPath } from '../environment.js'
import { endGroup, longestCommandMs } from './toolFailure.js'
import { startTool } from './toolProcess.js'

/**
 * A prefix: the kernel kills the command when its parent ends (prctl(2), PR_SET_PDEATHSIG). A process that detects this by the
 * end of a pipe or of a child cannot do so while a process of the lab has stopped it.
 */
export const endsWithParent: readonly string[] = ['setpriv', '--pdeathsig', 'KILL']

/** For `map`: the path of the tool of a prefix; see `toolPath`. */
export function toolAt(word: string, index: number): string {
  return index === 0 ? toolPath(word) : word
}

/** The error message if setpriv cannot start a command; otherwise undefined. */
export async function setprivFault(): Promise<CannotRunError | undefined> {
  const argv = [...endsWithParent, 'echo', 'started']
  const started = startTool(argv, { env: toolEnvironment(), keep: true })
  const timer = setTimeout(() => endGroup(started.pid), longestCommandMs)
  const run = await started
  clearTimeout(timer)
  if (run.stdout === 'started\n') return undefined
  const { message } = new CommandError({ what: 'setpriv is broken', argv, ...run })
  return new CannotRunError(message, installCommand(['setpriv'], true))
}
