import { Command } from 'commander'
import { InputError } from '../../errors.js'
import { jsonText } from '../../reporters/jsonText.js'
import { classStore } from '../../workshop/class/classRecord.js'
import { newClass, withLink, withLinks, withParticipants } from '../../workshop/class/newClass.js'
import { classResults, resultsCsv } from '../../workshop/class/results.js'
import { joinersOf } from '../../workshop/class/roster.js'
import { startOver } from '../../workshop/class/startOver.js'
import { openWorkshop } from '../../workshop/workshop.js'
import { print } from '../output.js'
import { addServeOptions, type ServeFlags } from './classOptions.js'

const help = `
Links, progress and locks of the class are those of before. Without a class it serves one for a single participant.

Examples:
  $ vethlab workshop serve
  $ vethlab workshop serve --add grace,linus`

interface AddFlags extends ServeFlags {
  readonly add?: readonly string[]
}

/** `vethlab workshop serve`. */
export function serveCommand(): Command {
  const command = new Command('serve').description(
    'serve the exercises in the browser: the class that was made last',
  )
  return addServeOptions(command)
    .option('--add <names>', 'add participants to the class, with commas, and print their links', readNames)
    .addHelpText('after', help)
    .action(async ({ add = [], ...flags }: AddFlags) => {
      const { runClass } = await import('./runClass.js')
      const store = classStore()
      const found = store.read()
      if (found === undefined && add.length > 0)
        throw new InputError([{ message: 'there is no class', hint: '`vethlab workshop class` makes one' }])
      if (found?.endedAt !== undefined)
        throw new InputError([
          {
            message: `the class "${found.title}" has ended`,
            hint: '`vethlab workshop class` makes a new one',
          },
        ])
      if (found !== undefined && found.participants.length + add.length > 1) {
        const known = found.participants.map(({ name }) => name)
        if (add.length > 0) await startOver(joinersOf(known, add))
        const { record, links } = withLinks(withParticipants(found, add), add)
        return runClass(
          store,
          record,
          flags,
          links,
          () => 'Participants open the links that they have; the page of the trainer makes further ones.',
        )
      }
      const alone = found ?? newClass('Kubernetes Service networking', ['me'], undefined, Date.now())
      const [one = { name: 'me' }] = alone.participants
      const { record, token } = withLink(alone, one.name)
      const invited = [{ name: one.name, token }]
      await runClass(store, record, flags, invited, () => `Open the link of ${one.name}.`)
    })
}

function readNames(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim())
}

/** `vethlab workshop results`. */
export function resultsCommand(): Command {
  return new Command('results')
    .description('print the results of the class')
    .option('--json', 'print JSON instead of CSV')
    .action(({ json }: { json?: true }) => {
      const record = classStore().read()
      if (record === undefined)
        throw new InputError([{ message: 'there is no class', hint: '`vethlab workshop class` makes one' }])
      const results = classResults(record, (name) => openWorkshop(name, 'en').progress())
      print(json === true ? jsonText(results) : resultsCsv(results))
    })
}
