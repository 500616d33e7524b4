import { constants } from 'node:os'
import { PassThrough, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { RunningCommand, StartOptions } from '../sandbox.js'
import type { ToolEnd, ToolProcess } from '../toolProcess.js'
import type { FakeFiles } from './fakeFiles.js'

/** A process that `start` of a fake sandbox started; it runs until it is ended. */
export interface FakeProcess {
  readonly argv: readonly string[]
  readonly options: StartOptions
  isRunning(): boolean
  /** What was written to its standard input so far; empty without `firstInput`. */
  input(): Buffer
  /** Writes output: to its log if it has one, otherwise to its streams. Throws Error if it has ended. */
  write(text: string, to?: 'stdout' | 'stderr'): void
  /** Ends it, with an exit code (0 by default) or a signal; does nothing if it has ended. */
  end(how?: { readonly exitCode: number } | { readonly signal: NodeJS.Signals }): void
}

/** A process that runs, for the test and for what started it. */
export function fakeProcess(
  argv: readonly string[],
  options: StartOptions,
  { files, pid }: { readonly files: FakeFiles; readonly pid: number },
): { readonly fake: FakeProcess; readonly running: RunningCommand } {
  const { log, firstInput } = options
  // without a descriptor of its own, a process of Node has no stream
  const stdout = log !== undefined || options.stdout === 'ignore' ? null : output()
  const stderr = log === undefined ? output() : null
  if (log !== undefined) files.write(log, '')
  const read: Buffer[] = []
  const stdin = firstInput === undefined ? null : input(read)
  stdin?.write(firstInput)

  const begun = performance.now()
  let isRunning = true
  let settle: (end: ToolEnd) => void
  const ended = new Promise<ToolEnd>((resolve) => (settle = resolve))

  const end = (exitCode: number | undefined, signal: NodeJS.Signals | undefined): boolean => {
    if (!isRunning) return false
    isRunning = false
    stdin?.destroy()
    const how = signal === undefined ? `exited with ${exitCode ?? '?'}` : `was ended by ${signal}`
    const closed = [stdout, stderr].flatMap((stream) => (stream === null ? [] : [finished(stream.end())]))
    void Promise.allSettled(closed).then(() =>
      settle({
        ...{ exitCode, signal, code: undefined, message: `${argv[0] ?? ''} ${how}`, stdout: '', stderr: '' },
        durationMs: performance.now() - begun,
      }),
    )
    return true
  }

  const kill: ToolProcess['kill'] = (signal = 'SIGTERM') => {
    // signal 0 asks whether it runs
    if (signal === 0) return isRunning
    const name = Object.entries(constants.signals).find(
      ([name, number]) => name === signal || number === signal,
    )
    return end(undefined, name?.[0] as NodeJS.Signals | undefined)
  }

  const fake: FakeProcess = {
    argv,
    options,
    isRunning: () => isRunning,
    input: () => Buffer.concat(read),
    write(text, to = 'stdout') {
      if (!isRunning) throw new Error(`${argv[0] ?? ''} has ended, and writes nothing`)
      if (log !== undefined) files.append(log, text)
      else (to === 'stdout' ? stdout : stderr)?.write(text)
    },
    end(how = { exitCode: 0 }) {
      if ('signal' in how) end(undefined, how.signal)
      else end(how.exitCode, undefined)
    },
  }
  const process: ToolProcess = Object.assign(ended, { pid, stdin, stdout, stderr, kill })
  return { fake, running: { process, pid: () => (isRunning ? pid : undefined), startedAt: new Date() } }
}

/** An output that is discarded unless it is read at once. */
function output(): PassThrough {
  const stream = new PassThrough()
  setImmediate(() => stream.readableFlowing === null && stream.resume())
  return stream
}

function input(read: Buffer[]): Writable {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      read.push(chunk)
      done()
    },
  })
  return stream.on('error', () => undefined)
}
