import type { Command } from 'commander'
import { InputError } from '../../errors.js'
import { collect, readManifestFiles } from '../../host/manifestFiles.js'
import { wholeNumber } from '../options.js'
import { askForChange } from '../orders.js'
import { changeCommand, objectRefs, type ChangeFlags } from './changeCommand.js'

interface DeleteFlags extends ChangeFlags {
  readonly filename?: string[]
  readonly gracePeriod?: number
}

/** `kubectl delete KIND/NAME…`, or `-f FILE`. */
export function deleteCommand(lab: string): Command {
  return changeCommand('delete')
    .argument('[objects...]', 'service/web, or a kind and names: pod web-0 web-1')
    .option('-f, --filename <path>', 'file or folder; - for standard input (repeatable)', collect)
    .option('--grace-period <seconds>', 'time that pods have to terminate; 0 kills them at once', wholeNumber)
    .action(async (words: string[], flags: DeleteFlags) => {
      if (flags.filename !== undefined) {
        const files = readManifestFiles(flags.filename)
        return askForChange(lab, { do: 'delete-files', files })
      }
      if (words.length === 0) throw new InputError([{ message: 'name the objects, or a file with -f' }])
      const one = { verb: 'delete', gracePeriodSeconds: flags.gracePeriod } as const
      const writes = objectRefs(words, flags.namespace).map((ref) => ({ ...one, ref }))
      await askForChange(lab, { do: 'write', writes })
    })
}
