import type { Mutation, Verdict } from '../../results/mutations.js'
import type { CataloguedRule } from '../../proxy/cataloguedRule.js'

/** A rule of one node with the result of the lab without it. */
export interface EvaluatedRule {
  readonly rule: CataloguedRule
  /** How many rules it represents; see `sampleRules`. */
  readonly alike: number
  readonly verdict: Verdict
  readonly uncovered: string | undefined
}

/** Groups equal rules of several nodes if their verdicts are of one kind; reports the check of the first. */
export function groupRules(evaluated: readonly EvaluatedRule[]): Mutation[] {
  const groups = new Map<string, Mutation>()
  for (const { rule, alike, verdict, uncovered } of evaluated) {
    const { family, table, chain, spec, why, servicePort, node } = rule
    const key = [family, table, chain, verdict.kind, spec].join(' ')
    const known = groups.get(key)
    const nodes = [...(known?.nodes ?? []), node]
    groups.set(
      key,
      known === undefined
        ? { family, table, chain, spec, why, servicePort, nodes, alike, verdict, uncovered }
        : { ...known, nodes },
    )
  }
  return [...groups.values()]
}
