import { closeSync, readlinkSync } from 'node:fs'
import { CommandError, SandboxError, type CannotRunError } from '../../errors.js'
import { isExhausted } from '../../hostFaults.js'
import { labEnvironment, toolEnvironment } from '../environment.js'
import { withVariables } from '../../topology/confined.js'
import type { SandboxFile } from '../../topology/types.js'
import { notRun, type CommandResult } from './commandResult.js'
import { checkCommand, type CommandOptions } from './commandOptions.js'
import { endsWithParent } from './endsWithParent.js'
import { enterSandbox, type Where } from './enterSandbox.js'
import { forcesBuffers } from './hostTool.js'
import { labGroupOf, type LabGroup } from '../groups/labGroup.js'
import { insideFiles, type InsideFiles } from './insideFiles.js'
import { onlyChild, rootOf } from './processTree.js'
import { relayLog } from '../kubelet/relayLog.js'
import { forEach, runInShell } from './runInShell.js'
import { endGroup, keepFailure, keepLimits, notStarted, spawned } from './toolFailure.js'
import { commandOutputBytes, startTool, startTurn, type ToolProcess } from './toolProcess.js'
import { startShells, toolShells } from './toolShells.js'

export interface StartOptions extends Omit<CommandOptions, 'timeoutMs' | 'quietMs' | 'input' | 'each'> {
  /** A file inside the sandbox for both outputs; without it they are read from the process. */
  readonly log?: string | undefined
  /** The first bytes of its standard input, which stays open; without them it has none. */
  readonly firstInput?: Buffer | undefined
}

/** A long-running command; `pid` is its pid on the host. */
export interface RunningCommand {
  readonly process: ToolProcess
  pid(): number | undefined
  readonly startedAt: Date
}

/** A set of namespaces of every kind. Everything in them ends with the call of `withSandbox`, or with this process. */
export interface Sandbox {
  /** Pid of the sandbox's first process on the host. */
  readonly pid: number
  readonly rootless: boolean
  /** The host's id of the sandbox's root: 0 only without a user namespace. */
  readonly owner: number
  /** Why its root is the host's; undefined if it is not. */
  readonly weakness: string | undefined
  /** The control group with its limits; undefined if the host allows none, or for a lab of a class. */
  readonly group?: LabGroup | undefined
  /** Whether a command with `largeMessages` can send netlink messages of any size. */
  readonly largeMessages: boolean
  readonly inside: InsideFiles
  writeFiles(files: readonly SandboxFile[]): Promise<void>
  /** Argument array that runs a command in the sandbox; valid while this process runs. */
  command(argv: readonly string[], options?: Where): string[]
  /** Runs a command until it ends, with any exit code. */
  run(argv: readonly string[], options?: CommandOptions): Promise<CommandResult>
  /** Runs a command and throws CommandError if it fails. */
  must(what: string, argv: readonly string[], options?: CommandOptions): Promise<CommandResult>
  start(argv: readonly string[], options?: StartOptions): RunningCommand
  /** Kills the commands of `run` and `must` that still run, such as a tool that hangs, and starts no more. */
  endCommands(): void
  /** False when its first process has ended, for any reason. */
  alive(): boolean
  /** The first error of a tool that hung or could not be started, also if its caller tries again later. */
  cannotRun(): CannotRunError | undefined
  /** Resolves with that error, when there is one. */
  readonly broken: Promise<CannotRunError>
  /** Resolves when the sandbox has ended, for any reason; never if another process holds it. */
  readonly ended: Promise<void>
}

/** Joins a sandbox that another process holds (a running lab). Throws SandboxError if the pid is that of no sandbox. */
export function joinSandbox(pid: number, rootless: boolean): Sandbox {
  requireSandbox(pid)
  const ended = new Promise<void>(() => undefined)
  return makeSandbox({ pid, rootless, weakness: undefined, group: labGroupOf(pid), ended })
}

/** A command would run on the host if its namespaces were those of this process. */
function requireSandbox(pid: number): void {
  const namespaces = (of: number | 'self') =>
    ['pid', 'mnt', 'net'].map((kind) => readlinkSync(`/proc/${of}/ns/${kind}`))
  const own = namespaces('self')
  try {
    if (namespaces(pid).every((one) => !own.includes(one))) return
  } catch (error) {
    throw new SandboxError('the sandbox has ended', error)
  }
  throw new SandboxError('this is no sandbox', `process ${pid} is in namespaces of the host`)
}

