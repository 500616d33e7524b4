import { hash } from 'node:crypto'
import type { ProxyEndpoint } from '../endpoints.js'
import type { ServicePort } from '../servicePort.js'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** Longest name without its prefix; the kernel allows chain names of 256 characters. */
const longest = 240

/** The names of kube-proxy's own chains, as upstream spells them. */
export const nftChain = {
  nodePortEndpointsCheck: 'nodeport-endpoints-check',
  serviceEndpointsCheck: 'service-endpoints-check',
  firewallCheck: 'firewall-check',
  clusterIPsCheck: 'cluster-ips-check',
  services: 'services',
  masquerading: 'masquerading',
  /** Before 1.36. */
  markForMasquerade: 'mark-for-masquerade',
  reject: 'reject-chain',
} as const

/** The chains that one service port may have; all share one hash. */
export interface NftServiceNames {
  /** service-: any endpoint of the cluster. */
  readonly cluster: string
  /** local-: endpoints of this node only. */
  readonly local: string
  /** external-: entry for traffic from outside. */
  readonly external: string
  /** firewall-: loadBalancerSourceRanges. */
  readonly firewall: string
}

/** Names of a service port's chains; mirrors servicePortChainNameBase. */
export function nftServiceNames(port: ServicePort): NftServiceNames {
  const base = nftNameBase(pathOf(port))
  return {
    cluster: `service-${base}`,
    local: `local-${base}`,
    external: `external-${base}`,
    firewall: `firewall-${base}`,
  }
}

/** Names of the chain and set of an endpoint whose Service has session affinity. */
export function nftEndpointNames(
  port: ServicePort,
  { address, port: number }: ProxyEndpoint,
): { readonly chain: string; readonly affinity: string } {
  // a colon would end a name in nft's grammar
  const base = nftNameBase(`${pathOf(port)}__${address.replaceAll(':', '.')}/${number}`)
  return { chain: `endpoint-${base}`, affinity: `affinity-${base}` }
}

/** True for chains that kube-proxy makes per service port or endpoint, and removes when stale. */
export function isServiceObject(name: string): boolean {
  return name.includes('/')
}

function pathOf({ namespace, service, protocolName, portName }: ServicePort): string {
  return `${namespace}/${service}/${protocolName}/${portName}`
}

/** Eight characters of the SHA-256 digest in base32, and the text itself, truncated to a chain name's maximum length. */
/** What follows the kind in the name of a chain: the hash of its path, and the path. */
export function nftNameBase(text: string): string {
  const name = `${base32Start(hash('sha256', text, 'hex'))}-${text}`
  return name.length > longest ? `${name.slice(0, longest - 3)}...` : name
}

/** The first 40 bits in base32. */
function base32Start(digest: string): string {
  let result = ''
  for (const at of [0, 5]) {
    const bits = parseInt(digest.slice(at, at + 5), 16)
    for (const shift of [15, 10, 5, 0]) result += alphabet.charAt((bits >> shift) & 31)
  }
  return result
}
