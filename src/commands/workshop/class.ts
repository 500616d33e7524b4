import { Command } from 'commander'
import { InputError } from '../../errors.js'
import { writeForCaller } from '../../host/callerFiles.js'
import { readText } from '../../host/readText.js'
import { learningPaths } from '../../lab/workshop/paths.js'
import { classStore } from '../../workshop/class/classRecord.js'
import { newClass, withLinks } from '../../workshop/class/newClass.js'
import { namesInText, rosterOf } from '../../workshop/class/roster.js'
import { startOver } from '../../workshop/class/startOver.js'
import { addServeOptions, type ServeFlags } from './classOptions.js'

interface ClassFlags extends ServeFlags {
  readonly file?: string
  readonly title: string
  readonly exercises?: readonly string[]
  readonly sheet?: string
  readonly replace?: true
}

const help = `
Participants open their link in a browser, on any number of devices, until the class ends. Ctrl-C ends the server;
\`vethlab workshop serve\` serves the same class again. Names are lower case letters, digits and "-".

Examples:
  $ vethlab workshop class 20 --listen 0.0.0.0 --sheet links.html
  $ vethlab workshop class ada grace linus --exercises two-hours`

/** `vethlab workshop class <participants…>`. */
export function classCommand(): Command {
  const command = new Command('class')
    .description('make a class, print a link for each participant, and serve it')
    .argument('[participants...]', 'their number, or their names')
    .option('--file <file>', 'a file with the names, one a line')
    .option('--title <title>', 'the title of the class', 'Kubernetes Service networking')
    .option(
      '--exercises <names>',
      'a learning path, or exercises with commas in their order (default: all)',
      readExercises,
    )
    .option(
      '--sheet <file>',
      'write an HTML file to print: a card with link and QR code for each participant',
    )
    .option('--replace', 'make a new class although there is one; its labs and progress are removed')
  return addServeOptions(command).addHelpText('after', help).action(makeClass)
}

async function makeClass(words: readonly string[], flags: ClassFlags): Promise<void> {
  const { exercisesOf, runClass } = await import('./runClass.js')
  const { sheetPage } = await import('../../view/class/sheet.js')
  const names = rosterOf(flags.file === undefined ? words : namesInText(readText(flags.file)))
  const store = classStore()
  const old = store.read()
  if (old !== undefined && old.endedAt === undefined && flags.replace !== true)
    throw new InputError([
      {
        message: `there is a class of ${old.participants.length}: "${old.title}"`,
        hint: '`vethlab workshop serve` serves it, --replace makes a new one',
      },
    ])
  const record = newClass(flags.title, names, flags.exercises, Date.now())
  exercisesOf(record)
  const invited = withLinks(record, names)
  await startOver([...new Set([...names, ...(old?.participants ?? []).map(({ name }) => name)])])
  await runClass(store, invited.record, flags, invited.links, (links) => {
    if (flags.sheet === undefined)
      return 'Open the link of the trainer, and give each participant the link with their name.'
    writeForCaller(flags.sheet, sheetPage(record.title, links))
    return `Open the link of the trainer. ${flags.sheet} has the links of participants: print it, and give each one their card.`
  })
}

/** The exercises that a learning path has, or those that are named. */
function readExercises(text: string): readonly string[] {
  const path = learningPaths().find(({ name }) => name === text)
  return path?.exercises ?? [...new Set(text.split(',').map((name) => name.trim()))]
}
