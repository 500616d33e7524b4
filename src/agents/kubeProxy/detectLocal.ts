import type { IpFamily } from '../../net/ipFamily.js'
import type { Node } from '../../cluster/types.js'
import { parseNetwork } from '../../net/address.js'
import type { KubeProxyConfiguration } from './config.js'

/** How rules detect traffic of this node's pods: by source network or incoming interface. */
export type LocalDetector =
  | { readonly kind: 'source'; readonly network: string }
  | { readonly kind: 'interface'; readonly name: string }

/**
 * The detector of one family; undefined if the configuration has none, and kube-proxy then omits the rules.
 * Mirrors getLocalDetectors of cmd/kube-proxy/app.
 */
export function localDetector(
  config: KubeProxyConfiguration,
  node: Node,
  family: IpFamily,
): LocalDetector | undefined {
  switch (config.detectLocalMode) {
    case 'ClusterCIDR':
      return bySource(config.clusterCIDR.split(','), family)
    case 'NodeCIDR':
      return bySource(
        node.spec?.podCIDRs ?? (node.spec?.podCIDR === undefined ? [] : [node.spec.podCIDR]),
        family,
      )
    case 'BridgeInterface':
      return { kind: 'interface', name: config.detectLocal.bridgeInterface }
    case 'InterfaceNamePrefix':
      return { kind: 'interface', name: `${config.detectLocal.interfaceNamePrefix}+` }
  }
}

function bySource(cidrs: readonly string[], family: IpFamily): LocalDetector | undefined {
  for (const cidr of cidrs) {
    const network = parseNetwork(cidr.trim())
    if (network?.family === family) return { kind: 'source', network: network.text }
  }
  return undefined
}
