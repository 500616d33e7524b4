import { Command } from 'commander'
import type { Language } from '../text/language.js'
import { languageOption } from './options.js'
import { check } from './workshop/check.js'
import { hint, solution } from './workshop/help.js'
import { list, status } from './workshop/overview.js'
import { openSession, type Session } from './workshop/session.js'
import { reset, start } from './workshop/start.js'

const help = `
An exercise is a lab with a fault. Find the fault with the commands that you use in a cluster, fix it, and run
\`workshop check\`. Your progress is stored in ~/.local/state/vethlab (XDG_STATE_HOME).

Example:
  $ sudo vethlab workshop list
  $ sudo vethlab workshop start nobody-home
  $ sudo vethlab workshop check`

type Act = (session: Session, exercise: string | undefined) => void | Promise<void>

/** `vethlab workshop`: guided exercises. */
export function workshopCommand(): Command {
  const workshop = new Command('workshop')
    .addOption(languageOption('tasks and messages'))
    .addHelpText('after', help)
  const one = (name: string, description: string, act: Act) =>
    add(workshop, name, description, act).argument(
      '[exercise]',
      'name of an exercise (default: the one started last)',
    )
  add(workshop, 'list', 'list all exercises', list)
  add(workshop, 'start', 'start the broken lab and print the task', (session, name) =>
    start(session, name ?? ''),
  ).argument('<exercise>', 'name of an exercise, or the path of its folder')
  one('check', 'print the checks that fail, or that the exercise is solved', check)
  one('hint', 'print the next hint', hint)
  one('solution', 'print the commands that fix it', solution)
  one('reset', 'start the broken lab again', reset)
  add(workshop, 'status', 'list the exercises that you started and solved', status)
  return workshop
}

function add(workshop: Command, name: string, description: string, act: Act): Command {
  const command = new Command(name).description(description).addOption(languageOption('tasks and messages'))
  workshop.addCommand(
    command.action(async () => {
      const { lang } = command.optsWithGlobals<{ lang?: Language }>()
      await act(openSession(lang), command.args[0])
    }),
  )
  return command
}
