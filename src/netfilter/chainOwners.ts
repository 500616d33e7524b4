import { matchOf, targetName, type Rule } from './rules/model.js'
import type { TypedTable } from './rules/typedTable.js'

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

const builtIn = new Set(['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING'])

/** True for the chains of iptables that the kernel has, from which programs jump to their own. */
export function isBuiltIn(chain: string): boolean {
  return builtIn.has(chain)
}

/** True for chains that only kube-proxy writes; not KUBE-FIREWALL, which it shares with kubelet. */
export function isKubeProxyChain(chain: string): boolean {
  return kubeProxyChains.has(chain) || isServicePortChain(chain)
}

/** True for the chains of one service port or endpoint: a prefix of kube-proxy's and 16 base32 characters. */
export function isServicePortChain(chain: string): boolean {
  return /^KUBE-(?:SVC|SVL|EXT|XLB|FW|SEP)-[A-Z2-7]{16}$/.test(chain)
}

/**
 * The service port (`namespace/name:port`) of each of kube-proxy's per-service chains, found by the comments of its
 * rules, or, without comments (over 1000 endpoints), by the chains that jump to it.
 */
export function chainOwners(tables: readonly TypedTable[]): ReadonlyMap<string, string> {
  const rules = tables.flatMap((table) => table.rules)
  const owners = new Map<string, string>()
  for (const { chain, rule } of rules) {
    if (!isServicePortChain(chain) || owners.has(chain)) continue
    const name = servicePortName(rule)
    if (name !== undefined) owners.set(chain, name)
  }
  for (const { chain, rule } of rules) {
    const target = targetName(rule)
    if (target === undefined || !isServicePortChain(target) || owners.has(target)) continue
    const name = owners.get(chain) ?? servicePortName(rule)
    if (name !== undefined) owners.set(target, name)
  }
  return owners
}

/** The service port that the comment of a rule names. */
export function servicePortName(rule: Rule): string | undefined {
  return /(?:^| )([a-z0-9][a-z0-9.-]*\/[a-z0-9][a-z0-9.-]*(?::[a-z0-9.-]+)?)(?= |$)/.exec(
    matchOf(rule, 'comment')?.comment ?? '',
  )?.[1]
}
