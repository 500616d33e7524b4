import type { Command } from 'commander'
import { parse } from 'yaml'
import { InputError } from '../../errors.js'
import { changeCommand, objectRefs, type ChangeFlags } from './changeCommand.js'
import { askForChange } from '../ask.js'

/** `vethlab patch <lab> service/web -p '{spec: {…}}'`. */
export function patchCommand(): Command {
  return changeCommand(
    'patch',
    'The patch is a JSON merge patch (RFC 7396): mappings are merged, lists are replaced, null removes a field.',
  )
    .argument('<object...>', 'service/web, or a kind and a name')
    .requiredOption('-p, --patch <patch>', 'the patch, as JSON or YAML')
    .addHelpText(
      'after',
      "\nExample:\n  $ sudo vethlab patch nodeport service/my-nodeport-service -p '{spec: {externalTrafficPolicy: Local}}'",
    )
    .action(async (lab: string, words: string[], flags: ChangeFlags & { patch: string }) => {
      const patch = parsePatch(flags.patch)
      for (const object of objectRefs(words, flags.namespace))
        await askForChange(lab, { do: 'change', change: { kind: 'patch', object, patch } }, flags.wait)
    })
}

function parsePatch(text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw new InputError([{ message: `the patch is neither JSON nor YAML: ${(error as Error).message}` }])
  }
}
