import { Command } from 'commander'
import { InputError } from '../../errors.js'
import { readLab } from '../../inspect/anySnapshot.js'
import { snapshotText } from '../../snapshot/file/snapshotText.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { ModeName } from '../../agents/kubeProxy/config.js'
import { familiesOption, ignoreOption, labModeOption } from '../options.js'
import { openReportFile, print, printError } from '../output.js'
import { readOptions, rejectOther } from './traceRequest.js'

interface SnapshotFlags {
  readonly output?: string
  readonly plan?: true
  readonly mode?: ModeName
  readonly families?: readonly IpFamily[]
  readonly ignore: readonly string[]
}

const help = `
A snapshot has the objects of the lab without the values of Secrets, and for every network namespace its interfaces, routes, rules, sets,
settings, sockets and connections: read from the kernels of a running lab, or else from the plan.

Examples:
  $ vethlab snapshot nodeport -o nodeport.json
  $ vethlab why nodeport.json client http://{node-a}:30080/
  $ vethlab trace nodeport.json client http://{node-a}:30080/
  $ vethlab diff nodeport.json --node node-a`

/** `vethlab snapshot <lab>`. */
export function snapshotCommand(): Command {
  return new Command('snapshot')
    .description(
      'Writes the state of a lab as one JSON file, about which `trace`, `why`, `rules` and `diff` answer later.',
    )
    .argument('<lab>', 'name of a lab, or path of its folder')
    .option('-o, --output <file>', 'the file (default: standard output)')
    .option('--plan', 'use the plan, even if the lab is running')
    .addOption(labModeOption())
    .addOption(familiesOption())
    .addOption(ignoreOption())
    .addHelpText('after', help)
    .action(async (name: string, flags: SnapshotFlags) => {
      if (flags.output !== undefined && !flags.output.endsWith('.json'))
        throw new InputError([
          { message: `${flags.output} is not the name of a snapshot`, hint: 'its name ends in .json' },
        ])
      const file = flags.output === undefined ? undefined : openReportFile(flags.output)
      const text = snapshotText(await take(name, flags))
      if (file === undefined) return print(text)
      file.write(text)
      await file.end()
    })
}

async function take(name: string, flags: SnapshotFlags) {
  const snapshot = await readLab(name, { plan: flags.plan, prepare: readOptions(flags) })
  if (snapshot.basis !== 'plan') rejectOther(snapshot, flags)
  else if (flags.plan !== true) printError(`${name} is not running: the snapshot has its plan\n`)
  return snapshot
}
