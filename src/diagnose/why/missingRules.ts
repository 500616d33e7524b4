import { isAgent, kubeProxy } from '../../agents/meaning.js'
import { canonicalRule } from '../../netfilter/rules/render.js'
import { plannedState } from '../../snapshot/fromPlan/plannedState.js'
import type { NftRuleset } from '../../snapshot/model/nft.js'
import type { RuleTables, TracedChain, TraceState } from '../../snapshot/model/state.js'
import { predict } from '../../trace/predict.js'
import type { Failure } from './asked.js'
import { answeredWeight } from './outcome.js'
import type { Cause } from './types.js'

/** Rules that kube-proxy and the CNI plugin write on a node of the path, and that it does not have now. */
export function missingRuleCauses(failure: Failure): Cause[] {
  const { path, snapshot } = failure
  const nodes = new Set(snapshot.model.topology.nodes.map(({ netns }) => netns))
  const places = path.hops.flatMap(({ place, packet }) =>
    packet === 'request' && nodes.has(place) ? [place] : [],
  )
  const planned = plannedState(snapshot.model)
  return [...new Set(places)].flatMap((place): Cause[] => {
    const missing = missingAt(failure, planned, place)
    if (missing.length === 0) return []
    const edit = (state: TraceState) => withRules(state, planned, place)
    // a rule that is not there need not be the reason
    const before = answeredWeight(predict(snapshot.state, failure.from, failure.packet))
    const after = answeredWeight(predict(edit(snapshot.state), failure.from, failure.packet))
    if (after <= before) return []
    const { address } = failure.packet.destination
    const first = missing.find((text) => text.includes(`-d ${address}/`)) ?? missing[0]
    const count = missing.length === 1 ? 'a rule' : `${missing.length} rules`
    return [
      {
        code: 'rules-missing',
        says: `${count} of kube-proxy or the CNI plugin ${missing.length === 1 ? 'is' : 'are'} missing on ${place}; ${missing.length === 1 ? 'it belongs' : 'the first belongs'} to ${first}`,
        proposals: [
          {
            kind: 'host',
            place,
            says: `kube-proxy of ${place} writes its rules again`,
            command:
              snapshot.basis === 'attached'
                ? `kubectl -n kube-system delete pod -l k8s-app=kube-proxy --field-selector spec.nodeName=${place}`
                : `vethlab restart ${snapshot.model.lab.name} kube-proxy/${place}`,
            edit,
          },
        ],
      },
    ]
  })
}

/** `nat KUBE-SERVICES: -d 10.96.0.10/32 …` */
function missingAt({ snapshot, packet }: Failure, planned: TraceState, place: string): string[] {
  const own = snapshot.state.rules.get(place)?.[packet.family]
  const missing: string[] = []
  for (const [table, chains] of planned.rules.get(place)?.[packet.family] ?? new Map<string, never>())
    for (const [name, chain] of chains) {
      const there = new Set(
        own
          ?.get(table)
          ?.get(name)
          ?.rules.map(({ rule }) => canonicalRule(rule)),
      )
      for (const { rule, spec, owner } of chain.rules)
        if (isAgent(owner) && !there.has(canonicalRule(rule))) missing.push(`${table} ${name}: ${spec}`)
    }
  const tables = snapshot.state.nft.get(place)?.tables ?? []
  for (const table of planned.nft.get(place)?.tables ?? []) {
    const known = tables.find(({ family, name }) => family === table.family && name === table.name)
    for (const [name, { rules }] of table.chains)
      if ((known?.chains.get(name)?.rules.length ?? 0) < rules.length)
        missing.push(`chain ${name} of table ${table.family} ${table.name}`)
  }
  return missing
}

/** The state with the rules that kube-proxy writes on a node; rules of other programs stay. */
function withRules(state: TraceState, planned: TraceState, place: string): TraceState {
  const now = state.rules.get(place) ?? {}
  const wanted = planned.rules.get(place) ?? {}
  const rules = {
    IPv4: tablesOf(now.IPv4, wanted.IPv4),
    IPv6: tablesOf(now.IPv6, wanted.IPv6),
  }
  const nft = nftOf(state.nft.get(place), planned.nft.get(place))
  return {
    ...state,
    rules: new Map(state.rules).set(place, rules),
    nft: nft === undefined ? state.nft : new Map(state.nft).set(place, nft),
  }
}

function tablesOf(now: RuleTables = new Map(), wanted: RuleTables = new Map()): RuleTables {
  const tables = new Map(now)
  for (const [table, chains] of wanted) {
    const own = new Map(tables.get(table))
    for (const [name, chain] of chains) own.set(name, chainOf(own.get(name), chain))
    tables.set(table, own)
  }
  return tables
}

/** A chain of kube-proxy is written whole; in a built-in chain, it inserts the rules that are missing. */
function chainOf(now: TracedChain | undefined, wanted: TracedChain): TracedChain {
  const isOwn = wanted.policy === undefined && wanted.rules.some(({ owner }) => owner === kubeProxy)
  if (now === undefined || isOwn) return wanted
  const there = new Set(now.rules.map(({ rule }) => canonicalRule(rule)))
  const missing = wanted.rules.filter(({ rule, owner }) => isAgent(owner) && !there.has(canonicalRule(rule)))
  return { ...now, rules: [...missing, ...now.rules] }
}

function nftOf(now: NftRuleset | undefined, wanted: NftRuleset | undefined): NftRuleset | undefined {
  if (wanted === undefined) return undefined
  const others = (now?.tables ?? []).filter(
    ({ family, name }) => !wanted.tables.some((one) => one.family === family && one.name === name),
  )
  return { order: now?.order ?? wanted.order, tables: [...others, ...wanted.tables] }
}
