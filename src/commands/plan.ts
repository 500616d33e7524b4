import { Command } from 'commander'
import type { IpFamily } from '../cluster/types.js'
import { findTool } from '../host/environment.js'
import { iptablesProgram, type IptablesBackend } from '../host/backend.js'
import { streamModule } from '../host/machine.js'
import { planIngress } from '../lab/ingress/planIngress.js'
import { planLab } from '../lab/planLab.js'
import { prepareLab } from '../lab/prepareLab.js'
import type { BuiltInMode } from '../proxy/config.js'
import { describePlan } from '../topology/describePlan.js'
import { backendOption, familiesOption, ignoreOption, labModeOption } from './options.js'
import { print } from './output.js'
import { jsonText } from '../reporters/jsonText.js'

interface PlanFlags {
  readonly iptables?: IptablesBackend
  readonly families?: readonly IpFamily[]
  readonly ignore: readonly string[]
  readonly json?: true
  readonly mode?: BuiltInMode
}

/** `vethlab plan <lab>`. */
export function planCommand(): Command {
  return new Command('plan')
    .summary('print every operation that `up` would run, running none')
    .description(
      'Prints every operation that `up` would run, in order, with the files that they read; runs none of them.',
    )
    .argument('<lab>', 'name of a lab, or a path')
    .addOption(backendOption())
    .addOption(familiesOption())
    .addOption(ignoreOption())
    .addOption(labModeOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ vethlab plan nodeport | less')
    .action((lab: string, options: PlanFlags) => {
      const { families, ignore, mode } = options
      const prepared = prepareLab(lab, { families, mode, ignoreKinds: new Set(ignore) })
      const plan = planLab(prepared, {
        restore: {
          IPv4: iptablesProgram(options.iptables, 'IPv4', 'restore'),
          IPv6: iptablesProgram(options.iptables, 'IPv6', 'restore'),
        },
        nginx: { streamModule: streamModule() },
        // asking the kernel would be running something: where the tool is, `up` asks, and mostly the answer is yes
        nfacct: findTool('nfacct') !== undefined,
        randomFully: true,
        // a sandbox's root is rarely the host's
        splitRules: options.iptables !== 'legacy',
        healthz: true,
      })
      const [first, ...others] = plan.stages
      // what controllers write goes on beside the first stage
      const shown =
        first === undefined || prepared.lab.ingress.length === 0
          ? plan
          : { stages: [first, planIngress(prepared, streamModule()), ...others] }
      print(options.json === true ? jsonText(shown) : describePlan(shown))
    })
}
