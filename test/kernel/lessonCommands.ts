import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Test } from 'tap'
import { loadLab } from '../../src/lab/file/loadLab.js'
import { lessonCommands, missingLine } from '../lessons/lesson.js'
import { cannotRun } from './ability.js'
import { cannotIpvs } from './ipvsAbility.js'
import { vethlab } from './servedCommands.js'

/** `vethlab` as the command of a line, also inside a pipe. */
const call = /(?<![\w/.-])vethlab (?=[a-z])/g
const cli = `${process.execPath} ${resolve('dist/cli.cjs')}`

/** The labs that have a lesson. */
export const labs = readdirSync('labs', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join('labs', entry.name, 'lab.yaml')))
  .map(({ name }) => name)

/** Types every command of a lab's lesson and compares what it prints with what the lesson shows. */
export function tryLesson(t: Test, lab: string): void {
  const readme = readFileSync(join('labs', lab, 'README.md'), 'utf8')
  const commands = lessonCommands(readme)
  const korean = lessonCommands(readFileSync(join('labs', lab, 'README.ko.md'), 'utf8'))
  const skip = cannotRun || (loadLab(join('labs', lab)).proxy.mode === 'ipvs' && cannotIpvs)
  t.test(`the commands of ${lab} show what the lesson says`, { skip }, async (t) => {
    t.ok(commands.length > 2, 'the lesson has commands to try')
    const copy = copyUnderOtherName(t, lab)
    // the Korean lesson has the same commands, and others only where they print Korean
    const translated = (index: number) =>
      korean.slice(index, index + 1).filter((one) => one.command.endsWith(' --lang ko'))
    for (const [index, { line, command, shown }] of commands.entries()) {
      t.match(command, call, `labs/${lab}/README.md:${line} calls vethlab`)
      const output = await run(ownCommand(command, lab, copy), lab)
      if (/^vethlab up [a-z0-9-]+$/.test(command)) t.match(output, / is running: /, command)
      const missing = missingLine(shown, output.replaceAll(copy.name, lab))
      t.equal(missing, undefined, `labs/${lab}/README.md:${line}: ${command}`, { output })
      for (const { line, command, shown } of translated(index)) {
        const output = await run(ownCommand(command, lab, copy), lab)
        const missing = missingLine(shown, output.replaceAll(copy.name, lab))
        t.equal(missing, undefined, `labs/${lab}/README.ko.md:${line}: ${command}`, { output })
      }
    }
  })
}

interface Copy {
  readonly name: string
  readonly folder: string
}

/** Somebody may have the lab itself up. */
function copyUnderOtherName(t: Test, lab: string): Copy {
  const parent = mkdtempSync(join(tmpdir(), 'vethlab-lesson-'))
  const name = `${lab}-${parent
    .slice(-6)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, 'x')}`
  const folder = join(parent, name)
  cpSync(join('labs', lab), folder, { recursive: true })
  // a lab may use the manifests of another, but not through a link
  cpSync('labs', parent, { recursive: true })
  t.teardown(async () => {
    await vethlab(['down', name])
    rmSync(parent, { recursive: true, force: true })
  })
  return { name, folder }
}

/** The command as a user types it, with this build and the copy of the lab. */
function ownCommand(command: string, lab: string, copy: Copy): string {
  return (
    command
      .replaceAll(call, `${cli} `)
      // a reader types it in the folder of the repository
      .replaceAll(` labs/${lab}/`, ` ${copy.folder}/`)
      .replace(new RegExp(`(cli\\.cjs (?:up|run|plan|trace|why)) ${lab}\\b`, 'g'), `$1 ${copy.folder}`)
      .replace(new RegExp(`(cli\\.cjs [a-z-]+) ${lab}(?= |$)`, 'g'), `$1 ${copy.name}`)
  )
}

/** What a terminal would show; a command of a lesson may fail, and that be the lesson. */
async function run(command: string, lab: string): Promise<string> {
  const cwd = join('labs', lab)
  if (command.startsWith(`${cli} `) && !/[^\w :=./,@-]/.test(command)) {
    const { stdout, stderr } = await vethlab(command.slice(cli.length + 1).split(/ +/), { cwd })
    return stdout + stderr
  }
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '' }
    const options = { cwd, env, timeout: 600_000, maxBuffer: 16 * 1024 * 1024 }
    execFile('sh', ['-c', `{ ${command}\n} 2>&1`], options, (_error, stdout) => resolve(stdout))
  })
}
