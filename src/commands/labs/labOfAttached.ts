import { basename } from 'node:path'
import { Option, type Command } from 'commander'
import { collect } from '../../host/manifestFiles.js'
import { writeNewFolder } from '../../host/newFolder.js'
import { readAttachedSnapshot } from '../../inspect/attached.js'
import { labFiles, labOfSnapshot } from '../../lab/fromSnapshot/labOfSnapshot.js'
import { printError } from '../output.js'

/** Options that choose a part of a cluster, and where its lab is written. */
export interface AttachedLabFlags {
  readonly filename?: readonly string[]
  readonly service?: readonly string[]
  readonly namespace?: readonly string[]
  readonly nodes?: readonly string[]
  readonly rules?: 'saved'
  readonly out?: string
}

/** `-f`, `--service`, `--namespace`, `--nodes`, `--rules` and `--out`. */
export function withAttachedLab(command: Command): Command {
  const names = (text: string, before: readonly string[] = []) => [...before, ...text.split(',')]
  return command
    .option('-f, --filename <file>', 'of a snapshot: more files (repeatable)', collect)
    .addOption(
      new Option(
        '--service <namespace/name>',
        'of a snapshot: only these Services and their pods (repeatable)',
      ).argParser(names),
    )
    .addOption(
      new Option('--namespace <name>', 'of a snapshot: only these namespaces (repeatable)').argParser(names),
    )
    .addOption(
      new Option('--nodes <names>', 'of a snapshot: only these nodes, with a comma').argParser(names),
    )
    .addOption(
      new Option(
        '--rules <which>',
        'of a snapshot: nodes start with the rules that were read, not with those that kube-proxy writes',
      ).choices(['saved']),
    )
    .option('--out <folder>', 'of a snapshot: the folder of its lab (default: its name, with -lab)')
}

/** Writes the lab of what somebody attached to a new folder, whose path it returns. Throws InputError. */
export async function writeLabOf(what: string, flags: AttachedLabFlags): Promise<string> {
  const { snapshot } = await readAttachedSnapshot(what, flags.filename)
  const lab = labOfSnapshot(snapshot, {
    services: flags.service,
    namespaces: flags.namespace,
    nodes: flags.nodes,
    rules: flags.rules,
  })
  const folder = flags.out ?? `./${nameOf(what)}-lab`
  writeNewFolder(folder, labFiles(lab))
  for (const notice of lab.notices) printError(`${notice}\n`)
  printError(`the lab is in ${folder}: lab.yaml and manifests\n`)
  return folder.includes('/') ? folder : `./${folder}`
}

/** A name for a lab: that of the file, without what a name cannot have. */
function nameOf(what: string): string {
  const name = basename(what)
    .replace(/\.(tar|tgz|gz|zip|json|ya?ml|txt)(?=\.|$)/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return name === '' ? 'cluster' : name
}
