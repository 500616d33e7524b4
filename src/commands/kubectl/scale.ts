import type { Command } from 'commander'
import { wholeNumber } from '../options.js'
import { askForChange } from '../orders.js'
import { changeCommand, objectRefs, type ChangeFlags } from './changeCommand.js'

/** `kubectl scale deployment/web --replicas N`. */
export function scaleCommand(lab: string): Command {
  return changeCommand('scale')
    .argument('<objects...>', 'deployment/web, or a kind and names')
    .requiredOption('--replicas <number>', 'number of pods', wholeNumber)
    .action(async (words: string[], flags: ChangeFlags & { replicas: number }) => {
      for (const ref of objectRefs(words, flags.namespace)) {
        const write = { verb: 'scale', ref, replicas: flags.replicas } as const
        await askForChange(lab, { do: 'write', writes: [write] })
      }
    })
}
