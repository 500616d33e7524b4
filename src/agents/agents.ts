import type { Cluster } from '../cluster/types.js'
import type { IpFamily } from '../net/ipFamily.js'
import type { AgentNode, NodeAgent, WrittenRules } from './agent.js'
import { cni } from './cni.js'
import { hostPorts } from './hostPorts.js'
import { kubeProxyAgent } from './kubeProxyAgent.js'
import { networkPolicies } from './networkPolicy/agent.js'

/** In the order in which they write. */
const agents: readonly NodeAgent[] = [cni, hostPorts, kubeProxyAgent, networkPolicies]

/** What all agents write on a node when it starts. */
export function rulesOfAgents(cluster: Cluster, node: AgentNode, family: IpFamily): Required<WrittenRules> {
  const { saved } = node
  if (saved !== undefined)
    return {
      ...{ restore: saved[family] ?? '', sets: '', native: () => '' },
      ...{ meanings: () => new Map(), entryMeanings: () => new Map() },
    }
  const written = agents.map((agent) => agent.rulesOf(cluster, node, family))
  return {
    restore: written.map(({ restore }) => restore).join(''),
    sets: written.map(({ sets = '' }) => sets).join(''),
    native: () => written.map(({ native }) => native()).join(''),
    meanings: () => new Map(written.flatMap(({ meanings }) => [...meanings()])),
    entryMeanings: () => new Map(written.flatMap(({ entryMeanings }) => [...(entryMeanings?.() ?? [])])),
  }
}
