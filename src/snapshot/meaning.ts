import { isAgent, type Meaning } from '../agents/meaning.js'
import { canonicalNftRule } from '../netfilter/nft/statements.js'
import { canonicalRule } from '../netfilter/rules/render.js'
import type { IpFamily } from '../net/ipFamily.js'
import { tracedServerName, type TracedIpset, type TracedServer } from './model/balancing.js'
import { nftTableName, type NftRuleset, type NftTracedChain } from './model/nft.js'
import type { Listener, RuleTables, TracedRule, TraceState } from './model/state.js'

/**
 * A state that was read, with what the plan knows about the same rules, elements, servers and sockets: why they exist, and the object
 * behind them. What only the plan has is left out. Where objects are not whole, rules that the plan lacks may be kube-proxy’s too.
 */
export function withMeaning(read: TraceState, planned: TraceState, isWhole = true): TraceState {
  return {
    ...read,
    rules: each(read.rules, (rules, place) => rulesWithMeaning(rules, planned.rules.get(place), isWhole)),
    nft: each(read.nft, (ruleset, place) => nftWithMeaning(ruleset, planned.nft.get(place), isWhole)),
    sets: each(read.sets ?? new Map<string, ReadonlyMap<string, TracedIpset>>(), (sets, place) =>
      each(sets, (set, name) => ({
        ...set,
        meanings: planned.sets?.get(place)?.get(name)?.meanings ?? set.meanings,
      })),
    ),
    servers: each(read.servers ?? new Map<string, readonly TracedServer[]>(), (servers, place) => {
      const known = new Map(planned.servers?.get(place)?.map((one) => [tracedServerName(one), one]))
      return servers.map((server) => {
        const { owner, why, object } = known.get(tracedServerName(server)) ?? {}
        return { ...server, owner, why, object }
      })
    }),
    listeners: read.listeners.map((one) => listenerWithMeaning(one, planned)),
    silent: planned.silent,
  }
}

function each<Value, Result = Value>(
  map: ReadonlyMap<string, Value>,
  change: (value: Value, key: string) => Result,
): ReadonlyMap<string, Result> {
  return new Map([...map].map(([key, value]) => [key, change(value, key)]))
}

type FamilyTables = Readonly<Partial<Record<IpFamily, RuleTables>>>

function rulesWithMeaning(rules: FamilyTables, planned: FamilyTables = {}, isWhole: boolean): FamilyTables {
  const families = ['IPv4', 'IPv6'] as const
  return Object.fromEntries(
    families.flatMap((family) => {
      const own = rules[family]
      return own === undefined ? [] : [[family, tablesWithMeaning(own, planned[family], isWhole)] as const]
    }),
  )
}

/** Rules of iptables with the meaning of the planned rule of the same chain with the same text. */
export function tablesWithMeaning(
  tables: RuleTables,
  planned: RuleTables = new Map(),
  isWhole = true,
): RuleTables {
  return each(tables, (chains, table) =>
    each(chains, (chain, name) => {
      const known = new Map(
        planned
          .get(table)
          ?.get(name)
          ?.rules.map((rule) => [canonicalRule(rule.rule), rule]),
      )
      const rules = chain.rules.map((rule): TracedRule => {
        const { owner, why, object } =
          known.get(canonicalRule(rule.rule)) ??
          (chain.policy === undefined && isWhole ? foreign(rule) : rule)
        return { ...rule, owner, why, object }
      })
      return { ...chain, rules }
    }),
  )
}

/** The same for native tables of nftables, and for the elements of their sets. */
export function nftWithMeaning(ruleset: NftRuleset, planned?: NftRuleset, isWhole = true): NftRuleset {
  return {
    ...ruleset,
    tables: ruleset.tables.map((table) => {
      const known = planned?.tables.find((one) => nftTableName(one) === nftTableName(table))
      return {
        ...table,
        chains: each(table.chains, (chain, name) =>
          chainWithMeaning(chain, known?.chains.get(name), isWhole),
        ),
        sets: each(table.sets, (set, name) => ({
          ...set,
          meanings: known?.sets.get(name)?.meanings ?? set.meanings,
        })),
      }
    }),
  }
}

/** A rule in a chain of kube-proxy or of the CNI plugin that is not in the plan: they have not written it. */
export function foreign<Read extends Meaning>(rule: Read): Read {
  return isAgent(rule.owner) ? { ...rule, owner: undefined } : rule
}

function chainWithMeaning(
  chain: NftTracedChain,
  planned: NftTracedChain | undefined,
  isWhole: boolean,
): NftTracedChain {
  const known = new Map(planned?.rules.map((rule) => [canonicalNftRule(rule.spec), rule]))
  return {
    ...chain,
    rules: chain.rules.map((rule) => {
      const { owner, why, object } =
        known.get(canonicalNftRule(rule.spec)) ?? (isWhole ? foreign(rule) : rule)
      return { ...rule, owner, why, object }
    }),
  }
}

/** A socket with the name that the plan has for it, or for the programs of its namespace. */
function listenerWithMeaning(listener: Listener, { listeners, programs }: TraceState): Listener {
  const { netns, protocol, port, name, address } = listener
  const ofPort = listeners.filter(
    (one) => one.netns === netns && one.protocol === protocol && one.port === port,
  )
  const same = ofPort.find((one) => one.address === address) ?? ofPort[0]
  const { relay } = same ?? {}
  return { ...listener, name: same?.name ?? programs.get(netns) ?? name, ...(relay && { relay }) }
}
