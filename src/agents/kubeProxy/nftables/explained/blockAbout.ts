import type { Language } from '../../../../text/language.js'
import { chainTexts, type ChainText } from '../../chainTexts.js'
import { nftChain } from '../chainNames.js'

const abouts: Readonly<Record<string, ChainText>> = {
  // before 1.33
  'filter-prerouting': 'incomingBeforeDnat',
  'filter-output-post-dnat': 'fromNodeAfterDnat',
  'filter-prerouting-pre-dnat': 'incomingBeforeDnat',
  'filter-output-pre-dnat': 'fromNodeBeforeDnat',
  'nat-prerouting': 'incoming',
  'nat-output': 'fromNode',
  'filter-input': 'toNode',
  'filter-forward': 'forwarded',
  'filter-output': 'fromNodeAfterDnat',
  'nat-postrouting': 'outgoing',
  [nftChain.firewallCheck]: 'addressesWithSourceRanges',
  [nftChain.services]: 'byDestination',
  [nftChain.nodePortEndpointsCheck]: 'nodePortsWithoutEndpoints',
  [nftChain.serviceEndpointsCheck]: 'servicesWithoutEndpoints',
  [nftChain.clusterIPsCheck]: 'clusterIPsWithoutEndpoints',
  [nftChain.masquerading]: 'masquerades',
  [nftChain.markForMasquerade]: 'marks',
  [nftChain.reject]: 'rejects',
  'hairpin-connections': 'hairpin',
  'cluster-ips': 'serviceAddresses',
  'nodeport-ips': 'nodePortAddresses',
  'no-endpoint-services': 'withoutEndpointByAddress',
  'no-endpoint-nodeports': 'withoutEndpointByNodePort',
  'firewall-ips': 'destinationsWithSourceRanges',
  'service-ips': 'byAddressAndPort',
  'service-nodeports': 'byNodePort',
}

const prefixes: readonly (readonly [string, ChainText])[] = [
  ['firewall-', 'firewall'],
  ['external-', 'external'],
  ['service-', 'cluster'],
  ['local-', 'local'],
  ['affinity-', 'affinity'],
  ['endpoint-', 'endpoint'],
]

/** Short description of a kube-proxy chain, set or map; empty for others. */
export function blockAbout(name: string, language: Language): string {
  const key = abouts[name] ?? prefixes.find(([prefix]) => name.startsWith(prefix))?.[1]
  return key === undefined ? '' : chainTexts[language][key]
}

const order: readonly string[] = [
  'filter-prerouting',
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
  nftChain.markForMasquerade,
  'no-endpoint-services',
  'no-endpoint-nodeports',
  'hairpin-connections',
  'filter-input',
  'filter-forward',
  'filter-output',
  'filter-output-post-dnat',
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
