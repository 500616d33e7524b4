import { Command } from 'commander'
import { askForChange } from '../orders.js'
import { changeCommand, objectRefs, type ChangeFlags } from './changeCommand.js'

/** `kubectl rollout restart deployment/web`. */
export function rolloutCommand(lab: string): Command {
  const restart = changeCommand('restart')
    .argument('<objects...>', 'deployment/web, or a kind and names')
    .action(async (words: string[], flags: ChangeFlags) => {
      for (const ref of objectRefs(words, flags.namespace))
        await askForChange(lab, { do: 'write', writes: [{ verb: 'restart', ref }] })
    })
  return new Command('rollout').addCommand(restart)
}
