import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { constants } from 'node:os'
import type { Socket } from 'node:net'
import type { CannotRunError } from '../../errors.js'
import { shellOrder, type ShellCommand } from './shellOrder.js'
import { endGroup, hung, longestCommandMs } from './toolFailure.js'
import { boundedOutput } from './toolProcess.js'

/** How a command of a shell ended. */
export interface ShellResult {
  readonly exitCode: number
  readonly signal: NodeJS.Signals | undefined
  readonly stdout: string
  readonly stderr: string
}

/** Shells in a sandbox that run vethlab's own tools; see `startShells`. */
export interface ToolShells {
  /**
   * `quietMs` is as in CommandOptions. Undefined if no shell is free, the command cannot be sent to one, or its shell ended before
   * it began. A command that hangs ends all shells: the commands of the others reject with its CannotRunError too.
   */
  run(command: ShellCommand, quietMs?: number): Promise<ShellResult | undefined>
  /** Kills the shells and what runs in them. */
  end(): void
}

/** Descriptors of the further shells: one for orders and output, and one for errors. dash names none above 9. */
const further = [3, 5, 7]

const closed = further.map((fd) => `${fd}>&- ${fd + 1}>&-`).join(' ')

/**
 * The program of the process: a shell for each pair of descriptors, and one that replaces it. Each reads orders and runs them one
 * after another.
 */
export const startShells = `
${further.map((fd) => `sh <&${fd} >&${fd} 2>&${fd + 1} ${closed} &`).join('\n')}
exec sh ${closed}
`

interface Shell {
  readonly orders: Socket
  readonly stdout: Socket
  readonly stderr: Socket
  busy: boolean
}

interface ShellGroup {
  readonly child: ChildProcess
  readonly shells: Shell[]
  hung?: CannotRunError
}

/**
 * Runs tools in shells that are already in the sandbox: to start a process, Node copies its own memory map, and the process enters
 * each namespace and executes several programs first. `argv` starts the shells, when the first command needs one. If a process of
 * the lab ends them, the next command starts others. They do not keep this process running.
 *
 * Only for tools of vethlab: a program of the lab would have the descriptors of its shell.
 */
export function toolShells(argv: () => readonly string[], env: Readonly<Record<string, string>>): ToolShells {
  let group: ShellGroup | undefined
  const running = () => {
    if (group !== undefined && group.shells.length > 0) return group
    group = start(argv(), env)
    return group
  }
  return {
    end() {
      // the number of a process that has ended can be another's
      if (group?.child.exitCode === null && group.child.signalCode === null) endGroup(group.child.pid)
    },
    async run(command, quietMs) {
      const end = randomBytes(16).toString('hex')
      const order = shellOrder(command, end)
      if (order === undefined) return undefined
      const group = running()
      const shell = group.shells.find(({ busy }) => !busy)
      if (shell === undefined) return undefined
      const afterMs = quietMs ?? longestCommandMs
      const timer = setTimeout(() => {
        group.hung ??= hung(command.argv, { netns: command.netns, afterMs })
        endGroup(group.child.pid)
      }, afterMs)
      const refresh = () => timer.refresh()
      const outputs = quietMs === undefined ? [] : [shell.stdout, shell.stderr]
      for (const output of outputs) output.on('data', refresh)
      try {
        return await carryOut(group, shell, order, end)
      } finally {
        clearTimeout(timer)
        for (const output of outputs) output.off('data', refresh)
      }
    },
  }
}

function start([file = '', ...argv]: readonly string[], env: Readonly<Record<string, string>>): ShellGroup {
  const child = spawn(file, argv, {
    env,
    detached: true,
    stdio: Array<'pipe'>(further.length * 2 + 3).fill('pipe'),
  })
  const sockets = child.stdio as unknown as readonly Socket[]
  const shells = [[0, 1, 2], ...further.map((fd) => [fd, fd, fd + 1])].flatMap(([orders, stdout, stderr]) => {
    const [to, out, err] = [sockets[orders ?? 0], sockets[stdout ?? 0], sockets[stderr ?? 0]]
    return to === undefined || out === undefined || err === undefined
      ? []
      : [{ orders: to, stdout: out, stderr: err, busy: false }]
  })
  const forget = (shell: Shell) =>
    shells.splice(0, shells.length, ...shells.filter((other) => other !== shell))
  for (const shell of shells) shell.stdout.once('close', () => forget(shell))
  // a process that cannot be started has no sockets: the command is then started directly, which has the error
  child.on('error', () => shells.splice(0))
  child.unref()
  for (const socket of sockets) socket.on('error', () => undefined).unref()
  return { child, shells }
}

async function carryOut(
  group: ShellGroup,
  shell: Shell,
  order: string,
  end: string,
): Promise<ShellResult | undefined> {
  shell.busy = true
  const outputs = Promise.all([upTo(shell.stdout, `${end} `), upTo(shell.stderr, end)])
  wake(group.child.pid)
  shell.orders.write(order)
  const [out, err] = await outputs
  shell.busy = false
  const begun = out.text.indexOf(`${end}\n`)
  if (begun < 0) return undefined
  const stdout = out.text.slice(begun + end.length + 1)
  if (out.end === undefined) {
    if (group.hung !== undefined) throw group.hung
    const stderr = `${err.text}\nthe shell of the sandbox that ran it has ended`
    return { exitCode: 128, signal: undefined, stdout, stderr }
  }
  const code = Number(out.end.split(' ')[1])
  const signal = signalOf(code)
  return { exitCode: signal === undefined ? code : 128, signal, stdout, stderr: err.text }
}

/** A shell's exit code of a command that a signal ended is 128 and its number. */
function signalOf(code: number): NodeJS.Signals | undefined {
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128)
  return found?.[0] as NodeJS.Signals | undefined
}

/** A process of the lab can stop all others of the sandbox. */
function wake(group: number | undefined): void {
  if (group === undefined) return
  try {
    process.kill(-group, 'SIGCONT')
  } catch {
    // it has ended, and so have its sockets
  }
}

/** What a stream has before a line that begins with `end`, and that line; without it if the stream closes. */
function upTo(stream: Socket, end: string): Promise<{ text: string; end: string | undefined }> {
  return new Promise((resolve) => {
    const output = boundedOutput()
    let tail = ''
    const settle = (line: string | undefined) => {
      stream.off('data', read).off('close', gone)
      resolve({ text: output.text(line?.length ?? 0), end: line?.trimEnd() })
    }
    const read = (chunk: Buffer) => {
      output.add(chunk)
      tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - 80))).slice(-80)
      const at = tail.indexOf(end)
      if (at >= 0 && tail.endsWith('\n')) settle(tail.slice(at))
    }
    const gone = () => settle(undefined)
    stream.on('data', read).once('close', gone)
    if (stream.destroyed) gone()
  })
}
