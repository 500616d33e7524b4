import { join } from 'node:path'
import { Command } from 'commander'
import { anywhere, calledAs } from '../host/calledAs.js'
import { writeNewFolder } from '../host/newFolder.js'
import { shellWords } from '../lab/file/shellWords.js'
import { starterLab } from './starterLab.js'
import { print } from './output.js'

const help = `
Example:
  $ vethlab init my-lab
  $ vethlab run ./my-lab`

/** `vethlab init <dir>`: writes a small lab to start from; rejects a folder that is not empty (exit code 2). */
export function initCommand(): Command {
  return new Command('init')
    .description('The lab has one Deployment, one NodePort Service and three steps, and passes as it is.')
    .argument('<dir>', 'a folder that is new or empty')
    .addHelpText('after', help)
    .action((directory: string) => {
      const files = starterLab(shellWords(anywhere()))
      writeNewFolder(directory, files)
      const path = /^\.{0,2}\//.test(directory) ? directory : `./${directory}`
      print(files.map((file) => `${join(directory, file.path)}\n`).join(''))
      print(`\nRun it: sudo ${shellWords([...calledAs(), 'run', path])}\n`)
    })
}
