import type { AgentNode } from '../agents/agent.js'
import type { NodePlace, Topology } from './types.js'

/** A node as the programs that write rules on it see it. */
export function agentNode(
  { network, ranges }: Pick<Topology, 'network' | 'ranges'>,
  node: NodePlace,
  kubeProxy?: AgentNode['kubeProxy'],
): AgentNode {
  const { masquerade, enforcesPolicies = true } = network
  const { services: serviceRange, nodePorts } = ranges
  return { ...node, masquerade, enforcesPolicies, serviceRange, nodePorts, kubeProxy }
}
