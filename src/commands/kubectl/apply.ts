import type { Command } from 'commander'
import { changeCommand, type ChangeFlags } from './changeCommand.js'
import { askForChange } from '../ask.js'
import { collect, readManifestFiles } from '../../host/manifestFiles.js'

/** `vethlab apply <lab> -f FILE`. */
export function applyCommand(): Command {
  return changeCommand(
    'apply',
    'Pods start and end accordingly, and kube-proxy updates the rules on every node.',
  )
    .requiredOption('-f, --filename <path>', 'file or folder; - for standard input (repeatable)', collect)
    .addHelpText('after', '\nExample:\n  $ sudo vethlab apply nodeport -f service.yaml')
    .action(async (lab: string, flags: Pick<ChangeFlags, 'wait'> & { filename: string[] }) => {
      await askForChange(lab, { do: 'apply', files: readManifestFiles(flags.filename) }, flags.wait)
    })
}
