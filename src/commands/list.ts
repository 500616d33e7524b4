import { basename } from 'node:path'
import { Command } from 'commander'
import { exitCode, isKnownError } from '../errors.js'
import { listLabs } from '../lab/file/findLab.js'
import { loadLab } from '../lab/file/loadLab.js'
import { jsonText } from '../reporters/jsonText.js'
import { cut } from '../text/textWidth.js'
import { formatTable } from '../text/table.js'
import { print, printColoured } from './output.js'

const help = `
Labs are the folders with a lab.yaml in labs/, in the current folder and in vethlab itself. Run a lab elsewhere by its path.

Example:
  $ vethlab list
  $ vethlab list --json | jq -r '.[].lab'`

/** `vethlab list`: prints a line for each lab that `run` finds by name, with the error of one that is invalid (exit code 2). */
export function listCommand(): Command {
  return new Command('list')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(({ json }: { json?: true }) => {
      const labs = listLabs().map(readTitle)
      if (json === true) print(jsonText(labs.map(inJson)))
      else printColoured(fitting(formatTable(labs.map(({ name, title, error }) => [name, error ?? title]))))
      if (labs.some(({ error }) => error !== undefined)) process.exitCode = exitCode.invalidInput
    })
}

interface Listed {
  readonly name: string
  readonly directory: string
  readonly title: string
  readonly summary?: string | undefined
  /** Why the lab cannot be read. */
  readonly error?: string
}

/** A lab as JSON. */
export function inJson({ name, directory, title, summary, error }: Listed) {
  return { lab: name, directory, title, ...(summary && { summary }), ...(error && { error }) }
}

/** On a terminal, lines end at its right edge. */
function fitting(table: string): string {
  const { columns } = process.stdout
  if (columns === undefined) return table
  return table.replace(/.+/g, (line) => cut(line, columns))
}

function readTitle(directory: string): Listed {
  const name = basename(directory)
  try {
    const { title, summary } = loadLab(directory)
    return { name, directory, title, summary }
  } catch (error) {
    if (!isKnownError(error)) throw error
    return { name, directory, title: '', error: `invalid: ${error.message.split('\n')[0] ?? ''}` }
  }
}
