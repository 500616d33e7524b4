import type { IpFamily } from '../../net/ipFamily.js'
import type { KubeProxyConfiguration } from '../../proxy/config.js'
import { inputOfNode, type ProxyInput, type ProxyInputs } from '../../proxy/input.js'
import { withhold } from '../../proxy/iptables/withheld.js'
import { healthServers, healthyNode, type HealthServer } from '../../proxy/nodeHealth.js'
import { tunnelEnd } from '../../topology/overlay.js'
import type { LabState } from '../live/types.js'
import { stagesOf } from './modes/index.js'
import type { PlanFacts } from './planFacts.js'
import type { PreparedLab } from './prepareLab.js'

/** What the kube-proxies of a lab add to its plan; undefined if they are not built in. */
export function planProxies(prepared: PreparedLab, facts: PlanFacts) {
  const { kubeProxy, topology } = prepared
  if (kubeProxy.kind !== 'built-in') return undefined
  const { mode, config } = kubeProxy
  const { withheld, healthz = false } = facts
  const inputs = proxyInputs(prepared, config, facts)
  const inputOf = (node: string) => inputOfNode(inputs, node)
  return {
    ...stagesOf[mode.name]({ topology, inputOf, facts }),
    nfacctObjects: facts.nfacct ? mode.nfacctObjects : [],
    sysctls: (node: string) => mode.sysctls(inputOf(node)),
    /** For iptables-restore. */
    restoreText(node: string, family: IpFamily) {
      return withhold(mode.restoreText(inputOf(node), family), withheld, { node, family })
    },
    healthServers: (node: string) => firstHealthServers(prepared, inputOf(node), healthz),
  }
}

/** The health checks that a node answers when the lab starts; with `always`, at least that of kube-proxy. */
export function firstHealthServers(
  { topology }: Pick<LabState, 'topology'>,
  input: ProxyInput,
  always: boolean,
): readonly HealthServer[] {
  return healthServers(input, topology.families, { ...healthyNode, always })
}

/** The input of a lab's kube-proxies, all with one configuration. */
export function proxyInputs(
  { cluster, topology }: Pick<LabState, 'cluster' | 'topology'>,
  config: KubeProxyConfiguration,
  { nfacct, randomFully }: Pick<PlanFacts, 'nfacct' | 'randomFully'>,
): ProxyInputs {
  const { nodes, services, endpointSlices } = cluster
  const overlay = topology.network.mode === 'vxlan'
  const localAddresses = topology.nodes.map(({ name, addresses, podRanges = [] }) => {
    const interfaces = [...addresses, ...podRanges.map(({ gateway }) => gateway)]
    const tunnelEnds = overlay ? podRanges.map(tunnelEnd) : []
    return [name, ['127.0.0.1', '::1', ...interfaces.map(({ address }) => address), ...tunnelEnds]] as const
  })
  return {
    ...{ nodes, services, endpointSlices, config, nfacct, randomFully },
    localAddresses: Object.fromEntries(localAddresses),
    serviceCIDRs: topology.families.map((family) => topology.ranges.services[family]),
  }
}
