import type { Command } from 'commander'
import { InputError } from '../../errors.js'
import { print } from '../output.js'
import { splitAtVerb } from './kubectlWords.js'
import { builtInLacks } from './builtInLacks.js'

/** The verbs that lessons need, for hosts without kubectl. */
const verbs: Readonly<Record<string, (lab: string) => Promise<Command>>> = {
  annotate: async (lab) => (await import('./label.js')).annotateCommand(lab),
  apply: async (lab) => (await import('./apply.js')).applyCommand(lab),
  delete: async (lab) => (await import('./delete.js')).deleteCommand(lab),
  describe: async (lab) => (await import('./describe.js')).describeCommand(lab),
  events: async (lab) => (await import('./events.js')).eventsCommand(lab),
  get: async (lab) => (await import('./get.js')).getCommand(lab),
  label: async (lab) => (await import('./label.js')).labelCommand(lab),
  logs: async (lab) => (await import('./logs.js')).logsCommand(lab),
  patch: async (lab) => (await import('./patch.js')).patchCommand(lab),
  rollout: async (lab) => (await import('./rollout.js')).rolloutCommand(lab),
  scale: async (lab) => (await import('./scale.js')).scaleCommand(lab),
}

/** Names of the built-in verbs. */
export const builtInVerbs = Object.keys(verbs)

/**
 * Runs the words of kubectl on a running lab, with the built-in verbs: `['get', 'pods', '-A']`. Throws InputError for what only
 * kubectl itself has, with the package that has it.
 */
export async function builtInKubectl(lab: string, words: readonly string[]): Promise<void> {
  const { verb = 'help', before, after } = splitAtVerb(words)
  const load = verbs[verb]
  if (load === undefined) throw builtInLacks(`\`${verb}\`; it has ${builtInVerbs.join(', ')}`)
  const command = await load(lab)
  // options of kubectl may also be before its verb
  const [inner = '', ...others] = after
  const args = command.commands.length > 0 ? [inner, ...before, ...others] : [...before, ...after]
  for (const one of [command, ...command.commands])
    one
      .exitOverride()
      .helpCommand(false)
      .configureOutput({ writeOut: print, writeErr: () => undefined })
  try {
    await command.parseAsync(args, { from: 'user' })
  } catch (error) {
    throw asLacking(verb, error)
  }
}

/** An unknown option or verb may be one of kubectl; other errors of usage are what they are. */
function asLacking(verb: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const [, word = ''] = /'(.+?)'/.exec(error.message) ?? []
  if (error.code === 'commander.unknownOption') return builtInLacks(`\`${verb} ${word}\``)
  if (error.code === 'commander.unknownCommand' || error.code === 'commander.help')
    return builtInLacks(`\`${verb} ${word}\``.replace(' `', '`'))
  return String(error.code).startsWith('commander.') && error.code !== 'commander.helpDisplayed'
    ? new InputError([{ message: error.message.replace(/^error: /, '') }])
    : error
}
