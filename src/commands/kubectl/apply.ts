import type { Command } from 'commander'
import { changeCommand, type ChangeFlags } from './changeCommand.js'
import { askForChange } from '../ask.js'
import { collect, readManifestFiles } from '../../host/manifestFiles.js'

/** `vethlab apply <lab> -f FILE`. */
export function applyCommand(): Command {
  return changeCommand(
    'apply',
    'make or change objects of a lab that is up',
    'Applies Kubernetes YAML to a lab that is up: pods come and go, and every node gets the rules that follow.',
  )
    .requiredOption(
      '-f, --filename <path>',
      'a file, a folder, or - for standard input (repeatable)',
      collect,
    )
    .addHelpText('after', '\nExample:\n  $ sudo vethlab apply nodeport -f service.yaml')
    .action(async (lab: string, flags: Pick<ChangeFlags, 'wait'> & { filename: string[] }) => {
      await askForChange(lab, { do: 'apply', files: readManifestFiles(flags.filename) }, flags.wait)
    })
}
