import { Command, Option } from 'commander'
import { languages, type Language } from '../lab/workshop/types.js'
import { check } from './workshop/check.js'
import { hint, solution } from './workshop/help.js'
import { list, status } from './workshop/overview.js'
import { openSession, type Session } from './workshop/session.js'
import { reset, start } from './workshop/start.js'

const help = `
An exercise is a lab in which something is wrong. Find out what with the commands that you would use in a cluster, mend it,
and have it checked. Your progress is kept in ~/.local/state/vethlab (XDG_STATE_HOME).

Example:
  $ sudo vethlab workshop list
  $ sudo vethlab workshop start nobody-home
  $ sudo vethlab workshop check`

type Act = (session: Session, exercise: string | undefined) => void | Promise<void>

/** `vethlab workshop`: guided exercises. */
export function workshopCommand(): Command {
  const workshop = new Command('workshop')
    .summary('guided exercises: find out what is wrong in a lab, and mend it')
    .description('Guided exercises: labs in which something is wrong, to be found and mended.')
    .addOption(languageOption())
    .addHelpText('after', help)
  const one = (name: string, description: string, act: Act) =>
    add(workshop, name, description, act).argument('[exercise]', 'the one started last by default')
  add(workshop, 'list', 'show all exercises', list)
  add(
    workshop,
    'start',
    "bring an exercise's lab up in its starting state, and tell the task",
    (session, name) => start(session, name ?? ''),
  ).argument('<exercise>', 'name of an exercise, or the path of its folder')
  one('check', 'say what is still wrong, or that it is solved', check)
  one('hint', 'tell one more hint', hint)
  one('solution', 'show the commands that mend it', solution)
  one('reset', 'bring the lab back into its starting state', reset)
  add(workshop, 'status', 'show what you have begun and solved', status)
  return workshop
}

function add(workshop: Command, name: string, description: string, act: Act): Command {
  const command = new Command(name).description(description).addOption(languageOption())
  workshop.addCommand(
    command.action(async () => {
      const { lang } = command.optsWithGlobals<{ lang?: Language }>()
      await act(openSession(lang), command.args[0])
    }),
  )
  return command
}

function languageOption(): Option {
  return new Option(
    '--lang <language>',
    'language of tasks and messages; that of LC_ALL or LANG otherwise',
  ).choices(languages)
}
