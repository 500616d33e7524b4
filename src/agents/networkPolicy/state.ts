import type { Cluster } from '../../cluster/types.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { AgentNode } from '../agent.js'
import { hookEnd, servicesFirst, sharedChains } from './baseChains.js'
import { compilePolicies, type CompiledPolicies, type CompiledPolicy } from './compile.js'
import { chainNames, hooks, podChain } from './names.js'
import { podJumps, podRules } from './podChains.js'
import { addPolicy, type PolicyChainRule, type PolicyTables } from './policyChains.js'

/** The policies of a cluster in one family, compiled once for all its nodes. */
export function compiledOnce(): (cluster: Cluster, family: IpFamily) => CompiledPolicies {
  const known = new WeakMap<Cluster, Map<IpFamily, CompiledPolicies>>()
  return (cluster, family) => {
    const own = known.get(cluster) ?? new Map<IpFamily, CompiledPolicies>()
    known.set(cluster, own)
    const compiled = own.get(family) ?? compilePolicies(cluster, family)
    own.set(family, compiled)
    return compiled
  }
}

/** What the agent has on a node in one family; undefined without policies, which cost nothing. */
export function policyTables(
  { policies, pods }: CompiledPolicies,
  node: AgentNode,
  family: IpFamily,
): PolicyTables | undefined {
  if (policies.length === 0 || !node.enforcesPolicies) return undefined
  const tables: PolicyTables = { sets: new Map(), chains: new Map() }
  for (const policy of policies) addPolicy(tables, policy, family)
  const local = pods.filter(({ pod }) => pod.spec.nodeName === node.name)
  const ofPod = policiesOfPods(policies)
  for (const one of local) {
    const { namespace = 'default', name } = one.pod.metadata
    tables.chains.set(podChain({ namespace, name }), podRules(one, ofPod.get(one.pod) ?? [], family))
  }
  const jumps = new Map<string, PolicyChainRule[]>(hooks.map((hook) => [chainNames[hook], []]))
  for (const { chain, rule, meaning } of local.flatMap(podJumps)) jumps.get(chain)?.push({ rule, meaning })
  for (const [chain, rules] of jumps) {
    const first = chain === chainNames.INPUT ? servicesFirst(node, family) : []
    tables.chains.set(chain, [...first, ...rules, ...hookEnd()])
  }
  for (const [chain, rules] of sharedChains(family)) tables.chains.set(chain, rules)
  return tables
}

function policiesOfPods(policies: readonly CompiledPolicy[]): ReadonlyMap<object, CompiledPolicy[]> {
  const found = new Map<object, CompiledPolicy[]>()
  for (const policy of policies)
    for (const { pod } of policy.targets) {
      const own = found.get(pod)
      if (own === undefined) found.set(pod, [policy])
      else own.push(policy)
    }
  return found
}
