import type {
  ExplainedChain,
  ExplainedRule,
  ExplainedRuleset,
} from '../../../src/agents/kubeProxy/iptables/explained/types.js'

/** All chains of an explained ruleset, in order. */
export function chainsOf({ first, services, last, others }: ExplainedRuleset): readonly ExplainedChain[] {
  return [
    ...first,
    ...services.flatMap(({ ports }) => ports.flatMap(({ chains }) => chains)),
    ...last,
    ...others,
  ]
}

/** All rules of these chains. */
export function rulesOf(ruleset: ExplainedRuleset): readonly ExplainedRule[] {
  return chainsOf(ruleset).flatMap(({ rules }) => rules)
}
