import { InputError } from '../../errors.js'
import { savedTables } from '../../diagnose/nodeRules.js'
import { matchOf } from '../../netfilter/rules/model.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import { renderSave } from '../../netfilter/renderSave.js'
import type { SavedTable } from '../../netfilter/save.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'

/** The rules of nodes as files of a lab, and the fields of lab.yaml that name them. */
export interface SavedRules {
  readonly fields: Readonly<Record<string, unknown>>
  /** By path. */
  readonly files: ReadonlyMap<string, string>
  readonly notices: readonly string[]
}

/**
 * The rules of iptables that were read of nodes, for a lab without a kube-proxy. Throws InputError for rules that cannot be restored: those
 * of other modes, and those of which parts are not known.
 */
export function savedRules(snapshot: Snapshot, nodes: readonly string[]): SavedRules {
  const { model, state, rulesRead } = snapshot
  const files = new Map<string, string>()
  const fields: Record<string, Record<string, string>> = {}
  const lost = new Set<string>()
  for (const { name, netns } of model.topology.nodes.filter((one) => nodes.includes(one.name))) {
    if (rulesRead?.has(name) === false)
      lost.add(`the rules of ${name} are not attached: it has those of kube-proxy`)
    const native = state.nft.get(netns)?.tables.find((table) => table.chains.size > 0)
    if (native !== undefined) throw cannot(name, `table ${native.name} of nftables is not one of iptables`)
    for (const family of model.topology.families) {
      const tables = savedTables(snapshot, netns, family)
      if (tables.length === 0) continue
      const path = `rules/${name}.${family === 'IPv4' ? 'iptables' : 'ip6tables'}.txt`
      files.set(
        path,
        renderSave(
          tables.map((table) => restorable(name, table, lost)),
          { counters: false },
        ),
      )
      fields[name] = { ...fields[name], [family]: path }
    }
    const others = [...(state.rules.get(netns)?.IPv4?.keys() ?? [])].filter((table) => table.includes(':'))
    if (others.length > 0) lost.add(`rules of the other backend of iptables are left out: ${name}`)
  }
  if (files.size === 0) throw new InputError([{ message: 'no rules of nodes are attached' }])
  return { fields: { kubeProxy: false, rules: fields }, files, notices: [...lost] }
}

/** A table as iptables-restore can read it in a lab. */
function restorable(node: string, { table, chains, rules }: SavedTable, lost: Set<string>): SavedTable {
  return {
    table,
    chains,
    rules: rules.map((rule) => {
      const parsed = parseRule(rule.spec)
      if (rule.spec.startsWith('-m not-shown')) throw cannot(node, 'the policies of its chains are not known')
      if (matchOf(parsed, 'set') !== undefined) throw cannot(node, 'they match ipsets')
      for (const one of [parsed.inInterface, parsed.outInterface])
        if (one !== undefined && !/^(?:lo|eth0|cni0)$/.test(one.value))
          lost.add(`rules of ${node} name the interface ${one.value}, which nodes of a lab do not have`)
      // it counts, and decides nothing
      return { ...rule, spec: rule.spec.replace(/(^| )-m nfacct --nfacct-name +\S+/, '').trimStart() }
    }),
  }
}

function cannot(node: string, why: string): InputError {
  return new InputError([
    {
      message: `the rules of ${node} cannot be restored in a lab: ${why}`,
      hint: 'without --rules saved, kube-proxy writes the rules of the lab',
    },
  ])
}
