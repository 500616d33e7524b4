import { fieldName } from '../../agents/meaning.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { countsBetween } from '../../netfilter/counts.js'
import type { TracedRule } from '../../netfilter/nftTrace.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import { canonicalRule } from '../../netfilter/rules/render.js'
import { specOf } from '../../netfilter/save.js'
import type { RuleCount } from '../../netfilter/types.js'
import { inputOfNode } from '../../agents/kubeProxy/input.js'
import { comesFirst, chainRank } from '../../agents/kubeProxy/iptables/explained/chainAbout.js'
import { blockComesFirst, blockRank } from '../../agents/kubeProxy/nftables/explained/blockAbout.js'
import { tableName } from '../../agents/kubeProxy/nftables/writer.js'
import type { PlanFacts } from '../plan/planFacts.js'
import { proxyInputs } from '../../snapshot/fromPlan/proxyInputs.js'
import { policyRules } from './policyRules.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import { whatActsInNft } from './whatActsInNft.js'
import type { CataloguedRule } from '../../agents/kubeProxy/cataloguedRule.js'
import { targetName } from '../../netfilter/rules/model.js'

/** A rule that had an effect, and in which steps, in order: 0 is before the first step, then the step's number. */
export interface MetRule extends CataloguedRule {
  readonly metIn: readonly [number, ...number[]]
}

/** The rules that a lab's kube-proxies and its agent of network policies write, and in which steps packets met them. */
export interface Catalogue {
  /** Adds the rules of a state of the lab; of policies those that decide, in modes whose rules count packets. */
  note(state: PreparedLab): void
  /** Adds one reading of a node's counters: one before the first step, and one after each. */
  count(node: string, family: IpFamily, counts: readonly RuleCount[]): void
  /** For mode nftables, adds the trace since the last call; called once before the first step, and after each. */
  meet(node: string, family: IpFamily, traced: readonly TracedRule[]): void
  /**
   * In the order in which a packet meets them, the rules of a Service together. A jump to a chain where packets met no
   * rule in the same step counts as not met: it had no effect.
   */
  rules(): { readonly met: readonly MetRule[]; readonly notMet: readonly CataloguedRule[] }
}

/** An empty catalogue for a host. */
export function createCatalogue(facts: Pick<PlanFacts, 'nfacct' | 'randomFully'>): Catalogue {
  const rules = new Map<string, CataloguedRule>()
  const met = new Map<string, [number, ...number[]]>()
  const readings = new Map<string, (readonly RuleCount[])[]>()
  const traces = new Map<string, number>()
  const noteMet = (key: string, turn: number) => {
    const turns = met.get(key)
    if (turns === undefined) met.set(key, [turn])
    else if (turns.at(-1) !== turn) turns.push(turn)
  }
  return {
    note(state) {
      const { kubeProxy, topology } = state
      if (kubeProxy.kind !== 'built-in') return
      const inputs = proxyInputs(state, kubeProxy.config, facts)
      for (const node of topology.nodes) {
        for (const family of topology.families) {
          const own = kubeProxy.mode.catalogue?.(inputOfNode(inputs, node.name), family) ?? []
          // they are counted, not traced
          const ofPolicies = kubeProxy.mode.countsPackets
            ? policyRules(state.cluster, topology, node, family, kubeProxy.mode)
            : []
          for (const rule of [...own, ...ofPolicies]) rules.set(ruleKey(rule), rule)
        }
      }
    },
    count(node, family, counts) {
      const earlier = readings.get(`${node} ${family}`) ?? []
      readings.set(`${node} ${family}`, [...earlier, counts])
      const counted = countsBetween(earlier.at(-1) ?? [], counts).filter(({ packets }) => packets > 0)
      for (const acting of whatActs(counted)) {
        const { table, chain } = acting
        noteMet(ruleKey({ node, family, table, chain, spec: specOf(acting) }), earlier.length)
      }
    },
    meet(node, family, traced) {
      const turn = traces.get(`${node} ${family}`) ?? 0
      traces.set(`${node} ${family}`, turn + 1)
      for (const acting of whatActsInNft(traced)) {
        const key = ruleKey({ node, family, table: tableName, ...acting })
        noteMet(key, turn)
      }
    },
    rules() {
      const ranked = [...rules.values()].map((rule) => ({ rule, rank: rankOf(rule) }))
      const all = ranked
        .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
        .map(({ rule }) => rule)
      const metIn = (rule: CataloguedRule) => met.get(ruleKey(rule))
      return {
        met: all.flatMap((rule) => {
          const turns = metIn(rule)
          return turns === undefined ? [] : [{ ...rule, metIn: turns }]
        }),
        notMet: all.filter((rule) => metIn(rule) === undefined),
      }
    },
  }
}

type Named = Pick<CataloguedRule, 'node' | 'family' | 'chain' | 'spec'> & { readonly table: string }

function ruleKey({ node, family, table, chain, spec }: Named): string {
  // the trace does not show the comments of elements
  if (table === tableName) return [node, family, table, chain, spec.replace(/ comment "[^"]*"/, '')].join(' ')
  return [node, family, table, chain, canonicalRule(parseRule(spec))].join(' ')
}

/** Shared rules at the start of the path first, then those of each Service, then the rest; rules of one chain keep their order. */
function rankOf({ family, table, chain, object }: CataloguedRule): string {
  const nft = table === tableName
  const first = nft ? blockComesFirst(chain) : comesFirst(table, chain)
  const rank = nft ? blockRank(chain) : chainRank(table, chain)
  const section = object === undefined ? (first ? '0' : '2') : `1 ${fieldName(object)}`
  return `${family} ${section} ${String(rank).padStart(2, '0')} ${chain}`
}

/**
 * Of the rules of one node and family that matched packets in a step, those that had an effect: a jump has the effect of
 * its chain, and a packet that returns from the chain was not affected.
 */
function whatActs(counted: readonly RuleCount[]): readonly RuleCount[] {
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
