import type { PolicyObjects } from '../cluster/policies/decide.js'
import { nftTableName } from './model/nft.js'
import type { Snapshot } from './model/snapshot.js'
import type { TraceState } from './model/state.js'

/** Chains and tables of programs that enforce NetworkPolicies by rules of the kernel, or that have some beside eBPF. */
const chains = /^(KUBE-(NWPLCY|CNPLCY|POD-FW|ROUTER-FORWARD)|cali-|AZURE-NPM|WEAVE-NPC|ANTREA-|CILIUM_)/
/** Those of them whose programs know no ClusterNetworkPolicies: kube-router without the chains for these, Azure NPM, Weave Net. */
const ofNamespacesOnly = /^(KUBE-(NWPLCY|POD-FW|ROUTER-FORWARD)|AZURE-NPM|WEAVE-NPC)/
const ofClusterPolicies = /^KUBE-CNPLCY-/
const tables = / (kube-network-policies|kindnet-network-policies|kube-router.*|calico|cilium.*|antrea.*)$/

/** Whether a node has rules of a program that enforces NetworkPolicies. */
export function hasPolicyAgent(state: AgentRules): boolean {
  return agentChains(state).length > 0 || hasAgentTable(state)
}

/** Whether this program may enforce ClusterNetworkPolicies too: kube-router, Azure NPM and Weave Net do not. */
export function mayEnforceClusterPolicies(state: AgentRules): boolean {
  const names = agentChains(state)
  return (
    hasAgentTable(state) || names.some((name) => ofClusterPolicies.test(name) || !ofNamespacesOnly.test(name))
  )
}

/** The objects of a cluster by which its policies are decided: without ClusterNetworkPolicies where the agent does not know them. */
export function enforcedPolicies({ basis, model, state }: Snapshot): PolicyObjects {
  const { cluster } = model
  if (basis !== 'attached' || mayEnforceClusterPolicies(state)) return cluster
  return { ...cluster, clusterNetworkPolicies: [] }
}

type AgentRules = Pick<TraceState, 'rules' | 'nft'>

function agentChains({ rules }: AgentRules): string[] {
  return [...rules.values()].flatMap((families) =>
    Object.values(families).flatMap((all) =>
      [...all.values()].flatMap((own) => [...own.keys()].filter((name) => chains.test(name))),
    ),
  )
}

function hasAgentTable({ nft }: AgentRules): boolean {
  return [...nft.values()].some((set) => set.tables.some((one) => tables.test(nftTableName(one))))
}
