import { Command } from 'commander'
import { describeObjects } from '../../inspect/describeObjects.js'
import { withUpLab } from '../../up/upLab.js'
import { print, printError } from '../output.js'

interface DescribeFlags {
  readonly namespace: string
  readonly allNamespaces?: boolean
}

/** `vethlab describe <lab> ingress web`. */
export function describeCommand(): Command {
  return new Command('describe')
    .argument('<lab>', 'name of a running lab')
    .argument('<kind>', 'ingress, gateway, httproute, svc, …; or KIND/NAME')
    .argument('[names...]', 'names of objects (default: all in the namespace)')
    .option('-n, --namespace <namespace>', 'Kubernetes namespace', 'default')
    .option('-A, --all-namespaces', 'objects of all namespaces')
    .addHelpText('after', '\nExample:\n  $ sudo vethlab describe ingress ingress shop')
    .action(async (name: string, kind: string, names: string[], flags: DescribeFlags) => {
      const namespace = flags.allNamespaces === true ? undefined : flags.namespace
      const texts = await withUpLab(name, (lab) => describeObjects(lab, kind, names, namespace))
      if (texts.length > 0) print(texts.join('\n\n'))
      else printError(`No resources found in ${namespace ?? 'any'} namespace.\n`)
    })
}
