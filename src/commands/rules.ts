import { Command, Option } from 'commander'
import { familyOf } from '../inspect/nodeInput.js'
import { printedRules, rulesOfNode, type ExplainedFamily } from '../inspect/rulesOfNode.js'
import { modeOf } from '../proxy/modes.js'
import { jsonText } from '../reporters/jsonText.js'
import { prettyRules } from '../reporters/prettyRules.js'
import { createColours } from '../text/colour.js'
import { withUpLab, type UpLab } from '../up/upLab.js'
import { printColoured } from './output.js'
import { terminal } from './terminal.js'

interface RulesFlags {
  readonly service?: string
  readonly family?: 'ipv4' | 'ipv6'
  readonly raw?: true
  readonly json?: true
}

const help = `
Each rule stands with the packets that it has counted, and with why kube-proxy writes it; in mode nftables elements of sets
and maps do too, and nothing is counted; in mode ipvs addresses, entries of ipsets, and virtual servers with their
connections. What differs (~), is missing (-) or kube-proxy did not write (+) is marked. Comments are left out where they
say the same; --raw has them.

Examples:
  $ sudo vethlab rules nodeport node-a
  $ sudo vethlab rules nodeport node-a --service default/my-nodeport-service`

/** `vethlab rules <lab> <node>`: the rules of a lab that is up, explained. */
export function rulesCommand(): Command {
  return new Command('rules')
    .summary('explain the rules on a node of a lab that is up')
    .description(
      'Prints the rules on a node of a lab that is up, by Service and in the order in which a packet meets them.',
    )
    .argument('<lab>', 'name of a lab that is up')
    .argument('<node>', 'name of a node')
    .option('--service <namespace/name>', 'the rules of one Service only')
    .addOption(
      new Option('--family <family>', "address family; the lab's otherwise").choices(['ipv4', 'ipv6']),
    )
    .addOption(
      new Option(
        '--raw',
        'print what iptables-save -c prints; in mode nftables, what nft lists of the table kube-proxy; in mode ipvs, what ipvsadm -S -n and ipset save print before it',
      ).conflicts(['service', 'json']),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (lab: string, node: string, flags: RulesFlags) => {
      printColoured(await withUpLab(lab, (up) => rules(up, node, flags)))
    })
}

async function rules(lab: UpLab, node: string, flags: RulesFlags): Promise<string> {
  const family = flags.family === undefined ? undefined : familyOf(flags.family)
  const question = { node, service: flags.service, family }
  if (flags.raw === true) return printedRules(lab, question)
  const found = await rulesOfNode(lab, question)
  if (flags.json === true) return jsonText(found)
  const title = modeOf(found.mode).rulesTitle(`iptables-${found.backend}`)
  return found.families.map((ruleset) => text(lab, node, title, ruleset)).join('\n')
}

function text({ view }: UpLab, node: string, title: string, ruleset: ExplainedFamily): string {
  const { colour, width } = terminal()
  const colours = createColours(colour)
  const pods = new Map(view.pods.flatMap((pod) => pod.addresses.map((address) => [address, pod] as const)))
  return `${colours.name(node)}  ${ruleset.family}, ${title}\n${prettyRules(ruleset, {
    colours,
    width,
    podAt: (address) => pods.get(address),
    serviceOf: (namespace, name) =>
      view.services.find((service) => service.namespace === namespace && service.name === name),
    withoutRules: ruleset.withoutRules,
  })}`
}
