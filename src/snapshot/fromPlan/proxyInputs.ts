import type { KubeProxyConfiguration } from '../../agents/kubeProxy/config.js'
import type { ProxyInput, ProxyInputs } from '../../agents/kubeProxy/input.js'
import { healthServers, healthyNode, type HealthServer } from '../../agents/kubeProxy/nodeHealth.js'
import { tunnelEnd } from '../../topology/overlay.js'
import type { LabState } from '../model/labState.js'

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
  { nfacct, randomFully }: Required<Pick<ProxyInputs, 'nfacct' | 'randomFully'>>,
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
    serviceCIDRs: [
      ...topology.families.map((family) => topology.ranges.services[family]),
      ...(cluster.serviceCidrs ?? []).flatMap(({ spec: { cidrs = [] } }) => cidrs),
    ],
  }
}
