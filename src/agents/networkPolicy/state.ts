import type { IpFamily } from '../../net/ipFamily.js'
import type { AgentNode } from '../agent.js'
import { hookEnd, servicesFirst, sharedChains } from './baseChains.js'
import type { CompiledPolicies, CompiledPolicy } from './compile.js'
import { chainNames, hooks, podChain } from './names.js'
import type { PodAddress } from './podAddress.js'
import { podJumps, podRules } from './podChains.js'
import { tablesOfPolicy, type PolicyChainRule, type PolicyTables } from './policyChains.js'

/** Writes what the agent has on a node in one family; undefined without policies, which cost nothing. */
export type PolicyWriter = (
  compiled: CompiledPolicies,
  node: AgentNode,
  family: IpFamily,
) => PolicyTables | undefined

/** Keeps what it has written of a policy or a pod, and returns the same values while these are the same. */
export function policyWriter(): PolicyWriter {
  const ofPolicy = new WeakMap<CompiledPolicy, PolicyTables>()
  const ofPod = new WeakMap<PodAddress, PodChain>()
  const bySelection = new WeakMap<CompiledPolicies, ReadonlyMap<PodAddress, readonly CompiledPolicy[]>>()
  return (compiled, node, family) => {
    const { policies, tiers, pods } = compiled
    const all = [...tiers.Admin, ...policies, ...tiers.Baseline]
    if (all.length === 0 || !node.enforcesPolicies) return undefined
    const tables: PolicyTables = { sets: new Map(), chains: new Map() }
    for (const policy of all) {
      const { sets, chains } = kept(ofPolicy, policy, tablesOfPolicy)
      for (const [name, set] of sets) tables.sets.set(name, set)
      for (const [name, chain] of chains) tables.chains.set(name, chain)
    }
    const selecting = kept(bySelection, compiled, () => policiesOfPods(all))
    const local = pods
      .filter(({ pod }) => pod.spec.nodeName === node.name)
      .map((one) => {
        const own = selecting.get(one) ?? []
        const known = ofPod.get(one)
        if (known !== undefined && isSameList(known.policies, own)) return known
        const made = podChainOf(one, own, family)
        ofPod.set(one, made)
        return made
      })
    for (const { name, rules } of local) tables.chains.set(name, rules)
    const jumps = new Map<string, PolicyChainRule[]>(hooks.map((hook) => [chainNames[hook], []]))
    for (const one of local) for (const jump of one.jumps) jumps.get(jump.chain)?.push(jump)
    for (const [chain, rules] of jumps) {
      const first = chain === chainNames.INPUT ? servicesFirst(node, family) : []
      tables.chains.set(chain, [...first, ...rules, ...hookEnd()])
    }
    for (const [chain, rules] of sharedChains(family)) tables.chains.set(chain, rules)
    return tables
  }
}

/** The chain of a pod, and the jumps to it. */
interface PodChain {
  readonly policies: readonly CompiledPolicy[]
  readonly name: string
  readonly rules: readonly PolicyChainRule[]
  readonly jumps: ReturnType<typeof podJumps>
}

function podChainOf(one: PodAddress, policies: readonly CompiledPolicy[], family: IpFamily): PodChain {
  const { namespace = 'default', name } = one.pod.metadata
  const rules = podRules(one, policies, family)
  return { policies, name: podChain({ namespace, name }), rules, jumps: podJumps(one) }
}

function kept<Key extends object, Value>(
  map: WeakMap<Key, Value>,
  key: Key,
  make: (key: Key) => Value,
): Value {
  const known = map.get(key) ?? make(key)
  map.set(key, known)
  return known
}

function isSameList<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}

function policiesOfPods(policies: readonly CompiledPolicy[]): ReadonlyMap<PodAddress, CompiledPolicy[]> {
  const found = new Map<PodAddress, CompiledPolicy[]>()
  for (const policy of policies)
    for (const target of policy.targets) {
      const own = found.get(target)
      if (own === undefined) found.set(target, [policy])
      else own.push(policy)
    }
  return found
}
