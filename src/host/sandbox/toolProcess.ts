import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** How a process ended. */
export interface ToolEnd {
  /** Undefined if a signal ended it, or it did not start. */
  readonly exitCode: number | undefined
  readonly signal: NodeJS.Signals | undefined
  /** The code of the system call that failed to start it. */
  readonly code: string | undefined
  readonly message: string
  /** Its outputs; empty for those that were not kept. */
  readonly stdout: string
  readonly stderr: string
  readonly durationMs: number
}

/** A process; the promise resolves when it has ended and its outputs are closed, and never rejects. */
export type ToolProcess = Promise<ToolEnd> &
  Pick<ChildProcess, 'pid' | 'stdin' | 'stdout' | 'stderr' | 'kill'>

export interface ToolOptions {
  readonly env: Readonly<Record<string, string>>
  /** Written to its standard input, which then ends. */
  readonly input?: string | Uint8Array | undefined
  /** Its standard input stays open. */
  readonly open?: boolean
  /** Both outputs go to this descriptor. */
  readonly fd?: number | undefined
  readonly stdout?: 'ignore' | undefined
  /** Keep the outputs for the result; otherwise they are discarded unless the caller reads them at once. */
  readonly keep: boolean
}

let lastTurn = Promise.resolve()

/** Resolves when the caller may start a process: a start takes milliseconds, and between two of them signals and messages come. */
export function startTurn(): Promise<void> {
  return (lastTurn = lastTurn.then(() => nextTurn()))
}

/**
 * Starts a process in its own group: it can be killed as a group, and does not receive Ctrl-C from the terminal. For a hundred
 * short tools, execa takes as long as the tools.
 */
export function startTool([file = '', ...argv]: readonly string[], options: ToolOptions): ToolProcess {
  const { env, input, open = false, fd, stdout = 'pipe', keep } = options
  const begun = performance.now()
  const child: ChildProcess = spawn(file, argv, {
    env,
    detached: true,
    stdio: [input === undefined && !open ? 'ignore' : 'pipe', fd ?? stdout, fd ?? 'pipe'],
  })
  // without descriptors the process has no streams
  const texts = [child.stdout, child.stderr].map((stream) => keptText(stream ?? undefined, keep))
  if (input !== undefined) child.stdin?.on('error', () => undefined).end(input)
  const ended = new Promise<ToolEnd>((resolve) => {
    let fault: NodeJS.ErrnoException | undefined
    const settle = (exitCode?: number, signal?: NodeJS.Signals) => {
      const how = signal === undefined ? `exited with ${exitCode ?? '?'}` : `was ended by ${signal}`
      const [out = '', err = ''] = texts.map((text) => text())
      resolve({
        ...{ exitCode, signal, code: fault?.code, stdout: out, stderr: err },
        message: fault?.message ?? `${file} ${how}`,
        durationMs: performance.now() - begun,
      })
    }
    child.on('error', (error) => {
      fault = error
      if (child.pid === undefined) settle()
    })
    child.on('close', (code, signal) => settle(code ?? undefined, signal ?? undefined))
  })
  const { pid, stdin, stdout: out, stderr } = child
  return Object.assign(ended, { pid, stdin, stdout: out, stderr, kill: child.kill.bind(child) })
}

/** Reads a stream, and returns a function for its text so far. */
function keptText(stream: Readable | undefined, keep: boolean): () => string {
  const chunks: (Buffer | string)[] = []
  if (keep) stream?.on('data', (chunk: Buffer | string) => chunks.push(chunk))
  // a full pipe would block the process
  else setImmediate(() => stream?.readableFlowing === null && stream.resume())
  return () =>
    Buffer.concat(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk))).toString()
}
