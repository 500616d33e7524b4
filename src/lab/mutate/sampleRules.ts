import type { CataloguedRule } from '../../proxy/cataloguedRule.js'
import type { MetRule } from './catalogue.js'

/** A rule that is tried, and how many it stands for: itself alone, or all that are like it. */
export interface SampledRule {
  readonly rule: CataloguedRule
  /** How many rules of its node are alike, itself included. */
  readonly alike: number
}

/** More than so many rules that are alike are not all tried. */
const most = 4

/**
 * Of many rules of a Service port on one node that are alike but for the endpoint which they are about, the first, the
 * one in the middle and the last; of others all. The same each time. Rules that first did something in different steps
 * are not alike, for one step may miss what another does not.
 */
export function sampleRules(rules: readonly (CataloguedRule | MetRule)[]): readonly SampledRule[] {
  const groups = new Map<string, CataloguedRule[]>()
  for (const rule of rules) {
    const key = kindOf(rule)
    groups.set(key, [...(groups.get(key) ?? []), rule])
  }
  return rules.flatMap((rule) => {
    const group = groups.get(kindOf(rule)) ?? []
    const alike = group.length > most ? group.length : 1
    const chosen = [group[0], group[Math.floor(group.length / 2)], group.at(-1)]
    return alike === 1 || chosen.includes(rule) ? [{ rule, alike }] : []
  })
}

/** What rules that are alike have in common. */
function kindOf(rule: CataloguedRule | MetRule): string {
  const { node, family, table, chain, spec, servicePort } = rule
  const metIn = 'metIn' in rule ? rule.metIn[0] : undefined
  if (servicePort === undefined) return [node, family, table, chain, spec].join(' ')
  return [node, family, table, servicePort, withoutEndpoint(chain), withoutEndpoint(spec), metIn].join(' ')
}

/** A rule's text without what names an endpoint: hash, address, port, and its chance. */
function withoutEndpoint(text: string): string {
  return text
    .replace(/KUBE-SEP-\w+/g, 'KUBE-SEP')
    .replace(/ -> \S+"/g, '"')
    .replace(/--probability \S+/g, '--probability')
    .replace(/--to-destination \S+/g, '--to-destination')
    .replace(/^-s \S+/, '-s')
}
