import type { ProxyMode } from '../../agents/kubeProxy/mode.js'
import { tableName } from '../../agents/kubeProxy/nftables/writer.js'
import type { Lab, UncoveredRules } from '../types.js'
import { isLike, type NamedRule } from './ruleGlob.js'

const accepted =
  'the policy of a lab’s nodes is ACCEPT: packets that this rule accepts are accepted without it'

const unanswered = 'traffic to a cluster IP that no rule handles fails without it too, but differently'

/** Rules that have no effect in a lab unless it is made for them. */
const everywhere: readonly UncoveredRules[] = [
  { rules: 'filter FORWARD * -j KUBE-FORWARD', why: accepted },
  { rules: 'filter KUBE-FORWARD * -j ACCEPT', why: accepted },
  { rules: 'filter INPUT * -j KUBE-NODEPORTS', why: accepted },
  { rules: 'filter KUBE-NODEPORTS * -j ACCEPT', why: accepted },
  {
    rules: 'nat KUBE-POSTROUTING -j MARK --set-xmark *',
    why: 'only a packet that leaves twice, once more inside of another, would be masqueraded twice',
  },
  { rules: 'kube-proxy filter-* jump cluster-ips-check', why: unanswered },
  { rules: 'kube-proxy cluster-ips-check *', why: unanswered },
]

/** Why no check has to fail without a rule. */
export interface Uncovered {
  readonly why: string
  /** True when lab.yaml lists the rule; false for rules that have no effect in any lab. */
  readonly listed: boolean
}

/** Why no check of a lab has to cover a rule; undefined if one has to. */
export function uncoveredIn(
  { uncovered }: Pick<Lab, 'uncovered'>,
  rule: NamedRule & { readonly node: string },
): Uncovered | undefined {
  const find = (all: readonly UncoveredRules[]) => all.find((one) => holds(one, rule))?.why
  const listed = find(uncovered)
  if (listed !== undefined) return { why: listed, listed: true }
  const why = find(everywhere)
  return why === undefined ? undefined : { why, listed: false }
}

/**
 * The patterns of a lab that match none of these rules, only of those about the rules of this mode. Patterns for nftables
 * start with its table; others are about iptables.
 */
export function idlePatterns(
  { uncovered }: Pick<Lab, 'uncovered'>,
  rules: readonly (NamedRule & { readonly node: string })[],
  { ownTable }: ProxyMode,
): string[] {
  const inOwnTable = (pattern: string) => pattern.startsWith(`${tableName} `)
  return uncovered
    .filter(
      (one) => inOwnTable(one.rules) === (ownTable !== undefined) && !rules.some((rule) => holds(one, rule)),
    )
    .map(({ rules }) => rules)
}

function holds({ rules, nodes }: UncoveredRules, rule: NamedRule & { readonly node: string }): boolean {
  return isLike(rule, rules) && (nodes === undefined || nodes.includes(rule.node))
}
