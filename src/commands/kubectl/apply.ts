import type { Command } from 'commander'
import { collect, readManifestFiles } from '../../host/manifestFiles.js'
import { ignoreOption } from '../options.js'
import { askForChange } from '../orders.js'
import { changeCommand } from './changeCommand.js'

interface ApplyFlags {
  readonly filename: string[]
  readonly ignore: readonly string[]
}

/** `kubectl apply -f FILE`. */
export function applyCommand(lab: string): Command {
  return changeCommand('apply')
    .requiredOption('-f, --filename <path>', 'file or folder; - for standard input (repeatable)', collect)
    .addOption(ignoreOption())
    .action(async ({ filename, ignore }: ApplyFlags) => {
      await askForChange(lab, { do: 'apply', files: readManifestFiles(filename), ignore })
    })
}
