import type { Cluster } from '../../cluster/types.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { AgentNode, NodeAgent } from '../agent.js'
import { networkPolicyAgent } from '../meaning.js'
import { entryMeanings, policyChanges, policyMeanings } from './restore.js'
import { nftMeanings, policyTransaction } from './nftTable.js'
import { compiledOnce } from './compiledOnce.js'
import { policyWriter, type NodeTables } from './state.js'

const compiled = compiledOnce()
const written = policyWriter()

/** What the agent of network policies has on a node in one family; undefined if there is nothing to enforce. */
export function policiesOnNode(cluster: Cluster, node: AgentNode, family: IpFamily): NodeTables | undefined {
  return node.enforcesPolicies ? written(compiled(cluster, family), node, family) : undefined
}

/** The agent that enforces policies, with the chains and sets of kube-router, in iptables or nftables. */
export const networkPolicies: NodeAgent = {
  owner: networkPolicyAgent,
  rulesOf(cluster, node, family) {
    const tables = policiesOnNode(cluster, node, family)
    if (tables === undefined) return { restore: '', native: () => '', meanings: () => new Map() }
    if (node.nativePolicies)
      return {
        restore: '',
        native: () => policyTransaction(undefined, tables, family).text,
        meanings: () => nftMeanings(tables, family),
      }
    const { rules, setsBefore } = policyChanges(undefined, tables, family)
    return {
      restore: rules,
      sets: setsBefore,
      native: () => '',
      meanings: () => policyMeanings(tables),
      entryMeanings: () => entryMeanings(tables),
    }
  },
}
