import { hash } from 'node:crypto'
import { has } from '../versions/features.js'
import type { MinorVersion } from '../versions/version.js'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** Two characters for each 10 bits. */
const pairs: readonly string[] = Array.from(
  { length: 1024 },
  (_, bits) => alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31),
)

/** The built-in names of kube-proxy's chains, as upstream spells them. */
export const baseChain = {
  services: 'KUBE-SERVICES',
  externalServices: 'KUBE-EXTERNAL-SERVICES',
  nodePorts: 'KUBE-NODEPORTS',
  postrouting: 'KUBE-POSTROUTING',
  markMasq: 'KUBE-MARK-MASQ',
  /** Of kubelet; kube-proxy 1.24 makes sure that it exists, and writes no rule in it. */
  markDrop: 'KUBE-MARK-DROP',
  forward: 'KUBE-FORWARD',
  proxyFirewall: 'KUBE-PROXY-FIREWALL',
  kubeletFirewall: 'KUBE-FIREWALL',
  canary: 'KUBE-PROXY-CANARY',
} as const

/** Chains that rules of all Services share, by table and in the order in which kube-proxy declares them. */
export function sharedChains(version: MinorVersion): Readonly<Record<'filter' | 'nat', readonly string[]>> {
  const marksDrops = has(version, 'markDrop')
  return {
    filter: [
      baseChain.services,
      baseChain.externalServices,
      baseChain.forward,
      baseChain.nodePorts,
      ...(marksDrops ? [] : [baseChain.proxyFirewall]),
      ...(has(version, 'localnetFirewall') ? [baseChain.kubeletFirewall] : []),
    ],
    nat: [
      baseChain.services,
      baseChain.nodePorts,
      baseChain.postrouting,
      baseChain.markMasq,
      ...(marksDrops ? [baseChain.markDrop] : []),
    ],
  }
}

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

/** True for chains that kube-proxy makes per service port or endpoint, and removes when stale. */
export function isServiceChain(chain: string): boolean {
  return servicePrefixes.some((prefix) => chain.startsWith(prefix))
}

/**
 * The first 16 characters of the base32 form of the SHA-256 digest: 80 bits, as two groups of 5 bytes. The digest is a
 * text with one byte per character, which Node returns faster than a buffer; hashing takes much of the generation time.
 */
function chainHash(text: string): string {
  const digest = hash('sha256', text, 'binary')
  return group(digest, 0) + group(digest, 5)
}

function group(digest: string, at: number): string {
  const middle = digest.charCodeAt(at + 2)
  const first = (digest.charCodeAt(at) << 12) | (digest.charCodeAt(at + 1) << 4) | (middle >> 4)
  const last = ((middle & 15) << 16) | (digest.charCodeAt(at + 3) << 8) | digest.charCodeAt(at + 4)
  return pair(first >> 10) + pair(first & 1023) + pair(last >> 10) + pair(last & 1023)
}

function pair(bits: number): string {
  return pairs[bits] ?? ''
}
