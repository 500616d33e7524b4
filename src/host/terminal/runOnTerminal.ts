import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { shellWord } from '../../text/shellWord.js'
import { labEnvironment, requireTools } from '../environment.js'
import { processesFrom, sendSignal } from '../sandbox/processTree.js'

/** How long a command has to end after SIGTERM or SIGHUP before it is killed. */
const graceMs = 1000
/** How long its outputs are read after its end, while nothing comes: a process that it left may keep them open. */
const quietMs = 200

/** How a command ended. */
export interface TerminalEnd {
  readonly exitCode: number | undefined
  readonly signal: NodeJS.Signals | undefined
  /** The signal that was forwarded to end it. */
  readonly passed: NodeJS.Signals | undefined
  /** Why it could not be started. */
  readonly problem: string | undefined
}

/**
 * Runs a command of `Sandbox.command` for a person until it ends, and forwards signals to it. It never gets the terminal of this
 * process, nor its session: a process that has a terminal can read what the person types later, and type commands (TIOCSTI). On a
 * terminal it gets another one, which script(1) owns; its standard input is a terminal only with such an output. Throws
 * CannotRunError if the host has no script.
 */
export async function runOnTerminal(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<TerminalEnd> {
  const onTerminal = process.stdin.isTTY && process.stdout.isTTY && isInForeground()
  if (onTerminal) requireTools(['script'])
  // before the command starts: an earlier signal would end only this process
  const signals = passSignals(() => child.pid)
  const child = onTerminal ? startOnTerminal(argv, env) : startWithPipes(argv, env)
  const end = await endOf(child)
  signals.stop()
  return { ...end, passed: signals.ending }
}

/** In the background, script would be stopped because it changes the settings of the terminal. */
function isInForeground(): boolean {
  // proc_pid_stat(5): after the name come state, parent, process group, session, terminal and the group in its foreground
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return fields[2] === fields[5]
}

function startOnTerminal(argv: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const errors = process.stderr.isTTY ? '' : ' 2>&3 3>&-'
  const command = `exec ${argv.map(shellWord).join(' ')}${errors}`
  return spawn('script', ['-qec', command, '/dev/null'], {
    stdio: ['inherit', 'inherit', 'inherit', ...(errors === '' ? [] : [2])],
    // script runs the command by this shell
    env: { ...labEnvironment(), ...env, SHELL: '/bin/sh' },
  })
}

/** In a session of its own, which has no terminal. */
function startWithPipes(
  [file = '', ...argv]: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const child = spawn(file, argv, {
    stdio: [
      process.stdin.isTTY ? 'ignore' : 'inherit',
      process.stdout.isTTY ? 'pipe' : 'inherit',
      process.stderr.isTTY ? 'pipe' : 'inherit',
    ],
    env: { ...labEnvironment(), ...env },
    detached: true,
  })
  child.stdout?.pipe(process.stdout, { end: false })
  child.stderr?.pipe(process.stderr, { end: false })
  return child
}

function endOf(child: ChildProcess): Promise<Omit<TerminalEnd, 'passed'>> {
  return new Promise((resolve) => {
    child.once('error', ({ message }) =>
      resolve({ exitCode: undefined, signal: undefined, problem: message }),
    )
    child.once('exit', (code, signal) => {
      const end = { exitCode: code ?? undefined, signal: signal ?? undefined, problem: undefined }
      const outputs = [child.stdout, child.stderr].flatMap((output) => output ?? [])
      const settle = () => {
        clearTimeout(quiet)
        for (const output of outputs) output.destroy()
        resolve(end)
      }
      const quiet = setTimeout(settle, quietMs)
      for (const output of outputs) output.on('data', () => quiet.refresh())
      child.once('close', settle)
    })
  })
}

/** Forwards signals to a command that nsenter has forked, because nsenter forwards none. */
function passSignals(startedPid: () => number | undefined) {
  const passed = { ending: undefined as NodeJS.Signals | undefined, stop: () => undefined as void }
  const send = (signal: NodeJS.Signals) => {
    for (const pid of processesFrom(startedPid() ?? 0).slice(1)) sendSignal(pid, signal)
  }
  const handlers = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const handler = () => {
      if (startedPid() === undefined) return
      send(signal)
      if (signal === 'SIGINT') return
      passed.ending = signal
      setTimeout(() => send('SIGKILL'), graceMs).unref()
    }
    process.on(signal, handler)
    return () => process.off(signal, handler)
  })
  passed.stop = () => handlers.forEach((off) => off())
  return passed
}
