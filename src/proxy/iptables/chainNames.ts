import { hash } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The built-in names of kube-proxy's chains, as upstream spells them. */
export const baseChain = {
  services: 'KUBE-SERVICES',
  externalServices: 'KUBE-EXTERNAL-SERVICES',
  nodePorts: 'KUBE-NODEPORTS',
  postrouting: 'KUBE-POSTROUTING',
  markMasq: 'KUBE-MARK-MASQ',
  forward: 'KUBE-FORWARD',
  proxyFirewall: 'KUBE-PROXY-FIREWALL',
  kubeletFirewall: 'KUBE-FIREWALL',
  canary: 'KUBE-PROXY-CANARY',
} as const

/** The chains that one service port may have; all share one hash. */
export interface ServiceChainNames {
  /** KUBE-SVC-: any endpoint of the cluster. */
  readonly cluster: string
  /** KUBE-SVL-: endpoints of this node only. */
  readonly local: string
  /** KUBE-EXT-: entry for traffic from outside. */
  readonly external: string
  /** KUBE-FW-: loadBalancerSourceRanges. */
  readonly firewall: string
}

/** Names of a service port's chains; `name` is `namespace/service:port`, the protocol in lower case. */
export function serviceChainNames(name: string, protocol: string): ServiceChainNames {
  const suffix = chainHash(name + protocol)
  return {
    cluster: `KUBE-SVC-${suffix}`,
    local: `KUBE-SVL-${suffix}`,
    external: `KUBE-EXT-${suffix}`,
    firewall: `KUBE-FW-${suffix}`,
  }
}

/** Name of the chain of one endpoint (`address:port`) of one service port. */
export function endpointChainName(name: string, protocol: string, endpoint: string): string {
  return `KUBE-SEP-${chainHash(name + protocol + endpoint)}`
}

const servicePrefixes = ['KUBE-SVC-', 'KUBE-SVL-', 'KUBE-EXT-', 'KUBE-FW-', 'KUBE-SEP-']

/** True for chains that kube-proxy makes per service port or endpoint, and removes when they are stale. */
export function isServiceChain(chain: string): boolean {
  return servicePrefixes.some((prefix) => chain.startsWith(prefix))
}

/** The first 16 characters of the base32 form of the SHA-256 digest: its first 10 bytes. */
function chainHash(text: string): string {
  const digest = hash('sha256', text, 'latin1' as 'hex')
  let name = ''
  for (let at = 0; at < 10; at += 5) {
    const high =
      (digest.charCodeAt(at) << 12) | (digest.charCodeAt(at + 1) << 4) | (digest.charCodeAt(at + 2) >> 4)
    const low =
      ((digest.charCodeAt(at + 2) & 15) << 16) | (digest.charCodeAt(at + 3) << 8) | digest.charCodeAt(at + 4)
    name += character(high >> 15) + character(high >> 10) + character(high >> 5) + character(high)
    name += character(low >> 15) + character(low >> 10) + character(low >> 5) + character(low)
  }
  return name
}

function character(bits: number): string {
  return alphabet.charAt(bits & 31)
}
