import { targetOf } from '../../netfilter/chainOwners.js'
import type { RuleCount } from '../../netfilter/types.js'

/**
 * Of the rules of one node and family that counted packets in a step, those that did something: a jump does what the
 * chain does to which it leads, and what returns is as if it had never come.
 */
export function whatActs(counted: readonly RuleCount[]): readonly RuleCount[] {
  const chains = new Map<string, RuleCount[]>()
  for (const rule of counted) {
    const key = `${rule.table} ${rule.chain}`
    chains.set(key, [...(chains.get(key) ?? []), rule])
  }
  const acts = ({ table, rule }: RuleCount): boolean => {
    const target = targetOf(rule) ?? ''
    return !target.startsWith('KUBE-') || (chains.get(`${table} ${target}`) ?? []).some(actsInChain)
  }
  const actsInChain = (rule: RuleCount) => targetOf(rule.rule) !== 'RETURN' && acts(rule)
  return counted.filter(acts)
}
