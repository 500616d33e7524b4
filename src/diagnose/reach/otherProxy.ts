import { InputError } from '../../errors.js'
import { isBuiltIn, isKubeProxyChain } from '../../netfilter/chainOwners.js'
import { targetName } from '../../netfilter/rules/model.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { ModeName } from '../../agents/kubeProxy/config.js'
import { kubeProxy as kubeProxyName } from '../../agents/meaning.js'
import { modeOf } from '../../agents/kubeProxy/modes.js'
import { whyNotKnown } from '../../agents/kubeProxy/versions/known.js'
import type { MinorVersion } from '../../agents/kubeProxy/versions/version.js'
import { asChanged } from '../../snapshot/asChanged.js'
import { plannedState, snapshotOf } from '../../snapshot/fromPlan/plannedState.js'
import type { LabModel, Snapshot } from '../../snapshot/model/snapshot.js'
import type { NftRuleset } from '../../snapshot/model/nft.js'
import type { RuleTables, TracedChain, TracedRule } from '../../snapshot/model/state.js'

/** Another kube-proxy for the same cluster. */
export interface OtherProxy {
  readonly mode?: ModeName | undefined
  readonly version?: MinorVersion | undefined
}

/**
 * The snapshot as it would be with another kube-proxy: what this one wrote is replaced by what the other one writes, and the rules of
 * other programs stay. Nodes are as after a restart: sysctls are those that the other one sets. Throws InputError if its rules are not known.
 */
export function withOtherProxy(snapshot: Snapshot, other: OtherProxy): Snapshot {
  const model = modelWith(snapshot.model, other)
  if (snapshot.basis === 'plan') return { ...snapshot, ...snapshotOf(model), notices: snapshot.notices }
  const [before, after] = [plannedState(snapshot.model), plannedState(model)]
  const changed = asChanged(snapshot.state, before, after)
  const places = snapshot.model.topology.nodes.map(({ netns }) => netns)
  const rules = new Map(snapshot.state.rules)
  const nft = new Map(snapshot.state.nft)
  const sysctls = new Map(changed.sysctls)
  for (const place of places) {
    const families = ['IPv4', 'IPv6'] as const satisfies readonly IpFamily[]
    rules.set(
      place,
      Object.fromEntries(
        families.flatMap((family) => {
          const read = snapshot.state.rules.get(place)?.[family]
          const planned = after.rules.get(place)?.[family]
          return read === undefined && planned === undefined
            ? []
            : [[family, withProxyRules(read, planned, snapshot.basis === 'attached')] as const]
        }),
      ),
    )
    const native = withProxyTables(snapshot.state.nft.get(place), after.nft.get(place))
    if (native === undefined) nft.delete(place)
    else nft.set(place, native)
    sysctls.set(
      place,
      changedSysctls(changed.sysctls.get(place), before.sysctls.get(place), after.sysctls.get(place)),
    )
  }
  const ofNodes = <Value>(
    read: ReadonlyMap<string, Value> | undefined,
    planned: ReadonlyMap<string, Value> | undefined,
  ) => new Map([...[...(read ?? [])].filter(([place]) => !places.includes(place)), ...(planned ?? [])])
  const servers = ofNodes(changed.servers, after.servers)
  return { ...snapshot, model, state: { ...changed, rules, nft, sysctls, servers } }
}

/** The model with another kube-proxy. Throws InputError if its rules are not known. */
export function modelWith(model: LabModel, { mode, version }: OtherProxy): LabModel {
  const { kubeProxy } = model
  if (kubeProxy.kind === 'none')
    throw new InputError([{ message: 'there is no kube-proxy whose rules another one could replace' }])
  const config = {
    ...kubeProxy.config,
    ...(mode !== undefined && { mode }),
    ...(version !== undefined && { version }),
  }
  const why = whyNotKnown(config)
  if (why !== undefined) throw new InputError([{ message: why }])
  return {
    ...model,
    kubeProxy: { kind: 'built-in', mode: modeOf(config.mode), config, fields: kubeProxy.fields },
  }
}

/** The tables of iptables of a node, with the rules of another kube-proxy where those of this one are. */
function withProxyRules(
  read: RuleTables = new Map(),
  planned: RuleTables = new Map(),
  /** Whether the nodes have a kubelet, which writes the jumps to KUBE-FIREWALL too. */
  hasKubelet: boolean,
): RuleTables {
  const isOfProxy = (rule: TracedRule) => {
    const target = targetName(rule.rule)
    if (hasKubelet && target === 'KUBE-FIREWALL') return false
    return rule.owner === kubeProxyName || (target !== undefined && isKubeProxyChain(target))
  }
  // kube-proxy has written a rule outside of its own chains that jumps to them
  return new Map(
    [...new Set([...read.keys(), ...planned.keys()])].map((table) => {
      const own = read.get(table) ?? new Map<string, TracedChain>()
      const other = planned.get(table) ?? new Map<string, TracedChain>()
      const chains = new Map<string, TracedChain>()
      for (const [name, chain] of own) {
        if (isKubeProxyChain(name)) continue
        const first = chain.rules.findIndex(isOfProxy)
        const kept = chain.rules.filter((rule) => !isOfProxy(rule))
        const added = (other.get(name)?.rules ?? []).filter(isOfProxy)
        // kube-proxy inserts its rules before all others, and leaves them where it finds them
        const at = first < 0 ? 0 : chain.rules.slice(0, first).filter((rule) => !isOfProxy(rule)).length
        chains.set(name, { ...chain, rules: [...kept.slice(0, at), ...added, ...kept.slice(at)] })
      }
      for (const [name, chain] of other) {
        if (own.has(name) && !isKubeProxyChain(name)) continue
        if (isKubeProxyChain(name) || own.size === 0) chains.set(name, chain)
        else if (isBuiltIn(name)) chains.set(name, { ...chain, rules: chain.rules.filter(isOfProxy) })
        else if (chain.rules.some(isOfProxy)) chains.set(name, chain)
      }
      return [table, chains] as const
    }),
  )
}

const ownTable = 'kube-proxy'

/** The native tables of a node; kube-proxy's is the newest one. */
function withProxyTables(
  read: NftRuleset | undefined,
  planned: NftRuleset | undefined,
): NftRuleset | undefined {
  const kept = (read?.tables ?? []).filter(({ name }) => name !== ownTable)
  const added = (planned?.tables ?? []).filter(({ name }) => name === ownTable)
  if (kept.length + added.length === 0) return undefined
  const isOther = (name: string) => !name.endsWith(` ${ownTable}`)
  return {
    tables: [...kept, ...added],
    order: [
      ...(read?.order ?? []).filter(isOther),
      ...(planned?.order ?? []).filter((name) => !isOther(name)),
    ],
  }
}

type Values = Readonly<Record<string, string | number>>

/** Settings that only one of the kube-proxies makes follow it; the others are those that were read. */
function changedSysctls(read: Values = {}, before: Values = {}, after: Values = {}): Values {
  const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name])
  const others = Object.entries(read).filter(([name]) => !changed.includes(name))
  return {
    ...Object.fromEntries(others),
    ...Object.fromEntries(
      changed.flatMap((name) => (after[name] === undefined ? [] : [[name, after[name]]])),
    ),
  }
}
