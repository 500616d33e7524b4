import { namespacedName } from '../../../cluster/namespacedName.js'
import {
  isolates,
  isPolicyPod,
  rulesOfPolicy,
  selectsPod,
  type PolicyRule,
} from '../../../cluster/policies/selection.js'
import type { NetworkPolicy, Pod } from '../../../cluster/types.js'
import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import { hasPolicyAgent } from '../../../snapshot/policyAgents.js'
import { some, type Fact } from './fact.js'

/** Policies that select no pod, that nothing enforces, and that leave pods without DNS. */
export function networkPolicies(snapshot: Snapshot): Fact[] {
  const { networkPolicies: policies = [], pods } = snapshot.model.cluster
  if (policies.length === 0) return []
  const own = pods.filter(isPolicyPod)
  return [
    ...notEnforced(snapshot, policies),
    // without pods, which ones there are is not known
    ...(own.length === 0 ? [] : policies.flatMap((policy) => selectsNothing(policy, own))),
    ...withoutDns(policies, own),
  ]
}

function notEnforced(snapshot: Snapshot, policies: readonly NetworkPolicy[]): Fact[] {
  const { rulesRead, state, model, basis } = snapshot
  const isRead = basis !== 'attached' || (rulesRead?.size ?? 0) > 0
  if (!isRead || hasPolicyAgent(state)) return []
  // agents that filter without rules of the kernel leave traces in what kube-proxy and the nodes have; where none are read, nothing is known
  if (basis === 'attached' && model.topology.nodes.some(({ name }) => rulesRead?.has(name) !== true))
    return []
  return [
    {
      code: 'policy-not-enforced',
      note: true,
      says: `no node has rules of an agent for NetworkPolicies: ${some(policies.map(namespacedName))} may have no effect (an agent with eBPF has no such rules)`,
      object: fieldOf(policies[0]),
      fixes: [{ says: 'install an agent that enforces NetworkPolicies' }],
    },
  ]
}

function selectsNothing(policy: NetworkPolicy, pods: readonly Pod[]): Fact[] {
  if (pods.some((pod) => selectsPod(policy, pod))) return []
  return [
    {
      code: 'policy-selects-nothing',
      note: true,
      says: `NetworkPolicy ${namespacedName(policy)} selects no pod of its namespace`,
      object: fieldOf(policy, 'spec.podSelector'),
      fixes: [],
    },
  ]
}

/** Pods that are isolated for egress, with the policies that isolate them, where no rule has the port of DNS. */
function withoutDns(policies: readonly NetworkPolicy[], pods: readonly Pod[]): Fact[] {
  const isolating = policies.filter((policy) => isolates(policy, 'Egress'))
  const found = pods.filter((pod) => {
    const own = isolating.filter((policy) => selectsPod(policy, pod))
    return own.length > 0 && !own.flatMap((policy) => rulesOfPolicy(policy, 'Egress')).some(allowsDns)
  })
  const [pod] = found
  const policy = pod && isolating.find((one) => selectsPod(one, pod))
  if (policy === undefined) return []
  return [
    {
      code: 'policy-without-dns',
      note: true,
      says: `no policy allows DNS to ${some(found.map((one) => `pod ${namespacedName(one)}`))}: names cannot be looked up there`,
      object: fieldOf(policy, 'spec.egress'),
      fixes: [{ says: 'spec.egress also allows UDP and TCP port 53' }],
    },
  ]
}

function allowsDns({ ports }: PolicyRule): boolean {
  return (
    ports === undefined ||
    ports.some(({ protocol = 'TCP', port, endPort }) => {
      if (protocol !== 'UDP') return false
      // which number a named port has depends on the pod of the DNS server
      return typeof port !== 'number' || (port <= 53 && 53 <= (endPort ?? port))
    })
  )
}

function fieldOf(policy: NetworkPolicy | undefined, field?: string) {
  if (policy === undefined) return undefined
  const { namespace = 'default', name } = policy.metadata
  return { kind: 'NetworkPolicy', namespace, name, field }
}
