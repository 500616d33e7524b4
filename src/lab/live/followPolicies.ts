import { withhold, type WithheldRule } from '../../agents/kubeProxy/iptables/withheld.js'
import { policiesOnNode } from '../../agents/networkPolicy/agent.js'
import { policyChanges } from '../../agents/networkPolicy/restore.js'
import type { NodeTables } from '../../agents/networkPolicy/state.js'
import type { Cluster } from '../../cluster/types.js'
import { SandboxError } from '../../errors.js'
import type { Iptables } from '../../host/backend.js'
import { nodeTables } from '../../host/proxier/nodeTables.js'
import { requirePolicies } from '../../host/requirements/requirePolicies.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { LabState } from '../../snapshot/model/labState.js'
import { agentNode } from '../../topology/agentNode.js'
import type { NodePlace } from '../../topology/types.js'
import type { Follower } from './types.js'

/** Whether a lab has policies that its nodes enforce. */
export function enforcesPolicies({ cluster, topology }: Pick<LabState, 'cluster' | 'topology'>): boolean {
  const { networkPolicies = [], clusterNetworkPolicies = [] } = cluster
  const count = networkPolicies.length + clusterNetworkPolicies.length
  return count > 0 && topology.network.enforcesPolicies !== false
}

/** Keeps the chains and sets of NetworkPolicies in step with policies, pods and namespaces: only what differs is written. */
export function followPolicies(
  sandbox: Sandbox,
  iptables: Iptables,
  initial: LabState,
  withheld?: WithheldRule,
): Follower {
  let known: Pick<LabState, 'cluster' | 'topology'> = initial
  let isAble = enforcesPolicies(initial)
  return async ({ cluster, topology }) => {
    const before = known
    known = { cluster, topology }
    if (!changesPolicies(before.cluster, cluster)) return
    if (!enforcesPolicies(before) && !enforcesPolicies(known)) return
    if (!isAble) await requirePolicies(sandbox)
    isAble = true
    const tablesOf =
      (of: Cluster): TablesOf =>
      (node, family) =>
        policiesOnNode(of, agentNode(topology, node), family)
    await Promise.all(
      topology.nodes.map(async (node) => {
        // one after the other: both families have their sets in one namespace
        for (const family of topology.families)
          await follow(
            { sandbox, iptables, node, family, withheld },
            tablesOf(before.cluster),
            tablesOf(cluster),
          )
      }),
    )
  }
}

function changesPolicies(before: Cluster, after: Cluster): boolean {
  const lists = ['networkPolicies', 'clusterNetworkPolicies', 'pods', 'namespaces', 'nodes'] as const
  return lists.some((list) => before[list] !== after[list])
}

interface Where {
  readonly sandbox: Sandbox
  readonly iptables: Iptables
  readonly node: NodePlace
  readonly family: IpFamily
  /** A rule that the agent is prevented from writing. */
  readonly withheld: WithheldRule | undefined
}

type TablesOf = (node: NodePlace, family: IpFamily) => NodeTables | undefined

/** Sets exist before rules name them, and are removed when none does. */
async function follow(
  { sandbox, iptables, node, family, withheld }: Where,
  before: TablesOf,
  after: TablesOf,
) {
  const { netns } = node
  const changes = policyChanges(before(node, family), after(node, family), family)
  const writeSets = async (input: string) => {
    if (input === '') return
    await sandbox.must('writing ipsets', ['ipset', 'restore', '-exist'], { netns, input })
  }
  await writeSets(changes.setsBefore)
  if (changes.rules !== '') {
    const rules = withhold(changes.rules, withheld, { node: node.name, family })
    const complaint = await nodeTables(sandbox, iptables, netns, family).restore(rules)
    if (complaint !== undefined)
      throw new SandboxError(`cannot enforce NetworkPolicies on ${node.name}`, complaint)
  }
  await writeSets(changes.setsAfter)
}
