import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

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

/**
 * A process; the promise never rejects. It resolves when the process has ended and its outputs are closed. A process that it has left in
 * the background may have them too: kept outputs are then what was written until shortly after the end.
 */
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
  /** The bytes of each output that are kept; a notice replaces the rest. */
  readonly keptBytes?: number | undefined
}

/** The bytes that are kept of each output of a user's command, which may write without end. */
export const commandOutputBytes = 16 * 2 ** 20

/** The same of a tool, such as iptables-save: a string of Node has at most 512 MiB. */
const toolOutputBytes = 256 * 2 ** 20

/** How long the outputs of a process that has ended may stay open. */
const outputGraceMs = 1000

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
  const { env, input, open = false, fd, stdout = 'pipe', keep, keptBytes = toolOutputBytes } = options
  const begun = performance.now()
  const child: ChildProcess = spawn(file, argv, {
    env,
    detached: true,
    stdio: [input === undefined && !open ? 'ignore' : 'pipe', fd ?? stdout, fd ?? 'pipe'],
  })
  // without descriptors the process has no streams
  const texts = [child.stdout, child.stderr].map((stream) =>
    keptText(stream ?? undefined, keep ? keptBytes : 0),
  )
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
    if (keep)
      child.on(
        'exit',
        (code, signal) => void afterGrace(child, () => settle(code ?? undefined, signal ?? undefined)),
      )
  })
  const { pid, stdin, stdout: out, stderr } = child
  return Object.assign(ended, { pid, stdin, stdout: out, stderr, kill: child.kill.bind(child) })
}

/** Calls back if the outputs of a process that has ended stay open; they are still read, and do not keep this process running. */
async function afterGrace({ stdout, stderr }: ChildProcess, onOver: () => void): Promise<void> {
  const outputs = [stdout, stderr].filter((stream) => stream !== null) as Socket[]
  const closed = Promise.all(outputs.map(async (stream) => stream.closed || once(stream, 'close')))
  await Promise.race([closed, delay(outputGraceMs, undefined, { ref: false })])
  // what the process has written is read, also if this process was busy
  await nextTurn()
  if (outputs.every((stream) => stream.closed)) return
  outputs.forEach((stream) => stream.unref())
  onOver()
}

/** The beginning of an output; a notice replaces what exceeds a number of bytes. */
export function boundedOutput(most = toolOutputBytes) {
  const chunks: Buffer[] = []
  let [kept, cut] = [0, false]
  return {
    add(chunk: Buffer | string) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      const part = bytes.subarray(0, most - kept)
      kept += part.length
      cut ||= part.length < bytes.length
      if (part.length > 0) chunks.push(part)
    },
    /** Its text so far, without the last bytes if it is whole. */
    text(without = 0) {
      const all = Buffer.concat(chunks)
      if (!cut) return all.toString('utf8', 0, all.length - without)
      return `${all.toString()}\n[vethlab: the output is cut after ${Math.round(most / 2 ** 20)} MiB]\n`
    },
  }
}

/** Reads the beginning of a stream, or discards all of it without a limit, and returns a function for its text so far. */
function keptText(stream: Readable | undefined, most: number): () => string {
  const output = boundedOutput(most)
  if (most > 0) stream?.on('data', (chunk: Buffer | string) => output.add(chunk))
  // a full pipe would block the process
  else setImmediate(() => stream?.readableFlowing === null && stream.resume())
  return () => output.text()
}
