import type { IpFamily } from '../../net/ipFamily.js'
import type { AgentNode } from '../agent.js'
import { servicesFirst, sharedChains } from './baseChains.js'
import type { CompiledPolicies, CompiledPolicy } from './compile.js'
import { podChain } from './names.js'
import type { PodAddress } from './podAddress.js'
import { podRules } from './podChains.js'
import { remembered } from './remembered.js'
import { tablesOfPolicy, type PolicyChainRule, type PolicyTables } from './policyChains.js'

/** What the agent has on a node in one family, in iptables or in nftables. */
export interface NodeTables {
  /** Of the policies: the same value for all nodes. */
  readonly policies: PolicyTables
  /** The chains of the node's pods. */
  readonly pods: readonly PodChain[]
  /** The chains that all of them jump to. */
  readonly shared: ReadonlyMap<string, readonly PolicyChainRule[]>
  /** What passes to the node itself before the policies of pods. */
  readonly toServices: readonly PolicyChainRule[]
}

/** Writes what the agent has on a node in one family; undefined without policies, which cost nothing. */
export type PolicyWriter = (
  compiled: CompiledPolicies,
  node: AgentNode,
  family: IpFamily,
) => NodeTables | undefined

/** Keeps what it has written of a policy or a pod, and returns the same values while these are the same. */
export function policyWriter(): PolicyWriter {
  const ofPolicy = remembered(tablesOfPolicy)
  const ofPod = new WeakMap<PodAddress, PodChain>()
  const ofCluster = remembered(({ policies, tiers }: CompiledPolicies): WrittenPolicies => {
    const all = [...tiers.Admin, ...policies, ...tiers.Baseline]
    const tables: PolicyTables = { sets: new Map(), chains: new Map() }
    for (const policy of all) {
      const { sets, chains } = ofPolicy(policy)
      for (const [name, set] of sets) tables.sets.set(name, set)
      for (const [name, chain] of chains) tables.chains.set(name, chain)
    }
    return { tables, byPod: policiesOfPods(all) }
  })
  return (compiled, node, family) => {
    const { policies, tiers, pods } = compiled
    const count = policies.length + tiers.Admin.length + tiers.Baseline.length
    if (count === 0 || !node.enforcesPolicies) return undefined
    const { tables, byPod } = ofCluster(compiled)
    const local = pods
      .filter(({ pod }) => pod.spec.nodeName === node.name)
      .map((one) => {
        const own = byPod.get(one) ?? []
        const known = ofPod.get(one)
        if (known !== undefined && isSameList(known.policies, own)) return known
        const made = podChainOf(one, own, family)
        ofPod.set(one, made)
        return made
      })
    return {
      ...{ policies: tables, pods: local },
      shared: new Map(sharedChains(family)),
      toServices: servicesFirst(node, family),
    }
  }
}

interface WrittenPolicies {
  readonly tables: PolicyTables
  readonly byPod: ReadonlyMap<PodAddress, readonly CompiledPolicy[]>
}

/** The chain of a pod: what comes from its address, or goes there, passes it. */
export interface PodChain {
  readonly of: PodAddress
  readonly policies: readonly CompiledPolicy[]
  readonly name: string
  readonly rules: readonly PolicyChainRule[]
}

function podChainOf(one: PodAddress, policies: readonly CompiledPolicy[], family: IpFamily): PodChain {
  const { namespace = 'default', name } = one.pod.metadata
  const rules = podRules(one, policies, family)
  return { of: one, policies, name: podChain({ namespace, name }), rules }
}

/** The chain of a pod has the names of its policies, and nothing of the pods that they select. */
function isSameList(a: readonly CompiledPolicy[], b: readonly CompiledPolicy[]): boolean {
  return a.length === b.length && a.every(({ policy }, index) => policy === b[index]?.policy)
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
