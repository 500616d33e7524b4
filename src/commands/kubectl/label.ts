import type { Command } from 'commander'
import { InputError } from '../../errors.js'
import { changeCommand, objectRefs, type ChangeFlags } from './changeCommand.js'
import { askForChange } from '../orders.js'

/** `vethlab label <lab> pod/web-0 app=out tier-`. */
export function labelCommand(): Command {
  return metadataCommand('label', {
    description:
      'KEY=VALUE sets a label, KEY- removes it. A pod that the selector of a Service no longer matches is removed from it.',
    argument: 'objects-and-labels',
    words: 'objects, then labels: pod/web-0 app=out tier-',
    example: 'label nodeport service/my-nodeport-service tier=front',
  })
}

/** `vethlab annotate <lab> ingress/shop nginx.ingress.kubernetes.io/ssl-redirect=false`. */
export function annotateCommand(): Command {
  return metadataCommand('annotate', {
    description: 'KEY=VALUE sets an annotation, KEY- removes it. Ingress controllers follow the change.',
    argument: 'objects-and-annotations',
    words: 'objects, then annotations: service/web team=front note-',
    example: 'annotate ingress ingress/pings nginx.ingress.kubernetes.io/rewrite-target=/other',
  })
}

interface MetadataTexts {
  readonly description: string
  readonly argument: string
  readonly words: string
  readonly example: string
}

function metadataCommand(
  verb: 'label' | 'annotate',
  { description, argument, words: about, example }: MetadataTexts,
): Command {
  return changeCommand(verb, description)
    .argument(`<${argument}...>`, about)
    .addHelpText('after', `\nExample:\n  $ sudo vethlab ${example}`)
    .action(async (lab: string, words: string[], flags: ChangeFlags) => {
      const isPair = (word: string) => /=|-$/.test(word)
      const values = Object.fromEntries(words.filter(isPair).map(keyAndValue))
      if (Object.keys(values).length === 0) {
        const message = `no ${verb === 'label' ? 'label' : 'annotation'} is named`
        throw new InputError([{ message, hint: 'write KEY=VALUE, or KEY- to remove one' }])
      }
      const objects = objectRefs(
        words.filter((word) => !isPair(word)),
        flags.namespace,
      )
      const writes = objects.map((ref) => ({ verb, ref, values }))
      await askForChange(lab, { do: 'write', writes })
    })
}

function keyAndValue(word: string): [string, string | null] {
  const at = word.indexOf('=')
  return at === -1 ? [word.slice(0, -1), null] : [word.slice(0, at), word.slice(at + 1)]
}
