import type { IpFamily } from '../../cluster/types.js'
import { countsBetween } from '../../netfilter/counts.js'
import type { TracedRule } from '../../netfilter/nftTrace.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import { canonicalRule } from '../../netfilter/rules/render.js'
import { specOf } from '../../netfilter/save.js'
import type { RuleCount } from '../../netfilter/types.js'
import { comesFirst, chainRank } from '../../proxy/iptables/explained/chainAbout.js'
import { explainRule } from '../../proxy/iptables/explain.js'
import { restoreRule } from '../../proxy/iptables/restoreRule.js'
import { buildRuleset } from '../../proxy/iptables/ruleset.js'
import { savedSpec } from '../../proxy/iptables/savedRule.js'
import type { WithheldRule } from '../../proxy/iptables/withheld.js'
import { writtenRules } from '../../proxy/iptables/writtenRules.js'
import { buildPortals } from '../../proxy/userspace/portals.js'
import { writtenPortalRules } from '../../proxy/userspace/restore.js'
import { userspaceRules } from '../../proxy/userspace/rules.js'
import { blockComesFirst, blockRank } from '../../proxy/nftables/explained/blockAbout.js'
import { tableName } from '../../proxy/nftables/writer.js'
import { proxyInput, type PlanFacts } from '../planLab.js'
import type { PreparedLab } from '../prepareLab.js'
import { nftRulesOf } from './nftRules.js'
import { whatActs } from './whatActs.js'
import { whatActsInNft } from './whatActsInNft.js'

/** A rule that kube-proxy writes on a node at some time of a lab. */
export interface CataloguedRule extends WithheldRule {
  readonly chain: string
  /** As iptables-save prints it, without `-A CHAIN`. */
  readonly spec: string
  readonly why: string
  readonly servicePort: string | undefined
}

/** A rule that did something, and when, the first time first: 0 before the first step, then the step's number. */
export interface MetRule extends CataloguedRule {
  readonly metIn: readonly [number, ...number[]]
}

/** The rules that a lab's kube-proxies write, with the packets that were seen to meet them. */
export interface Catalogue {
  /** Adds what the kube-proxies write for a state of the lab. */
  note(state: PreparedLab): void
  /** Adds what one reading of a node's counters shows: one before the first step, and one after each. */
  count(node: string, family: IpFamily, counts: readonly RuleCount[]): void
  /** Adds, for mode nftables, what a trace since the last call shows; called once before the first step, and after each. */
  meet(node: string, family: IpFamily, traced: readonly TracedRule[]): void
  /**
   * In the order in which a packet meets them, the rules of a Service together. One that led packets to a chain where
   * they met nothing in the same step counts as not met: it did nothing.
   */
  rules(): { readonly met: readonly MetRule[]; readonly notMet: readonly CataloguedRule[] }
}

/** An empty catalogue for a machine. */
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
      for (const { name } of state.topology.nodes) {
        for (const family of state.topology.families) {
          for (const rule of rulesOf(state, name, family, facts)) rules.set(keyOf(rule), rule)
        }
      }
    },
    count(node, family, counts) {
      const earlier = readings.get(`${node} ${family}`) ?? []
      readings.set(`${node} ${family}`, [...earlier, counts])
      const counted = countsBetween(earlier.at(-1) ?? [], counts).filter(({ packets }) => packets > 0)
      for (const acting of whatActs(counted)) {
        const { table, chain } = acting
        noteMet(keyOf({ node, family, table, chain, spec: specOf(acting) }), earlier.length)
      }
    },
    meet(node, family, traced) {
      const turn = traces.get(`${node} ${family}`) ?? 0
      traces.set(`${node} ${family}`, turn + 1)
      for (const acting of whatActsInNft(traced)) {
        const key = keyOf({ node, family, table: tableName, ...acting })
        noteMet(key, turn)
      }
    },
    rules() {
      const ranked = [...rules.values()].map((rule) => ({ rule, rank: rankOf(rule) }))
      const all = ranked
        .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
        .map(({ rule }) => rule)
      const metIn = (rule: CataloguedRule) => met.get(keyOf(rule))
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

function rulesOf(
  state: PreparedLab,
  node: string,
  family: IpFamily,
  facts: Pick<PlanFacts, 'nfacct' | 'randomFully'>,
): CataloguedRule[] {
  const input = proxyInput(state, node, facts)
  if (state.config.mode === 'userspace') {
    // what later updates open has other proxy ports, which only the process knows: those rules are not tried
    const { portals, place } = buildPortals(input, family)
    return writtenPortalRules(userspaceRules(portals, place)).map(({ table, rule, line }) => ({
      ...{ node, family, table, chain: rule.chain, line },
      spec: savedSpec(rule, family),
      why: rule.reason,
      servicePort: rule.port?.name,
    }))
  }
  if (state.config.mode === 'nftables') return nftRulesOf(input, family)
  const ruleset = buildRuleset(input, family)
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
  // the trace does not say the comments of elements
  if (table === tableName) return [node, family, table, chain, spec.replace(/ comment "[^"]*"/, '')].join(' ')
  return [node, family, table, chain, canonicalRule(parseRule(spec))].join(' ')
}

/** What all share and comes first, then each Service's, then the rest; rules of one chain stay as they were noted. */
function rankOf({ family, table, chain, servicePort }: CataloguedRule): string {
  const nft = table === tableName
  const first = nft ? blockComesFirst(chain) : comesFirst(table, chain)
  const rank = nft ? blockRank(chain) : chainRank(table, chain)
  const section = servicePort === undefined ? (first ? '0' : '2') : `1 ${servicePort}`
  return `${family} ${section} ${String(rank).padStart(2, '0')} ${chain}`
}
