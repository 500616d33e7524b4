import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import type { RuleTables, TracedRule } from '../../../snapshot/model/state.js'
import { policyOwner } from '../../../snapshot/programs.js'
import type { IpFamily } from '../../../net/ipFamily.js'
import { matchOf } from '../../../netfilter/rules/model.js'
import { nodeCommand, type Fact } from './fact.js'

const families = ['IPv4', 'IPv6'] as const

/** Nodes whose chain FORWARD drops what no rule accepts, and accepts nothing of pods; in the other backend of iptables too. */
export function policies(snapshot: Snapshot): Fact[] {
  const { model, state, rulesRead } = snapshot
  return model.topology.nodes
    .filter(({ name }) => rulesRead?.has(name) !== false)
    .flatMap(({ name, netns }) =>
      families
        .filter((family) => model.topology.families.includes(family))
        .flatMap((family) =>
          [...(state.rules.get(netns)?.[family] ?? [])].flatMap(([table, filter]) =>
            dropsPods(table, filter) ? [factOf(snapshot, name, family, table, filter)] : [],
          ),
        ),
    )
}

type Chains = NonNullable<ReturnType<RuleTables['get']>>

function dropsPods(table: string, filter: Chains): boolean {
  const forward = filter.get('FORWARD')
  return /(^|:)filter$/.test(table) && forward?.policy === 'DROP' && !acceptsPods(filter, forward.rules)
}

function factOf(snapshot: Snapshot, node: string, family: IpFamily, table: string, filter: Chains): Fact {
  const owner = policyOwner(filter)
  const [backend] = table.includes(':') ? table.split(':') : []
  const tool = `${family === 'IPv4' ? 'iptables' : 'ip6tables'}${backend === undefined ? '' : `-${backend}`}`
  return {
    code: 'forward-policy-drop',
    says: `the policy of ${table} FORWARD on ${node} is DROP${owner === undefined ? '' : ` (${owner} has chains in this table)`}, and no rule accepts packets of pods: only masqueraded requests and answers pass`,
    node,
    rule: `${node} ${table} FORWARD: -P FORWARD DROP`,
    decided: { place: node, table, chain: 'FORWARD', spec: '-P FORWARD DROP' },
    fixes: [
      {
        says: `the policy of ${table} FORWARD on ${node} is ACCEPT`,
        command: nodeCommand(snapshot, node, `${tool} -P FORWARD ACCEPT`),
      },
    ],
  }
}

/** Whether a rule behind these can accept a new packet of a pod; a condition that is not known can. */
function acceptsPods(
  filter: Chains,
  rules: readonly TracedRule[],
  seen: ReadonlySet<string> = new Set(),
): boolean {
  return rules.some(({ rule }) => {
    const { target } = rule
    const isOther = [rule.inInterface, rule.outInterface].some(
      (one) => one !== undefined && !one.negated && /^(docker|br-|virbr|lo|lxdbr)/.test(one.value),
    )
    const { mark } = matchOf(rule, 'mark') ?? {}
    const { ctstate } = matchOf(rule, 'conntrack') ?? {}
    const isOld = ctstate !== undefined && !ctstate.negated && !ctstate.value.includes('NEW')
    if (isOther || isOld || (mark !== undefined && !mark.negated)) return false
    if (target?.kind === 'jump' || target?.kind === 'goto')
      return (
        !seen.has(target.chain) &&
        acceptsPods(filter, filter.get(target.chain)?.rules ?? [], new Set([...seen, target.chain]))
      )
    return target?.kind === 'ACCEPT' || target?.kind === 'unknown'
  })
}
