// `npm run soak -- versions FILE [lab…] [--mode MODE] [--iptables nft|legacy]`, called by soak.ts: starts labs, by default all, with
// a kube-proxy, and compares the rules that it has written with those that vethlab renders for its version.
import { Command } from 'commander'
import { prepareLabs, type LabFlags } from '../src/commands/labs/prepareLabs.js'
import { backendOption, labModeOption } from '../src/commands/options.js'
import type { ExplainedRule } from '../src/agents/kubeProxy/iptables/explained/types.js'
import { versionText } from '../src/agents/kubeProxy/versions/version.js'
import { CommandError, ModeNotHereError, OtherVersionError } from '../src/errors.js'
import { liveModeOf } from '../src/host/proxier/liveModes.js'
import type { PreparedLab } from '../src/lab/plan/prepareLab.js'
import { withRunningLab } from '../src/lab/up/withRunningLab.js'
import type { IptablesBackend } from '../src/netfilter/types.js'
import { proxiedNodes } from '../src/snapshot/fromPlan/plannedState.js'

/** Returns the exit code: 0 if every rule is as rendered. */
export async function soakVersions(args: readonly string[]): Promise<number> {
  const command = new Command('soak -- versions')
    .argument('<kube-proxy>')
    .argument('[labs...]')
    .addOption(backendOption())
    .addOption(labModeOption())
    .parse(args, { from: 'user' })
  const flags = command.opts<Pick<LabFlags, 'mode'> & { readonly iptables?: IptablesBackend }>()
  const [kubeProxy, ...names] = command.args
  const all = names.length === 0
  const { labs, skipped } = prepareLabs('soak', names, {
    ...flags,
    kubeProxy,
    ...(all && { all }),
    ignore: [],
  })
  const print = (text: string) => process.stdout.write(`${text}\n`)
  for (const { lab, reason } of skipped) print(`${lab}: skipped: ${reason}`)
  const total = { nodes: 0, equal: 0, rules: 0 }
  let failed = false
  for (const prepared of labs) {
    try {
      const compared = await comparedNodes(prepared, flags.iptables)
      for (const { what, rules, wrong } of compared) {
        total.nodes++
        total.rules += rules
        if (wrong.length === 0) total.equal++
        else print([`${prepared.lab.name} ${what}`, ...wrong].join('\n  '))
      }
    } catch (error) {
      const isOther = error instanceof ModeNotHereError || error instanceof OtherVersionError
      if (!isOther && !(error instanceof CommandError)) throw error
      failed ||= !isOther || !all
      print(`${prepared.lab.name}: ${isOther ? 'skipped: ' : ''}${error.message}`)
    }
  }
  print(`figure: ${total.equal} of ${total.nodes} rulesets as rendered, ${total.rules} rules`)
  return !failed && total.equal === total.nodes && total.nodes > 0 ? 0 : 1
}

interface ComparedNode {
  /** `node-a IPv4 of 1.30` */
  readonly what: string
  readonly rules: number
  /** The rules that are not as rendered. */
  readonly wrong: readonly string[]
}

async function comparedNodes(prepared: PreparedLab, iptables?: IptablesBackend): Promise<ComparedNode[]> {
  return withRunningLab(prepared, { capture: false, iptables }, async (running) => {
    const { sandbox } = running
    const { families, nodes } = running.prepared.topology
    const compared: ComparedNode[] = []
    for (const [name, { mode, input }] of proxiedNodes({ ...running.prepared, ...running.live.state() })) {
      const netns = nodes.find((node) => node.name === name)?.netns ?? name
      for (const family of families) {
        const found = await liveModeOf(mode.name).find(sandbox, netns, family)
        const { first, services, last, others } = mode.explain(input, family, found, 'en')
        const chains = [
          ...first,
          ...services.flatMap(({ ports }) => ports.flatMap((port) => port.chains)),
          ...last,
          ...others,
        ]
        const rules = chains.flatMap((chain) => chain.rules.map((rule) => ({ ...rule, chain: chain.chain })))
        const own = rules.filter(({ state }) => state !== 'foreign')
        compared.push({
          what: `${name} ${family} of ${versionText(input.config.version)}`,
          rules: own.length,
          wrong: own.filter(({ state }) => state !== 'expected').map(described),
        })
      }
    }
    return compared
  })
}

function described({ state, spec, expected, chain }: ExplainedRule & { readonly chain: string }): string {
  return `${state} ${chain}: ${spec}${expected === undefined ? '' : `\n    rendered: ${expected}`}`
}
