import type { Command } from 'commander'
import { InputError } from '../../errors.js'
import { changeCommand, objectRefs, type ChangeFlags } from './changeCommand.js'
import { askForChange } from '../ask.js'
import { collect, readManifestFiles } from '../../host/manifestFiles.js'
import { wholeNumber } from '../options.js'

interface DeleteFlags extends ChangeFlags {
  readonly filename?: string[]
  readonly gracePeriod?: number
}

/** `vethlab delete <lab> KIND/NAME…`. */
export function deleteCommand(): Command {
  return changeCommand(
    'delete',
    'delete objects of a lab that is up',
    'Deletes objects of a lab that is up: pods end gracefully, and what belongs to an object goes with it.',
  )
    .argument('[objects...]', 'service/web, or a kind and names: pod web-0 web-1')
    .option('-f, --filename <path>', 'the objects of a file, a folder, or - (repeatable)', collect)
    .option('--grace-period <seconds>', 'what pods have to end in; 0 kills them at once', wholeNumber)
    .addHelpText('after', '\nExample:\n  $ sudo vethlab delete nodeport service/my-nodeport-service')
    .action(async (lab: string, words: string[], flags: DeleteFlags) => {
      if (flags.filename !== undefined) {
        const files = readManifestFiles(flags.filename)
        return askForChange(lab, { do: 'delete-files', files }, flags.wait)
      }
      if (words.length === 0) throw new InputError([{ message: 'name the objects, or a file with -f' }])
      const objects = objectRefs(words, flags.namespace)
      const change = { kind: 'delete', objects, gracePeriodSeconds: flags.gracePeriod } as const
      await askForChange(lab, { do: 'change', change }, flags.wait)
    })
}
