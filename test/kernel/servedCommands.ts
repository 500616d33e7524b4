import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { resolve } from 'node:path'
import type { Ended } from './commandLine.js'

const script = resolve('test/fixtures/commandServer.mjs')

/** A process that runs one command line after the other. */
interface Server {
  readonly child: ChildProcess
  readonly mark: string
}

/** Servers that wait for a command. */
const idle: Server[] = []

/**
 * Runs the built command line to its end, in a process that may have run others before. It is for tests of what a command does;
 * where the process itself matters, use `vethlab` of commandLine.ts.
 */
export async function vethlab(
  args: readonly string[],
  { cwd = process.cwd(), env }: { cwd?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<Ended> {
  const server = idle.pop() ?? startServer()
  hold(server, true)
  const outputs = [server.child.stdout, server.child.stderr].map((stream) => untilMark(stream, server.mark))
  const order = { args, cwd: resolve(cwd), env: { ...process.env, LC_ALL: 'C.UTF-8', NO_COLOR: '1', ...env } }
  ;(server.child.stdio[3] as Writable).write(`${JSON.stringify(order)}\n`)
  const [stdout = '', stderr = ''] = await Promise.all(outputs)
  const code = codeAfter(stdout, server.mark)
  const [ofStdout, ofStderr] = [stdout, stderr].map((text) => text.split(server.mark, 1)[0] ?? '')
  if (code === undefined) {
    await ended(server.child)
    return { code: server.child.exitCode, signal: server.child.signalCode, stdout, stderr }
  }
  hold(server, false)
  idle.push(server)
  return { code, signal: null, stdout: ofStdout ?? '', stderr: ofStderr ?? '' }
}

function startServer(): Server {
  const mark = randomUUID()
  const child = spawn(process.execPath, [script, resolve('dist/vethlab.cjs'), mark], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8')
  return { child, mark }
}

/** Whether this process goes on while a server runs. */
function hold({ child }: Server, isHeld: boolean): void {
  for (const one of [child, ...child.stdio] as ({ ref(): void; unref(): void } | null)[])
    if (isHeld) one?.ref()
    else one?.unref()
}

/** What a stream has until a line that begins with `mark`, and that line; or all if it ends before. */
async function untilMark(stream: Readable | null, mark: string): Promise<string> {
  if (stream === null) return ''
  let text = ''
  return new Promise((resolve) => {
    const settle = () => {
      stream.off('data', add).off('close', settle)
      resolve(text)
    }
    const add = (chunk: string) => {
      text += chunk
      if (text.endsWith('\n') && codeAfter(text, mark) !== undefined) settle()
    }
    stream.on('data', add).on('close', settle)
  })
}

function codeAfter(text: string, mark: string): number | undefined {
  const at = text.lastIndexOf(mark)
  return at < 0 ? undefined : Number(text.slice(at + mark.length))
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
