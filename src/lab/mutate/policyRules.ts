import { policiesOnNode } from '../../agents/networkPolicy/agent.js'
import { policyMeanings } from '../../agents/networkPolicy/restore.js'
import type { CataloguedRule } from '../../agents/kubeProxy/cataloguedRule.js'
import type { ProxyMode } from '../../agents/kubeProxy/mode.js'
import type { Cluster } from '../../cluster/types.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { agentNode } from '../../topology/agentNode.js'
import type { NodePlace, Topology } from '../../topology/types.js'

/** Kinds whose rules decide; the other rules of the agent lead packets to these. */
const policies = ['NetworkPolicy', 'ClusterNetworkPolicy']

/** Targets that decide nothing: they log, or leave a chain whose other rules would not match either. */
const decidesNothing = /-j (NFLOG|RETURN)\b/

/** The rules by which policies decide about packets of a node in one family; none without policies. */
export function policyRules(
  cluster: Cluster,
  topology: Topology,
  node: NodePlace,
  family: IpFamily,
  mode: Pick<ProxyMode, 'ownTable'>,
): CataloguedRule[] {
  const tables = policiesOnNode(cluster, agentNode(topology, node, mode), family)
  if (tables === undefined) return []
  return [...policyMeanings(tables)].flatMap(([key, { spec, why = '', object }]): CataloguedRule[] => {
    if (object === undefined || !policies.includes(object.kind) || decidesNothing.test(spec)) return []
    const line = key.slice('filter '.length)
    const [, chain = ''] = line.split(' ')
    return [{ ...{ node: node.name, family, table: 'filter', chain, line, spec, why, object } }]
  })
}
