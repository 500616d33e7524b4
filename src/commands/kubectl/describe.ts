import { Command } from 'commander'
import { describeObjects } from '../../inspect/describeObjects.js'
import { withUpLab } from '../../up/upLab.js'
import { print, printError } from '../output.js'
import { rejectNames } from './allNamespaces.js'

interface DescribeFlags {
  readonly namespace: string
  readonly allNamespaces?: boolean
}

/** `kubectl describe ingress web`. */
export function describeCommand(name: string): Command {
  return new Command('describe')
    .argument('<kind>', 'ingress, gateway, httproute, svc, …; or KIND/NAME')
    .argument('[names...]', 'names of objects (default: all in the namespace)')
    .option('-n, --namespace <namespace>', 'Kubernetes namespace', 'default')
    .option('-A, --all-namespaces', 'objects of all namespaces')
    .action(async (kind: string, names: string[], flags: DescribeFlags) => {
      rejectNames([kind], names, flags)
      const namespace = flags.allNamespaces === true ? undefined : flags.namespace
      const texts = await withUpLab(name, (lab) => describeObjects(lab, kind, names, namespace))
      if (texts.length > 0) print(texts.join('\n\n'))
      else printError(`No resources found in ${namespace ?? 'any'} namespace.\n`)
    })
}
