import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { PassThrough, type Readable } from 'node:stream'
import { execa } from 'execa'
import { CommandError } from '../../errors.js'
import { asTool, labEnvironment, requireTools } from '../environment.js'
import { endsWithParent } from '../sandbox/endsWithParent.js'

/** Of a terminal, in characters. */
export interface TerminalSize {
  readonly rows: number
  readonly columns: number
}

/** A command on a terminal of its own. */
export interface RunningTerminal {
  /** What the command prints; ends with it. While nobody reads, the command waits. */
  readonly output: Readable
  /** Types text. Resolves when the terminal has room for more, or has ended. */
  write(text: string): Promise<void>
  /** Throws CommandError if the terminal cannot be resized. */
  resize(size: TerminalSize): Promise<void>
  /** Closes the terminal: its processes get SIGHUP. */
  close(): void
  readonly ended: Promise<void>
}

/**
 * Starts a command of `Sandbox.command` on a new terminal, which script(1) owns; both end with this process. Throws
 * CannotRunError if the host has no script.
 */
export function startTerminal(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  size: TerminalSize,
): RunningTerminal {
  requireTools(['script'])
  const command = `stty ${sizeArguments(size).join(' ')}; exec ${argv.map(shellWord).join(' ')}`
  const [file = '', ...rest] = [...endsWithParent, 'script', '-qfc', command, '/dev/null']
  const process = execa(file, rest, {
    // script runs the command by this shell
    env: { ...labEnvironment(), TERM: 'xterm-256color', ...env, SHELL: '/bin/sh' },
    ...{ extendEnv: false, reject: false, buffer: false, cleanup: false },
    // a process group of its own: it does not get Ctrl-C of the terminal of this process
    ...{ stdin: 'pipe', stdout: 'pipe', stderr: 'ignore', detached: true },
  })
  const { stdin, stdout } = process
  // execa reads and discards what comes before somebody reads
  const output = stdout.pipe(new PassThrough())
  // the command may have ended
  stdin.on('error', () => undefined)
  const ended = process.then(() => undefined)
  let isOver = false
  void ended.then(() => (isOver = true))
  const device = () => (isOver ? undefined : deviceOf(process.pid ?? 0))
  return {
    output,
    ended,
    async write(text) {
      if (isOver || stdin.write(text)) return
      // without a reader it is ending
      const hasRoom = once(stdin, 'drain').catch(() => ended)
      await Promise.race([hasRoom, ended])
    },
    async resize(wanted) {
      const found = device()
      // it starts or has ended
      if (found === undefined) return
      const argv = ['stty', '-F', found, ...sizeArguments(wanted)]
      const result = await execa(asTool())`${argv}`
      // it may have ended meanwhile
      if (result.exitCode !== 0 && device() !== undefined)
        throw new CommandError({ what: 'cannot resize the terminal', argv, ...result })
    },
    close: () => void process.kill('SIGKILL'),
  }
}

function sizeArguments({ rows, columns }: TerminalSize): string[] {
  return ['rows', String(rows), 'cols', String(columns)]
}

function shellWord(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** The device of the terminal that a process owns, as the kernel names it (fdinfo of /dev/ptmx); undefined for none. */
function deviceOf(pid: number): string | undefined {
  try {
    const folder = `/proc/${pid}/fdinfo`
    for (const name of readdirSync(folder)) {
      const [, index] = /^tty-index:\s*(\d+)$/m.exec(readFileSync(`${folder}/${name}`, 'utf8')) ?? []
      if (index !== undefined) return `/dev/pts/${index}`
    }
  } catch {
    // it has ended
  }
  return undefined
}
