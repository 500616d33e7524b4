import type { Command } from 'commander'
import { InputError } from '../../errors.js'
import { changeCommand, objectRefs, type ChangeFlags } from './changeCommand.js'
import { askForChange } from '../ask.js'

/** `vethlab label <lab> pod/web-0 app=out tier-`. */
export function labelCommand(): Command {
  return changeCommand(
    'label',
    'KEY=VALUE sets a label, KEY- removes it. A pod that the selector of a Service no longer matches is removed from it.',
  )
    .argument('<objects-and-labels...>', 'objects, then labels: pod/web-0 app=out tier-')
    .addHelpText(
      'after',
      '\nExample:\n  $ sudo vethlab label nodeport service/my-nodeport-service tier=front',
    )
    .action(async (lab: string, words: string[], flags: ChangeFlags) => {
      const isLabel = (word: string) => /=|-$/.test(word)
      const values = Object.fromEntries(words.filter(isLabel).map(keyAndValue))
      if (Object.keys(values).length === 0)
        throw new InputError([
          { message: 'no label is named', hint: 'write KEY=VALUE, or KEY- to remove one' },
        ])
      const objects = objectRefs(
        words.filter((word) => !isLabel(word)),
        flags.namespace,
      )
      await askForChange(lab, { do: 'change', change: { kind: 'label', objects, values } }, flags.wait)
    })
}

function keyAndValue(word: string): [string, string | null] {
  const at = word.indexOf('=')
  return at === -1 ? [word.slice(0, -1), null] : [word.slice(0, at), word.slice(at + 1)]
}
