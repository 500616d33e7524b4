import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type { Test } from 'tap'
import { start, type Ended, type Started } from './commandLine.js'
import { vethlab } from './servedCommands.js'

/** An exercise under a name of its own, with a participant of its own: others may have the exercise itself up. */
export interface ExerciseCopy {
  readonly name: string
  /** The folder in which its progress is kept. */
  readonly state: string
  workshop(...args: readonly string[]): Promise<Ended>
  /** Answers the questions of the exercise. */
  quiz(...answers: readonly (string | number)[]): Promise<Ended>
  begin(...args: readonly string[]): Started
  /** Types a command of a task or solution, as a shell reads it. */
  type(command: string): Promise<Ended>
}

/** Copies an exercise; what is up of it goes with the test. */
export function copyOfExercise(t: Test, directory: string): ExerciseCopy {
  const cwd = mkdtempSync(join(tmpdir(), 'vethlab-workshop-'))
  const original = basename(directory)
  const name = `${original}-${cwd.slice(-6).toLowerCase()}`
  cpSync(directory, join(cwd, 'labs/exercises', name), { recursive: true })
  const state = join(cwd, 'state')
  const options = { cwd, env: { XDG_STATE_HOME: state, LC_ALL: 'C.UTF-8', SUDO_UID: '' } }
  t.teardown(async () => {
    await vethlab(['down', name])
    rmSync(cwd, { recursive: true, force: true })
  })
  const cli = `${process.execPath} ${resolve('dist/cli.cjs')}`
  return {
    name,
    state,
    workshop: (...args) => vethlab(['workshop', ...args], options),
    quiz: (...answers) => start(['workshop', 'quiz'], { ...options, input: `${answers.join('\n')}\n` }).ended,
    begin: (...args) => start(['workshop', ...args], options),
    async type(command) {
      const own = command
        .replaceAll(/(?<=^|\| )vethlab/g, cli)
        .replaceAll(new RegExp(`(?<= )${original}(?= )`, 'g'), name)
      return shell(own, options)
    },
  }
}

function shell(command: string, { cwd, env }: { cwd: string; env: Record<string, string> }): Promise<Ended> {
  const child = spawn('sh', ['-c', command], { cwd, env: { ...process.env, ...env, NO_COLOR: '1' } })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((settle) => {
    child.on('close', (code, signal) => settle({ code, signal, stdout, stderr }))
  })
}
