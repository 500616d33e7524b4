import type { WithheldRule } from '../../agents/kubeProxy/iptables/withheld.js'
import { policiesOnNode } from '../../agents/networkPolicy/agent.js'
import type { ProxyMode } from '../../agents/kubeProxy/mode.js'
import type { Cluster } from '../../cluster/types.js'
import type { Iptables } from '../../host/backend.js'
import { requirePolicies } from '../../host/requirements/requirePolicies.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { LabState } from '../../snapshot/model/labState.js'
import { agentNode } from '../../topology/agentNode.js'
import { nftWriter, writeIptables } from './policyWriters.js'
import type { Follower } from './types.js'

/** Whether a lab has policies that its nodes enforce. */
export function enforcesPolicies({ cluster, topology }: Pick<LabState, 'cluster' | 'topology'>): boolean {
  const { networkPolicies = [], clusterNetworkPolicies = [] } = cluster
  const count = networkPolicies.length + clusterNetworkPolicies.length
  return count > 0 && topology.network.enforcesPolicies !== false
}

/** What policies are written with, and the mode by which the rules of nodes are read. */
interface Writing {
  readonly sandbox: Sandbox
  readonly iptables: Iptables
  readonly mode: Pick<ProxyMode, 'ownTable'>
  /** A rule that the agents are prevented from writing. */
  readonly withheld?: WithheldRule | undefined
}

/** Keeps the chains and sets of NetworkPolicies in step with policies, pods and namespaces: only what differs is written. */
export function followPolicies({ sandbox, iptables, mode, withheld }: Writing, initial: LabState): Follower {
  const native = mode.ownTable !== undefined
  const write = native ? nftWriter() : writeIptables
  let known: Pick<LabState, 'cluster' | 'topology'> = initial
  let isAble = enforcesPolicies(initial)
  return async ({ cluster, topology }) => {
    const before = known
    known = { cluster, topology }
    if (!changesPolicies(before.cluster, cluster)) return
    if (!enforcesPolicies(before) && !enforcesPolicies(known)) return
    if (!isAble) await requirePolicies(sandbox, native)
    isAble = true
    await Promise.all(
      topology.nodes.map(async (node) => {
        const own = agentNode(topology, node, mode)
        // one after the other: both families have their sets in one namespace
        for (const family of topology.families)
          await write(
            { sandbox, iptables, node, family, withheld },
            policiesOnNode(before.cluster, own, family),
            policiesOnNode(cluster, own, family),
          )
      }),
    )
  }
}

function changesPolicies(before: Cluster, after: Cluster): boolean {
  const lists = ['networkPolicies', 'clusterNetworkPolicies', 'pods', 'namespaces', 'nodes'] as const
  return lists.some((list) => before[list] !== after[list])
}
