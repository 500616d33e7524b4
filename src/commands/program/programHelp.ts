import type { Command, Help } from 'commander'
import { verbGroups, type VerbGroup } from './verbs.js'

const examples = `Examples:
  $ vethlab check bundle.tar.gz   print what is wrong in a cluster
  $ vethlab run nodeport          build the NodePort lab, check it, remove it
  $ vethlab up nodeport           keep it running, and look around:
  $ vethlab exec nodeport node-a -- iptables -t nat -S KUBE-NODEPORTS

Exit codes: 0 all passed, 1 a check failed, 2 invalid input, 3 cannot run here.`

/** `vethlab --help`: one screen, with the verbs by what people come for. */
export function programHelp(program: Command, helper: Help): string {
  const term = 2 + Math.max(...verbGroups.flatMap(({ verbs }) => verbs.map(({ name }) => name.length)))
  const groups = verbGroups.map((group) => groupText(group, term, helper))
  const usage = `Usage: ${program.name()} COMMAND [options]; ${program.name()} COMMAND --help`
  return `${[usage, ...groups, examples].join('\n\n')}\n`
}

function groupText({ heading, verbs }: VerbGroup, width: number, helper: Help): string {
  const lines = verbs
    .filter(({ rare }) => rare !== true)
    .map(({ name, summary }) => helper.formatItem(name, width, summary, helper))
  const rare = verbs.filter((verb) => verb.rare === true).map(({ name }) => name)
  const more = rare.length === 0 ? [] : [helper.formatItem('also', width, rare.join(', '), helper)]
  return [`${heading}:`, ...lines, ...more].join('\n')
}
