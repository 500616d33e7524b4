import { Command, Option } from 'commander'
import { exitCode } from '../errors.js'
import { readText } from '../host/readText.js'
import { familyOf, readNodeInput, type NodeOptions } from '../inspect/nodeInput.js'
import { savedDifferences } from '../inspect/savedDifferences.js'
import { renderDifferences } from '../netfilter/differenceText.js'
import { ignoreOption } from './options.js'
import { print } from './output.js'
import { filenameOption } from './render.js'

const help = `
Only kube-proxy's chains and the jumps to them are compared. Rules of other programs and counters are ignored. Whether
the node's kernel has nfacct, and its iptables --random-fully, is read from the saved rules.
Needs no root.
Exit code: 0 when the rules are equal, 1 when they differ.

Example:
  $ iptables-save > node-a.txt
  $ kubectl get nodes,services,endpointslices -A -o yaml > objects.yaml
  $ vethlab diff node-a.txt -f objects.yaml --node node-a`

/** `vethlab diff`: prints how a saved ruleset differs from what kube-proxy should have written for the objects. */
export function diffCommand(): Command {
  return new Command('diff')
    .argument('<iptables-save file>', 'output of iptables-save or ip6tables-save; - for standard input')
    .addOption(filenameOption())
    .option('--node <name>', 'the node of the saved rules')
    .option('--config <file>', 'fields of KubeProxyConfiguration (YAML)')
    .addOption(
      new Option('--family <family>', 'address family (default: that of the saved rules)').choices([
        'ipv4',
        'ipv6',
      ]),
    )
    .addOption(ignoreOption())
    .addHelpText('after', help)
    .action((file: string, options: NodeOptions & { family?: 'ipv4' | 'ipv6' }) => {
      const text = readText(file)
      const { input } = readNodeInput(options, ['iptables'])
      const family = options.family === undefined ? undefined : familyOf(options.family)
      const differences = savedDifferences({ text, file }, input, family)
      print(renderDifferences(differences))
      if (differences.length > 0) process.exitCode = exitCode.checkFailed
    })
}
