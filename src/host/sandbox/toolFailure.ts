import type { ChildProcess } from 'node:child_process'
import { CannotRunError } from '../../errors.js'

/** Time limit of vethlab's own commands: one that takes longer hangs. Commands of steps have their own limits. */
export const longestCommandMs = 60_000

/** Maximum length of a command in an error: that of many requests is a page long. */
const mostCharacters = 300

/** If no descriptors are left, starting a process can fail halfway. */
export function spawned<Started>(argv: readonly string[], spawn: () => Started): Started {
  try {
    return spawn()
  } catch (error) {
    throw notStarted(argv, error instanceof Error ? error.message : String(error))
  }
}

/** The error when the host does not have the resources for a process (exit code 3). */
export function notStarted(argv: readonly string[], message: string): CannotRunError {
  return new CannotRunError(
    `${argv[0] ?? ''} cannot be started: the limit of open files or processes is reached: ${message.split('\n')[0] ?? ''}`,
    'ulimit -n 4096',
  )
}

/** The error of a tool that does not end, or does not start its work (exit code 3). */
export function hung(
  argv: readonly string[],
  { netns, afterMs = longestCommandMs }: { netns?: string | undefined; afterMs?: number | undefined } = {},
): CannotRunError {
  const where = netns === undefined ? '' : ` in netns ${netns}`
  // a multi-line script of vethlab would hide the command
  const all = argv.map((word) => (word.includes('\n') ? '…' : word)).join(' ')
  const words = all.length > mostCharacters ? `${all.slice(0, mostCharacters)}…` : all
  return new CannotRunError(
    `${argv[0] ?? ''} hangs: \`${words}\`${where} is not done after ${Math.round(afterMs / 1000)} s`,
  )
}

/** Limits of a command: its running time, and the time without output. */
interface CommandLimits {
  readonly netns?: string | undefined
  readonly timeoutMs?: number | undefined
  readonly quietMs?: number | undefined
}

/**
 * Ends a command at its limits. Call `end` when the command has ended: it returns whether the time limit was reached, and
 * throws CannotRunError if the command hung.
 */
export function keepLimits(
  { pid, stdout, stderr }: Pick<ChildProcess, 'pid' | 'stdout' | 'stderr'>,
  argv: readonly string[],
  { netns, timeoutMs, quietMs }: CommandLimits,
): { end(): boolean } {
  let over: 'time' | 'silence' | undefined
  const endAfter = (ms: number, why: 'time' | 'silence') =>
    setTimeout(() => {
      over ??= why
      endGroup(pid)
    }, ms)
  const time = timeoutMs === undefined ? undefined : endAfter(timeoutMs, 'time')
  const silenceMs = quietMs ?? (timeoutMs === undefined ? longestCommandMs : undefined)
  const silence = silenceMs === undefined ? undefined : endAfter(silenceMs, 'silence')
  if (quietMs !== undefined)
    for (const output of [stdout, stderr]) output?.on('data', () => silence?.refresh())
  return {
    end() {
      clearTimeout(time)
      clearTimeout(silence)
      if (over === 'silence') throw hung(argv, { netns, afterMs: silenceMs })
      return over === 'time'
    },
  }
}

/** Kills a process group, by the pid of its leader. */
export function endGroup(leader: number | undefined): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // it has already ended
  }
}

/**
 * Runs commands, and keeps the first error of a tool that hung or could not be started, also if its caller tries again later.
 * `broken` resolves with that error, when there is one.
 */
export function keepFailure<Given extends readonly unknown[], Result>(
  runOnce: (...given: Given) => Promise<Result>,
): {
  readonly run: (...given: Given) => Promise<Result>
  readonly cannotRun: () => CannotRunError | undefined
  readonly broken: Promise<CannotRunError>
} {
  let cannotRun: CannotRunError | undefined
  let onBroken: (error: CannotRunError) => void
  const broken = new Promise<CannotRunError>((resolve) => (onBroken = resolve))
  return {
    async run(...given) {
      try {
        return await runOnce(...given)
      } catch (error) {
        if (error instanceof CannotRunError) onBroken((cannotRun ??= error))
        throw error
      }
    },
    cannotRun: () => cannotRun,
    broken,
  }
}
