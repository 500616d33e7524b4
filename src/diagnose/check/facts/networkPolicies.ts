import { namespacedName } from '../../../cluster/namespacedName.js'
import { isSubject } from '../../../cluster/policies/clusterPolicies.js'
import {
  isolates,
  isPolicyPod,
  rulesOfPolicy,
  selectsPod,
  namespaceLabels,
  policyRef,
  type AnyPolicy,
  type NamespaceLabels,
  type PolicyRule,
} from '../../../cluster/policies/selection.js'
import { groupBy } from '../../../groupBy.js'
import type { ClusterNetworkPolicy, NetworkPolicy, Pod } from '../../../cluster/types.js'
import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import { hasPolicyAgent, mayEnforceClusterPolicies } from '../../../snapshot/policyAgents.js'
import { dnsProposal } from '../../why/policies/policyProposals.js'
import { some, type Fact } from './fact.js'

/** Policies that select no pod, that nothing enforces, and that leave pods without DNS. */
export function networkPolicies(snapshot: Snapshot): Fact[] {
  const { cluster } = snapshot.model
  const { networkPolicies: policies = [], clusterNetworkPolicies = [], pods } = cluster
  if (policies.length + clusterNetworkPolicies.length === 0) return []
  const own = pods.filter(isPolicyPod)
  const labelsOf = namespaceLabels(cluster)
  return [
    ...notEnforced(snapshot, [...policies, ...clusterNetworkPolicies]),
    ...withoutClusterAgent(snapshot, clusterNetworkPolicies),
    // without pods, which ones there are is not known
    ...(own.length === 0
      ? []
      : [
          ...policies.flatMap((policy) =>
            own.some((pod) => selectsPod(policy, pod)) ? [] : [selectsNothing(policy, 'spec.podSelector')],
          ),
          ...clusterNetworkPolicies.flatMap((policy) =>
            own.some((pod) => isSubject(policy, pod, labelsOf))
              ? []
              : [selectsNothing(policy, 'spec.subject')],
          ),
        ]),
    ...withoutDns(snapshot, policies, own),
    ...samePriority(clusterNetworkPolicies, own, labelsOf),
  ]
}

function notEnforced(snapshot: Snapshot, policies: readonly AnyPolicy[]): Fact[] {
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
      says: `no node has rules of an agent for NetworkPolicies: ${some(policies.map(nameOf))} may have no effect (an agent with eBPF has no such rules)`,
      object: fieldOf(policies[0]),
      fixes: [{ says: 'install an agent that enforces NetworkPolicies' }],
    },
  ]
}

/** ClusterNetworkPolicies in a cluster whose agent knows only NetworkPolicies. */
function withoutClusterAgent({ basis, state }: Snapshot, policies: readonly ClusterNetworkPolicy[]): Fact[] {
  if (policies.length === 0 || basis !== 'attached') return []
  if (!hasPolicyAgent(state) || mayEnforceClusterPolicies(state)) return []
  return [
    {
      code: 'policy-not-enforced',
      note: true,
      says: `the agent of the nodes enforces NetworkPolicies only: ClusterNetworkPolicies ${some(policies.map(nameOf))} have no effect`,
      object: fieldOf(policies[0]),
      fixes: [{ says: 'install an agent that enforces ClusterNetworkPolicies' }],
    },
  ]
}

function selectsNothing(policy: AnyPolicy, field: string): Fact {
  const where = policy.kind === 'NetworkPolicy' ? 'its namespace' : 'the cluster'
  return {
    code: 'policy-selects-nothing',
    note: true,
    says: `${policy.kind} ${nameOf(policy)} selects no pod of ${where}`,
    object: fieldOf(policy, field),
    fixes: [],
  }
}

/** Policies of the cluster whose order the API leaves open, with a pod in common. */
function samePriority(
  policies: readonly ClusterNetworkPolicy[],
  pods: readonly Pod[],
  labelsOf: NamespaceLabels,
): Fact[] {
  const groups = groupBy(policies, ({ spec }) => `tier ${spec.tier}, priority ${spec.priority}`)
  return [...groups].flatMap(([where, equal]): Fact[] => {
    const selecting = (pod: Pod) => equal.filter((policy) => isSubject(policy, pod, labelsOf))
    const pod = pods.find((one) => selecting(one).length > 1)
    if (pod === undefined) return []
    const own = selecting(pod)
    return [
      {
        code: 'policy-same-priority',
        note: true,
        says: `ClusterNetworkPolicies ${some(own.map(nameOf))} have the same place (${where}) and select pod ${namespacedName(pod)}: which one decides is left to the implementation`,
        object: fieldOf(own[1], 'spec.priority'),
        fixes: [{ says: 'spec.priority: different values, the lower one first' }],
      },
    ]
  })
}

function nameOf(policy: AnyPolicy): string {
  return policy.kind === 'NetworkPolicy' ? namespacedName(policy) : policy.metadata.name
}

/** Pods that are isolated for egress where no rule has the port of DNS, by the first policy that isolates them. */
function withoutDns(snapshot: Snapshot, policies: readonly NetworkPolicy[], pods: readonly Pod[]): Fact[] {
  const isolating = policies.filter((policy) => isolates(policy, 'Egress'))
  const found = pods.flatMap((pod) => {
    const own = isolating.filter((policy) => selectsPod(policy, pod))
    const [policy] = own
    const isAllowed = own.flatMap((one) => rulesOfPolicy(one, 'Egress')).some(allowsDns)
    return policy === undefined || isAllowed ? [] : [{ policy, pod }]
  })
  return [...groupBy(found, ({ policy }) => policy)].map(([policy, isolated]) => {
    const { says, command } = dnsProposal({ snapshot }, policy)
    return {
      code: 'policy-without-dns',
      note: true,
      says: `no policy allows DNS requests from ${some(isolated.map(({ pod }) => `pod ${namespacedName(pod)}`))}: names cannot be looked up there`,
      object: fieldOf(policy, 'spec.egress'),
      fixes: [{ says, command }],
    }
  })
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

function fieldOf(policy: AnyPolicy | undefined, field?: string) {
  return policy && { ...policyRef(policy), field }
}
