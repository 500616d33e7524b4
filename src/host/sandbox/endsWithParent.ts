import { execa } from 'execa'
import { CannotRunError } from '../../errors.js'
import { installCommand, toolEnvironment } from '../environment.js'
import { longestCommandMs } from './toolFailure.js'

/**
 * Put before a command, the kernel kills it when its parent ends (prctl(2), PR_SET_PDEATHSIG). What notices that by itself, by
 * the end of a pipe or of a child, does not when a process of the lab has stopped it.
 */
export const endsWithParent: readonly string[] = ['setpriv', '--pdeathsig', 'KILL']

/** The error of a setpriv that does not start a command; undefined where it does. */
export async function setprivFault(): Promise<CannotRunError | undefined> {
  const [file = '', ...argv] = [...endsWithParent, 'echo', 'started']
  const { stdout, stderr, exitCode, signal } = await execa(file, argv, {
    env: toolEnvironment(),
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: longestCommandMs,
  })
  if (stdout === 'started') return undefined
  const how = signal === undefined ? `exited with ${exitCode ?? '?'}` : `was ended by ${signal}`
  return new CannotRunError(
    `setpriv is broken: \`${[file, ...argv].join(' ')}\` ${how}: ${stderr.trim() || stdout.trim()}`,
    installCommand(['setpriv'], true),
  )
}
