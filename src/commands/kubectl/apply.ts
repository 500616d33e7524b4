import type { Command } from 'commander'
import { ignoreOption } from '../options.js'
import { changeCommand } from './changeCommand.js'
import { askForChange } from '../orders.js'
import { collect, readManifestFiles } from '../../host/manifestFiles.js'

interface ApplyFlags {
  readonly filename: string[]
  readonly ignore: readonly string[]
}

/** `vethlab apply <lab> -f FILE`. */
export function applyCommand(): Command {
  return changeCommand(
    'apply',
    'Pods start and end accordingly, and kube-proxy updates the rules on every node.',
  )
    .requiredOption('-f, --filename <path>', 'file or folder; - for standard input (repeatable)', collect)
    .addOption(ignoreOption())
    .addHelpText('after', '\nExample:\n  $ sudo vethlab apply nodeport -f service.yaml')
    .action(async (lab: string, flags: ApplyFlags) => {
      const { filename, ignore } = flags
      await askForChange(lab, { do: 'apply', files: readManifestFiles(filename), ignore })
    })
}
