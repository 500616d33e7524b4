import { Command } from 'commander'
import type { IpFamily } from '../net/ipFamily.js'
import type { IptablesBackend } from '../netfilter/types.js'
import { assumedFacts } from '../lab/plan/planFacts.js'
import { planLab } from '../lab/plan/planLab.js'
import { prepareLab } from '../lab/plan/prepareLab.js'
import type { ModeName } from '../agents/kubeProxy/config.js'
import { describePlan } from '../topology/describePlan.js'
import { backendOption, commandsOption, familiesOption, ignoreOption, labModeOption } from './options.js'
import { print, printError } from './output.js'
import { jsonText } from '../reporters/jsonText.js'

interface PlanFlags {
  readonly iptables?: IptablesBackend
  readonly families?: readonly IpFamily[]
  readonly ignore: readonly string[]
  readonly commands?: 'echo' | 'strict'
  readonly json?: true
  readonly mode?: ModeName
}

/** `vethlab plan <lab>`. */
export function planCommand(): Command {
  return new Command('plan')
    .description('The operations are in order, with the files that they read. Needs no root.')
    .argument('<lab>', 'name of a lab, or a path')
    .addOption(backendOption())
    .addOption(commandsOption())
    .addOption(familiesOption())
    .addOption(ignoreOption())
    .addOption(labModeOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ vethlab plan nodeport | less')
    .action((lab: string, options: PlanFlags) => {
      const { families, ignore, mode, commands } = options
      const prepared = prepareLab(lab, { families, mode, commands, ignoreKinds: new Set(ignore) })
      for (const notice of prepared.notices) printError(`${notice}\n`)
      const plan = planLab(prepared, assumedFacts(options.iptables))
      print(options.json === true ? jsonText(plan) : describePlan(plan))
    })
}
