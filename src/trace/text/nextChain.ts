import type { RuleStep } from '../model/steps.js'
import { shortChain } from './ruleText.js'

/** Rules of one chain, in the order in which the packet meets them. */
export interface MetChain<Rule extends { readonly chain: string }> {
  readonly chain: string
  readonly rules: readonly Rule[]
}

/** The chains that a packet meets; one to which it returns is another. */
export function chainsOf<Rule extends { readonly chain: string }>(rules: readonly Rule[]): MetChain<Rule>[] {
  const chains: { chain: string; rules: Rule[] }[] = []
  for (const rule of rules) {
    const last = chains.at(-1)
    if (last?.chain === rule.chain) last.rules.push(rule)
    else chains.push({ chain: rule.chain, rules: [rule] })
  }
  return chains
}

const mostOptions = 4

/**
 * One to four chains of which one comes next, as they are shown, sorted. The wrong ones are the targets of rules that do not
 * apply in the chain before, then other chains that the packet meets in the same table.
 */
export function nextChainOptions(
  before: MetChain<RuleStep | { readonly kind: 'policy'; readonly chain: string }>,
  next: string,
  met: readonly string[],
): readonly string[] {
  const answer = shortChain(next)
  const others = [...before.rules.flatMap(chainNotTaken), ...met]
    .filter((name) => name !== before.chain)
    .map(shortChain)
  const wrong = [...new Set(others)].filter((name) => name !== answer).slice(0, mostOptions - 1)
  return [answer, ...wrong].toSorted()
}

/** The chain to which a rule would have sent the packet; none for `ACCEPT` and other built-in targets. */
function chainNotTaken(rule: RuleStep | { readonly kind: 'policy' }): string[] {
  if (rule.kind !== 'rule' || rule.holds !== 'no') return []
  const [, target] = / -[jg] (\S+)/.exec(` ${rule.spec}`) ?? []
  return target === undefined || /^[A-Z]+$/.test(target) ? [] : [target]
}
