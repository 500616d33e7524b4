import { Command } from 'commander'
import type { Language } from '../text/language.js'
import { languageOption } from './options.js'
import { initExerciseCommand, testExerciseCommand } from './workshop/authors.js'
import { readStep, restore, save, solve } from './workshop/checkpoint.js'
import { check } from './workshop/check.js'
import { classCommand } from './workshop/class.js'
import { hint, solution } from './workshop/help.js'
import { list, listPath, status } from './workshop/overview.js'
import { quiz } from './workshop/quiz.js'
import { openSession, type Session } from './workshop/session.js'
import { resultsCommand, serveCommand } from './workshop/serve.js'
import { reset, start } from './workshop/start.js'

const help = `
An exercise is a lab with a fault. Find the fault with the commands that you use in a cluster, fix it, and run
\`workshop check\`. Your progress is stored in ~/.local/state/vethlab (XDG_STATE_HOME).

Example:
  $ vethlab workshop list
  $ vethlab workshop start nobody-home
  $ vethlab workshop check`

type Act = (session: Session, exercise: string | undefined, flags: Flags) => void | Promise<void>

interface Flags {
  readonly path?: string
  readonly to?: number
}

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
  add(workshop, 'list', 'list all exercises', (session, _, { path }) =>
    path === undefined ? list(session) : listPath(session, path),
  ).option('--path <name>', 'list the exercises of a learning path, in its order')
  add(workshop, 'start', 'start the broken lab and print the task', (session, name) =>
    start(session, name ?? ''),
  ).argument('<exercise>', 'name of an exercise, or the path of its folder')
  one('check', 'print the checks that fail, or that the exercise is solved', check)
  one('hint', 'print the next hint', hint)
  one('solution', 'print the commands that fix it', solution)
  one('quiz', 'ask the questions of the exercise', quiz)
  one('reset', 'start the broken lab again', reset)
  one('save', 'save the state of the lab as a checkpoint', save)
  one('restore', 'start the broken lab again, and restore its checkpoint', restore)
  one('solve', 'carry out the solution', (session, name, { to }) => solve(session, name, to)).option(
    '--to <step>',
    'only its first steps, up to this number',
    readStep,
  )
  add(workshop, 'status', 'list the exercises that you started and solved', status)
  const others = [classCommand(), serveCommand(), resultsCommand()]
  const authors = [initExerciseCommand(), testExerciseCommand()]
  for (const command of [...others, ...authors]) workshop.addCommand(command)
  return workshop
}

function add(workshop: Command, name: string, description: string, act: Act): Command {
  const command = new Command(name).description(description).addOption(languageOption('tasks and messages'))
  workshop.addCommand(
    command.action(async () => {
      const { lang, ...flags } = command.optsWithGlobals<{ lang?: Language } & Flags>()
      await act(openSession(lang), command.args[0], flags)
    }),
  )
  return command
}
