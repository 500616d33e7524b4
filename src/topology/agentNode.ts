import type { AgentNode } from '../agents/agent.js'
import type { ProxyMode } from '../agents/kubeProxy/mode.js'
import type { NodePlace, Topology } from './types.js'

/** A node as the programs that write rules on it see it, in the mode by which its rules are read. */
export function agentNode(
  { network, ranges }: Pick<Topology, 'network' | 'ranges'>,
  node: NodePlace,
  { ownTable }: Pick<ProxyMode, 'ownTable'>,
  kubeProxy?: AgentNode['kubeProxy'],
): AgentNode {
  const { masquerade, enforcesPolicies = true } = network
  const { services: serviceRange, nodePorts } = ranges
  const nativePolicies = ownTable !== undefined
  return { ...node, masquerade, enforcesPolicies, nativePolicies, serviceRange, nodePorts, kubeProxy }
}
