import type { Command } from 'commander'
import { changeCommand, objectRefs, type ChangeFlags } from './changeCommand.js'
import { askForChange } from '../orders.js'
import { wholeNumber } from '../options.js'

/** `vethlab scale <lab> deployment/web --replicas N`. */
export function scaleCommand(): Command {
  return changeCommand('scale', 'Workloads are Deployments, ReplicaSets and StatefulSets.')
    .argument('<objects...>', 'deployment/web, or a kind and names')
    .requiredOption('--replicas <number>', 'number of pods', wholeNumber)
    .addHelpText('after', '\nExample:\n  $ sudo vethlab scale nodeport deployment/my-app --replicas 3')
    .action(async (lab: string, words: string[], flags: ChangeFlags & { replicas: number }) => {
      for (const ref of objectRefs(words, flags.namespace)) {
        const write = { verb: 'scale', ref, replicas: flags.replicas } as const
        await askForChange(lab, { do: 'write', writes: [write] })
      }
    })
}
