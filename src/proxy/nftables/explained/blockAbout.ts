import { nftChain } from '../chainNames.js'

const abouts: Readonly<Record<string, string>> = {
  'filter-prerouting-pre-dnat': 'incoming packets, before DNAT',
  'filter-output-pre-dnat': 'packets from the node itself, before DNAT',
  'nat-prerouting': 'incoming packets, before routing',
  'nat-output': 'packets from the node itself',
  'filter-input': 'packets to the node itself',
  'filter-forward': 'forwarded packets',
  'filter-output': 'packets from the node itself, after DNAT',
  'nat-postrouting': 'outgoing packets, after routing',
  [nftChain.firewallCheck]: 'addresses with loadBalancerSourceRanges',
  [nftChain.services]: 'by destination address and port',
  [nftChain.nodePortEndpointsCheck]: 'node ports without endpoints',
  [nftChain.serviceEndpointsCheck]: 'Service addresses without endpoints',
  [nftChain.clusterIPsCheck]: 'cluster IPs without endpoints',
  [nftChain.masquerading]: 'masquerades marked packets',
  [nftChain.reject]: 'rejects packets',
  'hairpin-connections': 'pods that may connect to themselves',
  'cluster-ips': 'Service addresses',
  'nodeport-ips': 'addresses of this node that accept node port traffic',
  'no-endpoint-services': 'traffic without an endpoint, by address and port',
  'no-endpoint-nodeports': 'traffic without an endpoint, by node port',
  'firewall-ips': 'destinations with source ranges, by address and port',
  'service-ips': 'by address and port',
  'service-nodeports': 'by node port',
}

const prefixes: readonly (readonly [string, string])[] = [
  ['firewall-', 'which clients may use the load balancer’s address'],
  ['external-', 'traffic from outside'],
  ['service-', 'chooses among all endpoints'],
  ['local-', 'chooses among endpoints on this node'],
  ['affinity-', 'clients of an endpoint'],
  ['endpoint-', 'one endpoint'],
]

/** Short description of a kube-proxy chain, set or map; empty for others. */
export function blockAbout(name: string): string {
  return abouts[name] ?? prefixes.find(([prefix]) => name.startsWith(prefix))?.[1] ?? ''
}

const order: readonly string[] = [
  'filter-prerouting-pre-dnat',
  'filter-output-pre-dnat',
  nftChain.firewallCheck,
  'nat-prerouting',
  'nat-output',
  nftChain.services,
  'nodeport-ips',
  'cluster-ips',
  'service-ips',
  'service-nodeports',
  'firewall-ips',
  'firewall-',
  'external-',
  'service-',
  'local-',
  'affinity-',
  'endpoint-',
  'no-endpoint-services',
  'no-endpoint-nodeports',
  'hairpin-connections',
  'filter-input',
  'filter-forward',
  'filter-output',
  nftChain.nodePortEndpointsCheck,
  nftChain.serviceEndpointsCheck,
  nftChain.clusterIPsCheck,
  nftChain.reject,
  'nat-postrouting',
  nftChain.masquerading,
]
const rankOf = new Map(order.map((name, rank) => [name, rank]))

/** Position of a chain, set or map on a packet's path; unknown ones come last. */
export function blockRank(name: string): number {
  const known = rankOf.get(name)
  if (known !== undefined) return known
  const prefix = name.includes('/') ? /^[a-z]+-/.exec(name)?.[0] : undefined
  return rankOf.get(prefix ?? '') ?? order.length
}

/** True for what a packet passes before the rules of a Service. */
export function blockComesFirst(name: string): boolean {
  return blockRank(name) < blockRank('firewall-X/')
}
