import { basename } from 'node:path'
import { Command } from 'commander'
import { exitCode, isKnownError } from '../errors.js'
import { listLabs } from '../lab/file/findLab.js'
import { loadLab } from '../lab/file/loadLab.js'
import { formatTable } from '../text/table.js'
import { print } from './output.js'

const help = `
Labs are the folders with a lab.yaml in labs/, in the current folder and in vethlab itself. Run a lab elsewhere by its path.

Example:
  $ vethlab list`

/** `vethlab list`: prints a line for each lab that `run` finds by name, with the error of one that is invalid (exit code 2). */
export function listCommand(): Command {
  return new Command('list').addHelpText('after', help).action(() => {
    const labs = listLabs().map(readTitle)
    print(formatTable(labs.map((lab) => [lab.name, lab.title])))
    if (labs.some((lab) => !lab.ok)) process.exitCode = exitCode.invalidInput
  })
}

interface Listed {
  readonly name: string
  readonly title: string
  readonly ok: boolean
}

function readTitle(directory: string): Listed {
  const name = basename(directory)
  try {
    return { name, title: loadLab(directory).title, ok: true }
  } catch (error) {
    if (!isKnownError(error)) throw error
    return { name, title: `invalid: ${error.message.split('\n')[0] ?? ''}`, ok: false }
  }
}
