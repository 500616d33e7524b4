import { Command, InvalidArgumentError, Option } from 'commander'
import { parseNetwork } from '../net/address.js'
import { modeNames } from '../proxy/config.js'
import { modeOf } from '../proxy/modes.js'
import { familyOf, readNodeInput, type NodeOptions } from '../inspect/nodeInput.js'
import { ignoreOption, modeOption } from './options.js'
import { print, printError } from './output.js'

const help = `
Objects as an API server stores them are taken as they are. Where Services have no address yet, or pods no EndpointSlice,
the cluster is worked out as in a lab: addresses, pods, EndpointSlices; and nodes node-a and node-b, if there is no Node.
The text is for an empty network namespace: \`iptables-restore --noflush --counters\` loads it, in mode nftables \`nft -f\`;
in mode ipvs it is a script for \`sh\`: sysctl, ip, ipset, ipvsadm and iptables-restore, each with its input.

Example:
  $ vethlab render -f app.yaml --node node-a
  $ vethlab render -f app.yaml --node node-a --mode nftables
  $ vethlab render -f app.yaml --node node-a --mode ipvs > services.sh
  $ kubectl get nodes,services,endpointslices -A -o yaml | vethlab render -f - --node node-a --family ipv6`

/** `vethlab render`: the text for iptables-restore or nft that kube-proxy's rules for one node amount to. */
export function renderCommand(): Command {
  return new Command('render')
    .summary('print the rules that kube-proxy writes on one node')
    .description(
      'Prints the rules that kube-proxy writes on one node, as text for iptables-restore or nft, or as a script for IPVS; needs no root.',
    )
    .addOption(filenameOption())
    .option('--node <name>', 'the node whose kube-proxy it is')
    .option('--config <file>', 'fields of KubeProxyConfiguration (YAML)')
    .addOption(new Option('--family <family>', 'address family').choices(['ipv4', 'ipv6']).default('ipv4'))
    .addOption(
      modeOption(
        "mode of the kube-proxy; the configuration's otherwise, and iptables without one",
        modeNames,
      ),
    )
    .option('--nfacct', 'write the nfacct matches, as on a kernel that has nfacct')
    .addOption(serviceCidrsOption())
    .addOption(ignoreOption())
    .addHelpText('after', help)
    .action((options: NodeOptions & { family: 'ipv4' | 'ipv6'; nfacct?: true }) => {
      const { input: known, notices } = readNodeInput(options, modeNames)
      for (const notice of notices) printError(`${notice}\n`)
      const input = { ...known, nfacct: options.nfacct === true }
      print(modeOf(input.config.mode).render(input, familyOf(options.family)))
    })
}

/** `--service-cidrs CIDR,CIDR`. */
function serviceCidrsOption(): Option {
  return new Option(
    '--service-cidrs <cidrs>',
    "ranges of the cluster's Service addresses, with a comma between; in mode nftables what is not allocated of them is dropped",
  )
    .argParser((text: string) => {
      const cidrs = text.split(',')
      const wrong = cidrs.find((cidr) => parseNetwork(cidr) === undefined)
      if (wrong !== undefined) throw new InvalidArgumentError(`"${wrong}" is no range such as 10.96.0.0/12.`)
      return cidrs
    })
    .default(undefined, 'those of labs: 10.96.0.0/16,fd00:10:96::/112')
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
