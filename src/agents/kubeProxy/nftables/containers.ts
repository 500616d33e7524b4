import type { NftContainer } from './rule.js'
import { has } from '../versions/features.js'
import type { NftContext } from './context.js'

/** Sets and maps of all Services; those of kube-proxy, by its names. */
export type SharedContainer =
  | 'hairpin-connections'
  | 'cluster-ips'
  | 'no-endpoint-services'
  | 'no-endpoint-nodeports'
  | 'firewall-ips'
  | 'service-ips'
  | 'service-nodeports'

/** The set of node port addresses; it exists only if not every local address accepts node ports. */
export const nodePortIPsSet = 'nodeport-ips'

/** The sets and maps whose elements depend on Services, in the order in which kube-proxy creates them. */
export const sharedContainers: readonly SharedContainer[] = [
  'hairpin-connections',
  'cluster-ips',
  'no-endpoint-services',
  'no-endpoint-nodeports',
  'firewall-ips',
  'service-ips',
  'service-nodeports',
]

/** Declarations of a family's sets and maps; mirrors setupNFTables. */
export function containers({ family, nodePortIPs, version }: NftContext): readonly NftContainer[] {
  const address = addressType(family)
  const service = `${address} . inet_proto . inet_service`
  const nodePort = 'inet_proto . inet_service'
  const set = (name: string, type: string, comment: string) => ({ kind: 'set', name, type, comment }) as const
  const map = (name: SharedContainer, type: string, comment: string) =>
    ({ kind: 'map', name, type, comment }) as const
  return [
    ...(has(version, 'inlinedMarks')
      ? [set('hairpin-connections', `${address} . ${service}`, 'service hairpin connections')]
      : []),
    set('cluster-ips', address, 'Active ClusterIPs'),
    ...(nodePortIPs === undefined ? [] : [set(nodePortIPsSet, address, 'IPs that accept NodePort traffic')]),
    map('no-endpoint-services', service, 'vmap to drop or reject packets to services with no endpoints'),
    map(
      'no-endpoint-nodeports',
      nodePort,
      'vmap to drop or reject packets to service nodeports with no endpoints',
    ),
    map('firewall-ips', service, 'destinations that are subject to LoadBalancerSourceRanges'),
    map('service-ips', service, 'ClusterIP, ExternalIP and LoadBalancer IP traffic'),
    map('service-nodeports', nodePort, 'NodePort traffic'),
  ]
}

/** nft's type of an address. */
export function addressType(family: NftContext['family']): string {
  return family === 'IPv4' ? 'ipv4_addr' : 'ipv6_addr'
}
