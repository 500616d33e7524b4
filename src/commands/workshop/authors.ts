import { join } from 'node:path'
import { Command } from 'commander'
import { exitCode, InputError } from '../../errors.js'
import { calledAs } from '../../host/calledAs.js'
import { writeNewFolder } from '../../host/newFolder.js'
import { listLabs } from '../../lab/file/findLab.js'
import { listExercises } from '../../lab/workshop/findExercise.js'
import { loadExercise } from '../../lab/workshop/loadExercise.js'
import { createColours } from '../../text/colour.js'
import { reflow } from '../../text/reflow.js'
import { print, printColoured } from '../output.js'
import { foldedWidth, terminal } from '../terminal.js'
import { unlessInterrupted } from './start.js'

/** `vethlab workshop init <name>`: writes an exercise to start from. */
export function initExerciseCommand(): Command {
  return new Command('init')
    .description('write an exercise to start from, with a fault, checks, hints and a solution')
    .argument('<name>', 'a new name: lower case words with - between them; it must not reveal the fault')
    .addHelpText(
      'after',
      '\nExample:\n  $ vethlab workshop init silent-port\n  $ vethlab workshop test silent-port',
    )
    .action(async (name: string) => {
      const { newExercise } = await import('../../workshop/authors/newExercise.js')
      rejectName(name)
      const folder = join('labs/exercises', name)
      const files = newExercise(name)
      writeNewFolder(folder, files)
      print(files.map(({ path }) => `${join(folder, path)}\n`).join(''))
      print(`\nTest it: sudo ${calledAs().join(' ')} workshop test ${name}\n`)
    })
}

function rejectName(name: string): void {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    throw new InputError([{ message: `"${name}" is not a name: write lower case words with - between them` }])
  const taken = [...listLabs(), ...listExercises()].find((folder) => folder.endsWith(`/${name}`))
  if (taken !== undefined)
    throw new InputError([
      { message: `there is a lab or an exercise "${name}"`, hint: 'choose another name' },
    ])
}

const testHelp = `
Starts the lab of each exercise without its fault and with it, carries out the solution, and removes the lab. Labs and progress
of participants are not touched.

Exit codes: 0 all exercises pass, 1 a finding, 2 an exercise is invalid, 3 this host cannot run it.

Examples:
  $ vethlab workshop test silent-port
  $ vethlab workshop test`

/** `vethlab workshop test [exercises…]`. */
export function testExerciseCommand(): Command {
  return new Command('test')
    .description('test exercises: fault, checks, hints, solution, and texts in both languages')
    .argument('[exercises...]', 'names of exercises, or paths of their folders (default: all)')
    .addHelpText('after', testHelp)
    .action(async (names: readonly string[], _: unknown, { parent }: Command) =>
      testAll(names, parent?.parent?.commands.map((verb) => verb.name()) ?? []),
    )
}

async function testAll(names: readonly string[], verbs: readonly string[]): Promise<void> {
  const { testExercise } = await import('../../workshop/authors/testExercise.js')
  const { colour } = terminal()
  const colours = createColours(colour)
  const exercises = loaded(names.length > 0 ? names : listExercises())
  const failed = await unlessInterrupted(async (signal) => {
    const failed: string[] = []
    for (const exercise of exercises) {
      printColoured(`${colours.bold(exercise.name)}\n`)
      const found = ({ what, problems }: { readonly what: string; readonly problems: readonly string[] }) => {
        const sign = problems.length === 0 ? colours.good('✓') : colours.bad('✗')
        printColoured(`  ${sign} ${indented(what, 4)}\n`)
        for (const problem of problems) printColoured(`      ${indented(problem, 6)}\n`)
      }
      if (!(await testExercise(exercise, verbs, { found, signal }))) failed.push(exercise.name)
    }
    return failed
  })
  if (failed === undefined) return
  const passed = exercises.length - failed.length
  print(
    `${passed} of ${exercises.length} exercises passed${failed.length === 0 ? '' : `; failed: ${failed.join(', ')}`}\n`,
  )
  if (failed.length > 0) process.exitCode = exitCode.checkFailed
}

/** Reads all before the first one is tested. Throws InputError with the problems of all. */
function loaded(names: readonly string[]) {
  const problems: InputError['problems'][number][] = []
  const exercises = names.flatMap((name) => {
    try {
      return [loadExercise(name)]
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      problems.push(...error.problems)
      return []
    }
  })
  if (problems.length > 0) throw new InputError(problems)
  return exercises
}

/** Wraps a text for a terminal; lines after the first are indented. */
function indented(text: string, indent: number): string {
  const width = foldedWidth()
  if (width === undefined) return text
  return reflow(text, Math.max(40, width - indent)).replaceAll('\n', `\n${' '.repeat(indent)}`)
}
