import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Test } from 'tap'

/** How a run of the command line ended. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Started {
  readonly pid: number
  readonly ended: Promise<Ended>
  kill(signal: NodeJS.Signals): void
  /** Resolves with its output and errors once they hold a text; rejects when it ends without. */
  says(text: string): Promise<string>
}

const cli = resolve('dist/cli.cjs')

/** Starts the built command line, as a user's shell would; `inside` is a command that gets it as its last arguments. */
export function start(
  args: readonly string[],
  options: {
    cwd?: string
    uid?: number
    input?: string
    env?: Readonly<Record<string, string>>
    inside?: readonly string[]
  } = {},
): Started {
  const { input, env, inside = [], ...spawning } = options
  const [file = '', ...rest] = [...inside, process.execPath, cli, ...args]
  const child = spawn(file, rest, {
    ...spawning,
    ...(spawning.uid === undefined ? {} : { gid: spawning.uid }),
    env: { ...process.env, LC_ALL: 'C.UTF-8', NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  let heard: () => void = () => undefined
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    heard()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    heard()
  })
  child.stdin.end(input ?? '')
  const ended = new Promise<Ended>((settle) => {
    child.on('close', (code, signal) => settle({ code, signal, stdout, stderr }))
  })
  return {
    pid: child.pid ?? 0,
    ended,
    kill: (signal) => child.kill(signal),
    says: (text) =>
      new Promise((resolve, reject) => {
        heard = () => {
          if ((stdout + stderr).includes(text)) resolve(stdout + stderr)
        }
        heard()
        void ended.then(() => reject(new Error(`it ended without saying "${text}":\n${stdout}${stderr}`)))
      }),
  }
}

/** Runs it to its end. */
export async function vethlab(
  args: readonly string[],
  options?: Parameters<typeof start>[1],
): Promise<Ended> {
  return start(args, options).ended
}

/** A copy of a lab with its own name, so that its processes differ from those of other tests. */
export function copyOfLab(t: Test, lab: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const copy = join(folder, `${lab}-${folder.slice(-6).toLowerCase()}`)
  cpSync(join('labs', lab), copy, { recursive: true })
  return copy
}
