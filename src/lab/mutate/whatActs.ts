import { targetName } from '../../netfilter/rules/model.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import { specOf } from '../../netfilter/save.js'
import type { RuleCount } from '../../netfilter/types.js'

/**
 * Of the rules of one node and family that matched packets in a step, those that had an effect: a jump has the effect of
 * its chain, and a packet that returns from the chain was not affected.
 */
export function whatActs(counted: readonly RuleCount[]): readonly RuleCount[] {
  const rules = counted.map((count) => ({ count, target: targetName(parseRule(specOf(count))) ?? '' }))
  const chains = new Map<string, (typeof rules)[number][]>()
  for (const one of rules) {
    const key = `${one.count.table} ${one.count.chain}`
    chains.set(key, [...(chains.get(key) ?? []), one])
  }
  const acts = ({ count, target }: (typeof rules)[number]): boolean =>
    !target.startsWith('KUBE-') || (chains.get(`${count.table} ${target}`) ?? []).some(actsInChain)
  const actsInChain = (one: (typeof rules)[number]) => one.target !== 'RETURN' && acts(one)
  return rules.filter(acts).map(({ count }) => count)
}
