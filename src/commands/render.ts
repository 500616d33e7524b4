import { Command, InvalidArgumentError, Option } from 'commander'
import { parseNetwork } from '../net/address.js'
import { modeNames } from '../agents/kubeProxy/config.js'
import { chosenVersions } from '../agents/kubeProxy/versions/known.js'
import { defaultVersion, versionText } from '../agents/kubeProxy/versions/version.js'
import { modeOf } from '../agents/kubeProxy/modes.js'
import { familyOf, readNodeInput, type NodeOptions } from '../inspect/nodeInput.js'
import { ignoreOption, modeOption } from './options.js'
import { print, printError } from './output.js'

const help = `
Objects of an API server are used unchanged. If Services have no address, or pods no EndpointSlice, addresses, pods and
EndpointSlices are created as in a lab; without a Node object the nodes are node-a and node-b.
The output is for an empty network namespace. \`iptables-restore --noflush --counters\` loads it, in mode nftables
\`nft -f\`. In mode ipvs it is a script for \`sh\` that calls sysctl, ip, ipset, ipvsadm and iptables-restore.

Example:
  $ vethlab render -f app.yaml --node node-a
  $ vethlab render -f app.yaml --node node-a --mode nftables
  $ vethlab render -f app.yaml --node node-a --mode ipvs > services.sh
  $ kubectl get nodes,services,endpointslices -A -o yaml | vethlab render -f - --node node-a --family ipv6`

/** `vethlab render`: prints kube-proxy's rules for one node as input for iptables-restore or nft. */
export function renderCommand(): Command {
  return new Command('render')
    .description('The output is input for iptables-restore or nft, or a script for IPVS. Needs no root.')
    .addOption(filenameOption())
    .option('--node <name>', 'the node of the kube-proxy')
    .option('--config <file>', 'a KubeProxyConfiguration (YAML)')
    .addOption(new Option('--family <family>', 'address family').choices(['ipv4', 'ipv6']).default('ipv4'))
    .addOption(modeOption('mode of kube-proxy (default: that of --config, or iptables)', modeNames))
    .option('--nfacct', 'write the nfacct matches, as on a kernel with nfacct')
    .addOption(kubeProxyVersionOption())
    .addOption(serviceCidrsOption())
    .addOption(ignoreOption())
    .addHelpText('after', help)
    .action((options: NodeOptions & { family: 'ipv4' | 'ipv6'; nfacct?: true }) => {
      const { input: known, notices } = readNodeInput(options)
      for (const notice of notices) printError(`${notice}\n`)
      const input = { ...known, nfacct: options.nfacct === true }
      print(modeOf(input.config.mode).render(input, familyOf(options.family)))
    })
}

/** `--kube-proxy-version 1.30`. */
export function kubeProxyVersionOption(byDefault = versionText(defaultVersion)): Option {
  const version = 'write the rules of this kube-proxy; an unknown form is rejected'
  return new Option('--kube-proxy-version <version>', version)
    .choices(chosenVersions)
    .default(undefined, byDefault)
}

/** `--service-cidrs CIDR,CIDR`. */
function serviceCidrsOption(): Option {
  return new Option(
    '--service-cidrs <cidrs>',
    'ranges of Service addresses, with a comma; mode nftables drops traffic to addresses in them that no Service has',
  )
    .argParser((text: string) => {
      const cidrs = text.split(',')
      const wrong = cidrs.find((cidr) => parseNetwork(cidr) === undefined)
      if (wrong !== undefined)
        throw new InvalidArgumentError(`"${wrong}" is not a range such as 10.96.0.0/12.`)
      return cidrs
    })
    .default(undefined, '10.96.0.0/16,fd00:10:96::/112, as in labs')
}

/** `-f FILE`, more than once. */
export function filenameOption(): Option {
  return new Option(
    '-f, --filename <file>',
    'Kubernetes YAML: Nodes, Services and EndpointSlices, or workloads; - for standard input (repeatable)',
  )
    .argParser((file: string, files: readonly string[] | undefined) => [...(files ?? []), file])
    .makeOptionMandatory()
}
