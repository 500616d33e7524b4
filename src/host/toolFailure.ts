import { CannotRunError } from '../errors.js'

/** No command of vethlab's own takes longer, except one that hangs; a step's commands have their own limits. */
export const longestCommandMs = 60_000

/** Without descriptors left a process fails to start in the middle, and execa with it. */
export function spawned<Started>(argv: readonly string[], spawn: () => Started): Started {
  try {
    return spawn()
  } catch (error) {
    throw notStarted(argv, error instanceof Error ? error.message : String(error))
  }
}

/** The error of a process that the host has no room for (exit code 3). */
export function notStarted(argv: readonly string[], message: string): CannotRunError {
  return new CannotRunError(
    `${argv[0] ?? ''} cannot be started, for this process may open no more files or start no more processes: ${message.split('\n')[0] ?? ''}`,
    'ulimit -n 4096',
  )
}

/** The error of a tool that does not end, or does not begin its work (exit code 3). */
export function hung(argv: readonly string[], netns?: string): CannotRunError {
  const where = netns === undefined ? '' : ` in netns ${netns}`
  // a script of vethlab's own would bury what hangs
  const words = argv.map((word) => (word.includes('\n') ? '…' : word)).join(' ')
  return new CannotRunError(
    `${argv[0] ?? ''} hangs: \`${words}\`${where} is not done after ${longestCommandMs / 1000} s`,
  )
}

/** Kills a process group, by the pid of its leader. */
export function endGroup(leader: number | undefined): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // it ended by itself in the meantime
  }
}
