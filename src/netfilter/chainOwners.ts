import { commentOf } from './compare.js'
import type { SavedTable } from './save.js'

const kubeProxyChains = new Set([
  'KUBE-SERVICES',
  'KUBE-EXTERNAL-SERVICES',
  'KUBE-NODEPORTS',
  'KUBE-POSTROUTING',
  'KUBE-MARK-MASQ',
  'KUBE-FORWARD',
  'KUBE-PROXY-FIREWALL',
  'KUBE-PROXY-CANARY',
  'KUBE-PORTALS-CONTAINER',
  'KUBE-PORTALS-HOST',
  'KUBE-NODEPORT-CONTAINER',
  'KUBE-NODEPORT-HOST',
  'KUBE-NODEPORT-NON-LOCAL',
  'KUBE-NODE-PORT',
  'KUBE-LOAD-BALANCER',
  'KUBE-SOURCE-RANGES-FIREWALL',
  'KUBE-IPVS-FILTER',
  'KUBE-IPVS-OUT-FILTER',
])

/** True for chains that kube-proxy alone writes; KUBE-FIREWALL, which it shares with kubelet, is not one of them. */
export function isKubeProxyChain(chain: string): boolean {
  return kubeProxyChains.has(chain) || isServicePortChain(chain)
}

/** True for the chains of one service port or endpoint: a prefix of kube-proxy's and 16 base32 characters. */
export function isServicePortChain(chain: string): boolean {
  return /^KUBE-(?:SVC|SVL|EXT|FW|SEP)-[A-Z2-7]{16}$/.test(chain)
}

/** The chain that a saved rule goes on in, or its target; undefined for a rule that only counts. */
export function targetOf(spec: string): string | undefined {
  return /(?:^| )-[jg] (\S+)/.exec(spec)?.[1]
}

/**
 * The service port (`namespace/name:port`) of each of kube-proxy's per-service chains, told by the comments of its
 * rules, and where those are left out (over 1000 endpoints) by the chains that lead to it.
 */
export function chainOwners(tables: readonly SavedTable[]): ReadonlyMap<string, string> {
  const rules = tables.flatMap((table) => table.rules)
  const owners = new Map<string, string>()
  for (const { chain, spec } of rules) {
    if (!isServicePortChain(chain) || owners.has(chain)) continue
    const name = servicePortName(spec)
    if (name !== undefined) owners.set(chain, name)
  }
  for (const { chain, spec } of rules) {
    const target = targetOf(spec)
    if (target === undefined || !isServicePortChain(target) || owners.has(target)) continue
    const name = owners.get(chain) ?? servicePortName(spec)
    if (name !== undefined) owners.set(target, name)
  }
  return owners
}

/** The service port that the comment of a saved rule names. */
export function servicePortName(spec: string): string | undefined {
  return /(?:^| )([a-z0-9][a-z0-9.-]*\/[a-z0-9][a-z0-9.-]*(?::[a-z0-9.-]+)?)(?= |$)/.exec(
    commentOf(spec),
  )?.[1]
}
