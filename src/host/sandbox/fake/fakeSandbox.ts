import * as z from 'zod'
import { callback, checkArguments, duration, nonEmpty } from '../../../text/checkArguments.js'
import { notRun, type CommandResult } from '../commandResult.js'
import { checkCommand, type CommandOptions } from '../commandOptions.js'
import { mustSucceed, writeInto, type Sandbox, type StartOptions } from '../sandbox.js'
import { keepFailure } from '../toolFailure.js'
import { fakeFiles, type FakeFiles } from './fakeFiles.js'
import { fakeProcess, type FakeProcess } from './fakeProcess.js'
import {
  plannedCommands,
  type CommandMatcher,
  type FakeCommand,
  type PlannedResult,
} from './plannedCommands.js'

/** Returns the result of a planned command; it may read and write the files of the sandbox. What it throws, `run` rejects with. */
export type RunAction = (
  argv: readonly string[],
  options: CommandOptions,
) => PlannedResult | Promise<PlannedResult>

/** Called when a planned process starts; it may write output and end it. What it throws, `start` throws. */
export type StartAction = (process: FakeProcess) => void

/** Properties of a fake sandbox. */
export type FakeSandboxOptions = Partial<
  Pick<Sandbox, 'rootless' | 'owner' | 'weakness' | 'largeMessages' | 'command'>
>

/**
 * A sandbox for tests that need no kernel. It has files in memory, starts no process, and runs only what the test has planned: any
 * other command is an error.
 */
export interface FakeSandbox extends Sandbox {
  readonly inside: FakeFiles
  /**
   * Plans a command of `run` or `must`, by default one that succeeds, once. It may come in any order (compare `ran`); of several plans
   * for one command, the first is used up first. `times: Infinity` is any number of times, also none. A command with `each` comes
   * once, with {} in its words.
   */
  plan(command: CommandMatcher, result?: PlannedResult | RunAction, options?: { times?: number }): void
  /** Plans a process of `start`, once. */
  planStart(command: CommandMatcher, onStart?: StartAction): void
  /** The planned commands that came, in their order. */
  readonly ran: readonly FakeCommand[]
  /** The processes that were started, in their order; those that have ended too. */
  readonly processes: readonly FakeProcess[]
  /** Throws Error if a command came that was not planned, even if its error was caught, or if a planned one did not come. */
  readonly assertDone: () => void
  /** Ends the sandbox as `withSandbox` does: processes and commands are killed, and the files are gone. */
  stop(): Promise<void>
}

/** Folders that exist in every new sandbox. */
const folders = ['/run/vethlab', '/run/netns']
/** The kernel gives no process a pid above 2^22: what is sent to these reaches none. */
const highestPid = 2 ** 22

const optionsShape = z.strictObject({
  rootless: z.boolean().optional(),
  owner: z.int().min(0).optional(),
  weakness: nonEmpty.optional(),
  largeMessages: z.boolean().optional(),
  command: callback.optional(),
})

const matcherShape = z.union(
  [z.array(z.string()), z.instanceof(RegExp), callback],
  'expected an array of words, a RegExp, or a function',
)

const planShape = {
  command: matcherShape,
  result: z.union([callback, z.looseObject({})], 'expected an object or a function'),
  options: z.strictObject({ times: duration.optional() }),
}

/**
 * A new fake sandbox. Its defaults are those of a sandbox that root started: with a user namespace, without `largeMessages`. Its
 * pids belong to no process of the host: end processes with `FakeProcess.end` or `RunningCommand.process.kill`. It has no argument
 * arrays that run on the host: pass `command` if the tested code needs one.
 */
export function fakeSandbox(options: FakeSandboxOptions = {}): FakeSandbox {
  checkArguments('fakeSandbox', { options: optionsShape }, { options })
  const {
    rootless = false,
    owner = 1_000_000,
    weakness,
    largeMessages = false,
    command = noCommand,
  } = options
  let hasEnded = false
  let over = false
  let onEnded: () => void
  let onOver: () => void
  const ended = new Promise<void>((resolve) => (onEnded = resolve))
  const killed = new Promise<void>((resolve) => (onOver = resolve))
  const { files, close } = fakeFiles(folders, () => hasEnded)
  const planned = plannedCommands()
  const [runs, starts] = [planned.of<RunAction>('run'), planned.of<StartAction>('start')]
  const processes: FakeProcess[] = []

  const runOnce = async (argv: readonly string[], options: CommandOptions): Promise<CommandResult> => {
    checkCommand('run', argv, options)
    if (over) return notRun
    const action = runs.take({ by: 'run', argv, options })
    const result = Promise.resolve(action(argv, options))
    const late = killed.then(() => ({ signal: 'SIGKILL' }))
    return complete(argv, await Promise.race([result, late]), options)
  }
  const { run, cannotRun, broken } = keepFailure((argv: readonly string[], options: CommandOptions = {}) =>
    runOnce(argv, options),
  )
  const endCommands = () => {
    over = true
    onOver()
  }
  return {
    pid: highestPid + 1,
    ...{ rootless, owner, weakness, largeMessages, command, run, endCommands, ended, cannotRun, broken },
    inside: files,
    processes,
    ran: planned.ran,
    assertDone: planned.assertDone,
    alive: () => files.exists('/run/vethlab'),
    writeFiles: (written) => writeInto(files, written),
    must: (what, argv, options) => mustSucceed(run, what, argv, options),
    plan(matcher, result = {}, options = {}) {
      checkArguments('plan', planShape, { command: matcher, result, options })
      runs.add(matcher, typeof result === 'function' ? result : () => result, options.times ?? 1)
    },
    planStart(matcher, onStart = () => undefined) {
      checkArguments('planStart', { command: matcherShape, onStart: callback }, { command: matcher, onStart })
      starts.add(matcher, onStart, 1)
    },
    start(argv, options: StartOptions = {}) {
      checkCommand('start', argv, options)
      const pid = highestPid + 2 + processes.length
      // nsenter cannot enter a sandbox that has ended
      if (hasEnded) {
        const { fake, running } = fakeProcess(argv, options, { files, pid })
        fake.end({ exitCode: 1 })
        return running
      }
      const onStart = starts.take({ by: 'start', argv, options })
      const { fake, running } = fakeProcess(argv, options, { files, pid })
      processes.push(fake)
      onStart(fake)
      return running
    },
    stop() {
      endCommands()
      for (const process of processes) process.end({ signal: 'SIGKILL' })
      hasEnded = true
      close()
      onEnded()
      return ended
    },
  }
}

/** The result as a sandbox gives it: 124 after the time limit, 128 after a signal, and no output that is ignored. */
function complete(
  [program = '']: readonly string[],
  planned: PlannedResult,
  { stdout }: CommandOptions,
): CommandResult {
  const timedOut = planned.timedOut ?? false
  const signal = planned.signal ?? (timedOut ? 'SIGKILL' : undefined)
  const exitCode = timedOut ? 124 : signal !== undefined ? 128 : 0
  const stderr = signal === undefined ? '' : `${program} was ended by ${signal}`
  const result = { exitCode, stdout: '', stderr, durationMs: 0, ...planned, signal, timedOut }
  return stdout === 'ignore' ? { ...result, stdout: '' } : result
}

function noCommand(argv: readonly string[]): never {
  throw new Error(
    `the fake sandbox has no argument array for ${argv.join(' ')}: pass \`command\` in its options`,
  )
}
