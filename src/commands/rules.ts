import { Command, Option } from 'commander'
import { collect } from '../host/manifestFiles.js'
import { familyOf } from '../inspect/nodeInput.js'
import { printedRules, rulesOfNode } from '../inspect/rulesOfNode.js'
import {
  rulesInSnapshot,
  type ExplainedFamily,
  type RulesOfNode,
  type RulesQuestion,
} from '../diagnose/rules.js'
import { InputError } from '../errors.js'
import { readAttachedSnapshot } from '../inspect/attached.js'
import { isAttached } from '../inspect/isAttached.js'
import { modeOf } from '../agents/kubeProxy/modes.js'
import { jsonText } from '../reporters/jsonText.js'
import { prettyRules } from '../reporters/prettyRules.js'
import { createColours } from '../text/colour.js'
import type { Language } from '../text/language.js'
import { withUpLab, type UpLab } from '../up/upLab.js'
import { languageIn, languageOption, type LanguageFlags } from './options.js'
import { printColoured, printError } from './output.js'
import { terminal } from './terminal.js'

interface RulesFlags extends LanguageFlags {
  readonly filename?: readonly string[]
  readonly service?: string
  readonly family?: 'ipv4' | 'ipv6'
  readonly raw?: true
}

const help = `
Each rule has its packet counter and the reason why kube-proxy writes it. In mode nftables the output also has the elements
of sets and maps, without counters; in mode ipvs the addresses, the entries of ipsets, and the virtual servers with their
connections. Rules that differ (~), are missing (-) or are not kube-proxy's (+) are marked. --raw prints all comments.

Examples:
  $ vethlab rules nodeport node-a
  $ vethlab rules nodeport node-a --service default/my-nodeport-service
  $ vethlab rules nodeport.json node-a
  $ vethlab rules save.txt node-a -f objects.yaml`

/** `vethlab rules <lab> <node>`: prints and explains the rules on a node of a running lab. */
export function rulesCommand(): Command {
  return new Command('rules')
    .description('The rules are grouped by Service, in the order in which a packet meets them.')
    .argument(
      '<lab>',
      'name of a running lab, or what `check` reads: a snapshot, saved rules, a support bundle, -',
    )
    .argument('<node>', 'name of a node')
    .option('-f, --filename <file>', 'of a snapshot: more files, such as objects (repeatable)', collect)
    .option('--service <namespace/name>', 'only the rules of this Service')
    .addOption(
      new Option('--family <family>', "address family (default: the lab's families)").choices([
        'ipv4',
        'ipv6',
      ]),
    )
    .addOption(
      new Option(
        '--raw',
        'print the output of iptables-save -c; in mode nftables, of nft list; in mode ipvs, of ipvsadm and ipset first',
      ).conflicts(['service', 'json', 'lang']),
    )
    .option('--json', 'print JSON')
    .addOption(languageOption('explanations'))
    .addHelpText('after', help)
    .action(async (lab: string, node: string, flags: RulesFlags) => {
      printColoured(
        isAttached(lab)
          ? await rulesOfFile(lab, node, flags)
          : await withUpLab(lab, (up) => rules(up, node, flags)),
      )
    })
}

async function rules(lab: UpLab, node: string, flags: RulesFlags): Promise<string> {
  if (flags.raw === true) return printedRules(lab, questionOf(node, flags))
  return rulesText(lab, await rulesOfNode(lab, questionOf(node, flags)), flags)
}

async function rulesOfFile(file: string, node: string, flags: RulesFlags): Promise<string> {
  const { snapshot } = await readAttachedSnapshot(file, flags.filename, { node })
  if (flags.raw === true)
    throw new InputError([{ message: '--raw prints the output of tools, which a snapshot does not have' }])
  const { unknown, ...found } = rulesInSnapshot(snapshot, questionOf(node, flags))
  for (const what of unknown) printError(`not compared, because it is not attached: ${what}\n`)
  return rulesText(snapshot.model, found, flags)
}

function questionOf(node: string, { family, service, ...flags }: RulesFlags): RulesQuestion {
  return {
    ...{ node, service, language: languageIn(flags) },
    family: family === undefined ? undefined : familyOf(family),
  }
}

function rulesText(shown: Pick<UpLab, 'view'>, found: RulesOfNode, flags: RulesFlags): string {
  if (flags.json === true) return jsonText(found)
  const language = languageIn(flags)
  const title =
    found.backend === 'snapshot'
      ? `${found.mode}, from a snapshot, which has no packet counters`
      : modeOf(found.mode).rulesTitle(`iptables-${found.backend}`, language)
  return found.families.map((ruleset) => familyText(shown, found.node, title, ruleset, language)).join('\n')
}

function familyText(
  { view }: Pick<UpLab, 'view'>,
  node: string,
  title: string,
  ruleset: ExplainedFamily,
  language: Language,
): string {
  const { colour, width } = terminal()
  const colours = createColours(colour)
  const pods = new Map(view.pods.flatMap((pod) => pod.addresses.map((address) => [address, pod] as const)))
  return `${colours.name(node)}  ${ruleset.family}, ${title}\n${prettyRules(ruleset, {
    language,
    colours,
    width,
    podAt: (address) => pods.get(address),
    serviceOf: (namespace, name) =>
      view.services.find((service) => service.namespace === namespace && service.name === name),
    withoutRules: ruleset.withoutRules,
  })}`
}
