import { fieldName } from '../../agents/meaning.js'
import { jump } from '../../netfilter/rules/build.js'
import type { Match, Target } from '../../netfilter/rules/model.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import { canonicalRule } from '../../netfilter/rules/render.js'
import type { MetRule } from './catalogue.js'

/** A rule that is tried, and how many it represents: itself, or all that are like it. */
export interface SampledRule {
  readonly rule: MetRule
  /** How many rules of its node are alike, itself included. */
  readonly alike: number
}

/** If more rules than this are alike, only some are tried. */
const most = 4

/**
 * Of many rules of a Service port on one node that differ only in the endpoint: the first, the middle and the last; of
 * other rules all. The choice is always the same. Rules that first had an effect in different steps are not alike, because
 * the checks of the steps differ.
 */
export function sampleRules(rules: readonly MetRule[]): readonly SampledRule[] {
  const groups = new Map<string, MetRule[]>()
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
function kindOf(rule: MetRule): string {
  const { node, family, table, chain, spec, object } = rule
  if (object === undefined) return [node, family, table, chain, spec].join(' ')
  return [
    node,
    family,
    table,
    fieldName(object),
    chainKind(chain),
    withoutEndpoint(spec),
    rule.metIn[0],
  ].join(' ')
}

/** A chain's name without the hash that names an endpoint. */
function chainKind(chain: string): string {
  return chain.startsWith('KUBE-SEP-') ? 'KUBE-SEP' : chain
}

/** A rule's text without the endpoint and the probability; a rule of nftables unchanged. */
function withoutEndpoint(spec: string): string {
  const { source, target, ...rest } = parseRule(spec)
  return canonicalRule({
    ...rest,
    ...(source && { source: { ...source, value: '' } }),
    matches: rest.matches.map(matchWithoutEndpoint),
    ...(target && { target: targetWithoutEndpoint(target) }),
  })
}

function matchWithoutEndpoint(match: Match): Match {
  switch (match.kind) {
    case 'comment':
      return { ...match, comment: match.comment.split(' -> ', 1).join() }
    case 'statistic':
      return { ...match, probability: { value: 0 } }
    case 'recent':
      return { ...match, name: chainKind(match.name ?? '') }
    default:
      return match
  }
}

function targetWithoutEndpoint(target: Target): Target {
  if (target.kind === 'jump') return jump(chainKind(target.chain))
  return target.kind === 'DNAT' ? { ...target, toDestination: {} } : target
}
