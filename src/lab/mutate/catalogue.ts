import type { IpFamily } from '../../cluster/types.js'
import { targetOf } from '../../netfilter/chainOwners.js'
import { normalSpec } from '../../netfilter/matchRules.js'
import type { RuleCount } from '../../netfilter/types.js'
import { comesFirst, chainRank } from '../../proxy/iptables/explained/chainAbout.js'
import { explainRule } from '../../proxy/iptables/explain.js'
import { restoreRule } from '../../proxy/iptables/restoreRule.js'
import { buildRuleset } from '../../proxy/iptables/ruleset.js'
import { savedSpec } from '../../proxy/iptables/savedRule.js'
import type { WithheldRule } from '../../proxy/iptables/withheld.js'
import { writtenRules } from '../../proxy/iptables/writtenRules.js'
import { proxyInput, type PlanFacts } from '../planLab.js'
import type { PreparedLab } from '../prepareLab.js'

/** A rule that kube-proxy writes on a node at some time of a lab. */
export interface CataloguedRule extends WithheldRule {
  readonly chain: string
  /** As iptables-save prints it, without `-A CHAIN`. */
  readonly spec: string
  readonly why: string
  readonly servicePort: string | undefined
}

/** The rules that a lab's kube-proxies write, with the packets that were seen to meet them. */
export interface Catalogue {
  /** Adds what the kube-proxies write for a state of the lab. */
  note(state: PreparedLab): void
  /** Adds what one reading of a node's counters shows. */
  count(node: string, family: IpFamily, counts: readonly RuleCount[]): void
  /**
   * In the order in which a packet meets them, the rules of a Service together. One that led packets to a chain where
   * they met nothing counts as not met: it did nothing.
   */
  rules(): { readonly met: readonly CataloguedRule[]; readonly notMet: readonly CataloguedRule[] }
}

/** An empty catalogue for a machine. */
export function createCatalogue(facts: Pick<PlanFacts, 'nfacct' | 'randomFully'>): Catalogue {
  const rules = new Map<string, CataloguedRule>()
  const met = new Set<string>()
  return {
    note(state) {
      for (const { name } of state.topology.nodes) {
        for (const family of state.topology.families) {
          for (const rule of rulesOf(state, name, family, facts)) rules.set(keyOf(rule), rule)
        }
      }
    },
    count(node, family, counts) {
      for (const { table, chain, rule, packets } of counts) {
        const spec = rule.slice(`-A ${chain} `.length)
        if (packets > 0) met.add(keyOf({ node, family, table, chain, spec }))
      }
    },
    rules() {
      const ranked = [...rules.values()].map((rule) => ({ rule, rank: rankOf(rule) }))
      const all = ranked
        .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
        .map(({ rule }) => rule)
      const acting = whatActs(all.filter((rule) => met.has(keyOf(rule))))
      return { met: all.filter((rule) => acting.has(rule)), notMet: all.filter((rule) => !acting.has(rule)) }
    },
  }
}

/** The rules that did something, of those that counted: a jump does what the chain does to which it leads. */
function whatActs(counted: readonly CataloguedRule[]): ReadonlySet<CataloguedRule> {
  const chains = new Map<string, CataloguedRule[]>()
  const place = ({ node, family, table }: CataloguedRule, chain: string) =>
    [node, family, table, chain].join(' ')
  for (const rule of counted) {
    const key = place(rule, rule.chain)
    chains.set(key, [...(chains.get(key) ?? []), rule])
  }
  const acts = (rule: CataloguedRule): boolean => {
    const target = targetOf(rule.spec) ?? ''
    return !target.startsWith('KUBE-') || (chains.get(place(rule, target)) ?? []).some(actsInChain)
  }
  // what returns is as if it had never come
  const actsInChain = (rule: CataloguedRule) => targetOf(rule.spec) !== 'RETURN' && acts(rule)
  return new Set(counted.filter(acts))
}

function rulesOf(
  state: PreparedLab,
  node: string,
  family: IpFamily,
  facts: Pick<PlanFacts, 'nfacct' | 'randomFully'>,
): CataloguedRule[] {
  const ruleset = buildRuleset(proxyInput(state, node, facts), family)
  return writtenRules(ruleset).map(({ table, rule, command }) => ({
    ...{ node, family, table, chain: rule.chain },
    line: restoreRule(rule, command),
    spec: savedSpec(rule, family),
    why: explainRule(rule),
    servicePort: rule.port?.name,
  }))
}

interface Named {
  readonly node: string
  readonly family: IpFamily
  readonly table: string
  readonly chain: string
  readonly spec: string
}

function keyOf({ node, family, table, chain, spec }: Named): string {
  return [node, family, table, chain, normalSpec(spec)].join(' ')
}

/** What all share and comes first, then each Service's, then the rest; rules of one chain stay as they were noted. */
function rankOf({ family, table, chain, servicePort }: CataloguedRule): string {
  const section = servicePort === undefined ? (comesFirst(table, chain) ? '0' : '2') : `1 ${servicePort}`
  return `${family} ${section} ${String(chainRank(table, chain)).padStart(2, '0')} ${chain}`
}
