import { chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Command } from 'commander'
import { InputError } from '../errors.js'
import { shellWords } from '../lab/file/shellWords.js'
import { starterLab } from './starterLab.js'
import { print } from './output.js'

const help = `
Example:
  $ vethlab init my-lab
  $ sudo vethlab run ./my-lab`

/** `vethlab init <dir>`: writes a small lab to start from; refuses a folder that holds something (exit code 2). */
export function initCommand(): Command {
  return new Command('init')
    .description('write a small lab of your own to start from')
    .argument('<dir>', 'the folder to write it to: a new one, or an empty one')
    .addHelpText('after', help)
    .action((directory: string) => {
      writeLab(directory)
      const path = /^\.{0,2}\//.test(directory) ? directory : `./${directory}`
      print(starterLab.map((file) => `${join(directory, file.path)}\n`).join(''))
      print(`\nRun it: sudo ${shellWords([...runWords(), path])}\n`)
    })
}

// In a checkout, npm is what people have; `vethlab` is not on their PATH.
function runWords(): readonly string[] {
  return process.env['npm_lifecycle_event'] === 'vethlab' ? ['npm', 'run', 'lab'] : ['vethlab', 'run']
}

function writeLab(directory: string): void {
  try {
    refuseUsed(directory)
    makeFolder(resolve(directory))
    for (const file of starterLab) {
      const path = resolve(directory, file.path)
      makeFolder(dirname(path))
      writeFileSync(path, file.text, { flag: 'wx' })
      giveToOwnerOfFolder(path)
    }
  } catch (error) {
    throw cannotWrite(directory, error)
  }
}

function refuseUsed(directory: string): void {
  const seen = statSync(directory, { throwIfNoEntry: false })
  if (seen === undefined) return
  if (!seen.isDirectory()) throw new InputError([{ message: `${directory} is not a folder` }])
  if (readdirSync(directory).length === 0) return
  const hint = 'name a new folder, or an empty one'
  throw new InputError([{ message: `${directory} is not empty: nothing was written`, hint }])
}

function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return
  makeFolder(dirname(path))
  mkdirSync(path)
  giveToOwnerOfFolder(path)
}

// Written with sudo, the lab still belongs to the user whose folder it is in.
function giveToOwnerOfFolder(path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  if (uid !== 0) chownSync(path, uid, gid)
}

function cannotWrite(directory: string, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error
  return new InputError([{ message: `cannot write to ${directory}: ${error.message}` }])
}
