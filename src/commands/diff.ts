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
Only kube-proxy's chains and the jumps to them are compared; other programs' chains and rules may stand around. Counters
are ignored. Whether the node's kernel has nfacct, and its iptables --random-fully, is read off the dump.
Exit code: 0 when they agree, 1 when they differ.

Example:
  $ iptables-save > node-a.txt
  $ kubectl get nodes,services,endpointslices -A -o yaml > objects.yaml
  $ vethlab diff node-a.txt -f objects.yaml --node node-a`

/** `vethlab diff`: how a saved ruleset differs from what kube-proxy should have written for the objects. */
export function diffCommand(): Command {
  return new Command('diff')
    .summary('compare saved rules with what kube-proxy should have written')
    .description(
      'Says how a saved ruleset of a node differs from what kube-proxy should have written for the objects.',
    )
    .argument('<iptables-save file>', 'what iptables-save or ip6tables-save printed; - is standard input')
    .addOption(filenameOption())
    .option('--node <name>', 'the node that the rules are of')
    .option('--config <file>', "fields of the node's KubeProxyConfiguration (YAML)")
    .addOption(
      new Option('--family <family>', 'address family; read off the dump otherwise').choices([
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
