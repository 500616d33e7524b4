import { Command, Option } from 'commander'
import { renderFullRestore } from '../proxy/iptables/restore.js'
import { buildRuleset } from '../proxy/iptables/ruleset.js'
import { familyOf, readNodeInput, type NodeOptions } from './nodeInput.js'
import { ignoreOption } from './options.js'

const help = `
Objects as an API server stores them are taken as they are. Where Services have no address yet, or pods no EndpointSlice,
the cluster is worked out as in a lab: addresses, pods, EndpointSlices; and nodes node-a and node-b, if there is no Node.
The text is for an empty network namespace: \`iptables-restore --noflush --counters\` loads it.

Example:
  $ vethlab render -f app.yaml --node node-a
  $ kubectl get nodes,services,endpointslices -A -o yaml | vethlab render -f - --node node-a --family ipv6`

/** `vethlab render`: the iptables-restore text that kube-proxy's rules for one node amount to. */
export function renderCommand(): Command {
  return new Command('render')
    .summary('print the rules that kube-proxy writes on one node')
    .description(
      'Prints the iptables-restore text of the rules that kube-proxy writes on one node; needs no root.',
    )
    .addOption(filenameOption())
    .option('--node <name>', 'the node whose kube-proxy it is')
    .option('--config <file>', 'fields of KubeProxyConfiguration (YAML)')
    .addOption(new Option('--family <family>', 'address family').choices(['ipv4', 'ipv6']).default('ipv4'))
    .option('--nfacct', 'write the nfacct matches, as on a kernel that has nfacct')
    .addOption(ignoreOption())
    .addHelpText('after', help)
    .action((options: NodeOptions & { family: 'ipv4' | 'ipv6'; nfacct?: true }) => {
      const { input, notices } = readNodeInput(options)
      for (const notice of notices) process.stderr.write(`${notice}\n`)
      const ruleset = buildRuleset({ ...input, nfacct: options.nfacct === true }, familyOf(options.family))
      process.stdout.write(renderFullRestore(ruleset))
    })
}

/** `-f FILE`, more than once. */
export function filenameOption(): Option {
  return new Option(
    '-f, --filename <file>',
    'Kubernetes YAML: Nodes, Services, EndpointSlices, or what makes them; - is standard input (repeatable)',
  )
    .argParser((file: string, files: readonly string[] | undefined) => [...(files ?? []), file])
    .makeOptionMandatory()
}