/** The handle of a running sandbox. */
export function makeSandbox({
  pid,
  rootless,
  weakness,
  group,
  ended,
}: Pick<Sandbox, 'pid' | 'rootless' | 'weakness' | 'group' | 'ended'>): Sandbox {
  const [toolEnv, labEnv] = [toolEnvironment(), labEnvironment()]
  const envOf = ({ files, env }: Pick<CommandOptions, 'files' | 'env'>) =>
    files === undefined ? { ...toolEnv, ...env } : labEnv
  const owner = rootOf(pid)
  const inside = insideFiles(`/proc/${pid}/root`, owner)
  const largeMessages = !rootless && forcesBuffers()
  const enter = (
    argv: readonly string[],
    { env = {}, ...where }: Where & Pick<CommandOptions, 'env'>,
    open?: number[],
  ) => {
    const command = where.files === undefined ? argv : withVariables(env, argv)
    return enterSandbox({ pid, rootless, owner, largeMessages, inside, group }, command, where, open)
  }
  let over = false
  void ended.then(() => (over = true))
  const shells = toolShells(
    () => [...endsWithParent, ...enter(['sh', '-c', startShells, 'tools'], {})],
    toolEnv,
  )
  const running = new Set<number | undefined>()
  const runOnce = async (argv: readonly string[], given: CommandOptions): Promise<CommandResult> => {
    checkCommand('run', argv, given)
    const inShell = over ? notRun : await runInShell(shells, inside, argv, given)
    if (inShell !== undefined) return inShell
    if (given.each !== undefined) return runOnce(...forEach(argv, given.each))
    await startTurn()
    if (over) return notRun
    const open: number[] = []
    const entered = enter(argv, given, open)
    const { input, stdout } = given
    const started = spawned(argv, () =>
      startTool(entered, {
        ...{ env: envOf(given), input, stdout, keep: true },
        // vethlab's own tools have no time limit, and it reads all of their output
        keptBytes: given.timeoutMs === undefined ? undefined : commandOutputBytes,
      }),
    )
    const limits = keepLimits(started, argv, given)
    running.add(started.pid)
    const result = await started
    running.delete(started.pid)
    close(open)
    const timedOut = limits.end()
    if (isExhausted(result.code)) throw notStarted(argv, result.message)
    return {
      exitCode: timedOut ? 124 : (result.exitCode ?? 128),
      signal: result.signal,
      stdout: result.stdout,
      stderr: result.stderr === '' && result.exitCode === undefined ? result.message : result.stderr,
      durationMs: result.durationMs,
      timedOut,
    }
  }
  const { run, cannotRun, broken } = keepFailure((argv: readonly string[], given: CommandOptions = {}) =>
    runOnce(argv, given),
  )
  return {
    pid,
    rootless,
    owner,
    weakness,
    group,
    largeMessages,
    inside,
    command(argv, given = {}) {
      checkCommand('command', argv, given)
      return enter(argv, given)
    },
    run,
    endCommands() {
      over = true
      shells.end()
      running.forEach(endGroup)
    },
    ended,
    alive: () => inside.exists('/run/vethlab'),
    cannotRun,
    broken,
    writeFiles: (files) => writeInto(inside, files),
    must: (what, argv, given) => mustSucceed(run, what, argv, given),
    start(argv, given = {}) {
      checkCommand('start', argv, given)
      const open: number[] = []
      const first = given.files === undefined ? endsWithParent : []
      const entered = [...first, ...enter(argv, given, open)]
      const log = given.log === undefined ? undefined : relayLog(inside, given.log)
      const begin = () =>
        startTool(entered, {
          ...{ env: envOf(given), open: given.firstInput !== undefined },
          ...{ fd: log?.fd, stdout: given.stdout, keep: false },
        })
      let started: ToolProcess
      try {
        started = spawned(argv, begin)
      } finally {
        if (log !== undefined) closeSync(log.fd)
      }
      // first, so that the log is complete where the end is reported
      if (log !== undefined) void started.then(() => log.drain())
      // it may have ended
      started.stdin?.on('error', () => undefined).write(given.firstInput)
      void started.then(() => close(open))
      // nsenter forks to enter the PID namespace: the command is its child
      return { process: started, pid: () => onlyChild(started.pid ?? 0), startedAt: new Date() }
    },
  }
}

/** Writes files of a plan. Rejects with SandboxError. */
export function writeInto(inside: InsideFiles, files: readonly SandboxFile[]): Promise<void> {
  try {
    for (const file of files) inside.write(file.path, file.text, file.encoding)
    return Promise.resolve()
  } catch (error) {
    return Promise.reject(new SandboxError('cannot write into the sandbox', error))
  }
}

/** Runs a command; rejects with CommandError if it fails. */
export async function mustSucceed(
  run: Sandbox['run'],
  what: string,
  argv: readonly string[],
  given: CommandOptions = {},
): Promise<CommandResult> {
  const result = await run(argv, given)
  if (result.exitCode !== 0) throw new CommandError({ what, argv, netns: given.netns, ...result })
  return result
}

/**
 * The result of work in a sandbox. Rejects with SandboxError if the sandbox ends first, and with CannotRunError if a tool of vethlab
 * hangs first, whatever the work waits for: a timer, a condition, a request, another attempt.
 */
export async function whileRunning<Result>(sandbox: Sandbox, work: Promise<Result>): Promise<Result> {
  const gone = sandbox.ended.then((): never => {
    throw new SandboxError('the sandbox ended unexpectedly', 'its first process has ended')
  })
  const broken = sandbox.broken.then((error) => Promise.reject(error))
  return Promise.race([work, gone, broken])
}

function close(descriptors: readonly number[]): void {
  descriptors.forEach((fd) => closeSync(fd))
}
