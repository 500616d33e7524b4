import { parseKubeProxyConfiguration } from '../../agents/kubeProxy/parseConfig.js'
import { modeOf } from '../../agents/kubeProxy/modes.js'
import type { ModeName } from '../../agents/kubeProxy/config.js'
import { defaultConfiguration } from '../../agents/kubeProxy/configDefaults.js'
import type { ConfigMap } from '../../cluster/types.js'
import { parseDocuments } from '../../cluster/yaml/documents.js'
import { familyOf, type IpFamily } from '../../net/ipFamily.js'
import { layOut } from '../../topology/layOut.js'
import type { KubeProxy } from '../model/kubeProxy.js'
import { labState } from '../model/labState.js'
import { outsideName, type LabModel } from '../model/snapshot.js'
import { attachedCluster } from './attachedCluster.js'
import type { Bundle } from './bundle.js'
import { inferRanges } from './ranges.js'

/** Where requests from outside of the cluster come from, if a question names no address (TEST-NET-3 of RFC 5737). */
export const outsideClient = { name: outsideName, addresses: ['203.0.113.9'] }

/** What enforces policies is read, not planned. */
const network = { mode: 'routes', masquerade: true, enforcesPolicies: false } as const

/** The model of a bundle, and what was assumed for it. */
export function attachedModel(bundle: Bundle): {
  readonly model: LabModel
  readonly notes: readonly string[]
  readonly withoutEndpoints: ReadonlySet<string>
} {
  const { cluster, notes, withoutEndpoints } = attachedCluster(bundle)
  const { kubeProxy, notes: proxyNotes } = attachedKubeProxy(bundle, cluster.configMaps ?? [])
  const clusterCIDR = kubeProxy.kind === 'none' ? undefined : kubeProxy.config.clusterCIDR
  const { ranges, notes: rangeNotes } = inferRanges(cluster, {
    pods: clusterCIDR === '' ? undefined : clusterCIDR,
  })
  const all = [
    ...cluster.nodes.flatMap(({ status }) => status?.addresses ?? []).map(({ address }) => address),
    ...cluster.services.flatMap(({ spec }) => spec.clusterIPs ?? []),
  ]
  const families = (['IPv4', 'IPv6'] as const).filter(
    (family: IpFamily) =>
      family === 'IPv4' || all.some((address) => address !== 'None' && familyOf(address) === family),
  )
  const topology = layOut(cluster, [outsideClient], ranges, families, network)
  return {
    model: {
      ...labState(cluster, topology),
      lab: { name: bundle.name, title: bundle.name, clients: [outsideClient], ingress: [], images: {} },
      clusterOptions: { nodes: [], ranges, families },
      kubeProxy,
      abilities: { nfacct: false, randomFully: true },
      // pods of a real cluster use its DNS
      dns: { outside: undefined },
    },
    withoutEndpoints,
    notes: [...notes, ...proxyNotes, ...(rangeNotes.length > 0 ? [`ranges: ${rangeNotes.join(', ')}`] : [])],
  }
}

/** The kube-proxy of a cluster: its configuration where it is attached, and the mode of the rules that were read. */
function attachedKubeProxy(
  bundle: Bundle,
  configMaps: readonly ConfigMap[],
): { kubeProxy: KubeProxy; notes: string[] } {
  const written = modeWritten(bundle)
  const fields = configMaps.flatMap(kubeProxyFields)[0]
  const { config: declared, problems } = parseKubeProxyConfiguration(fields ?? {})
  const notes = problems.map(
    ({ path, message }) => `the configuration of kube-proxy: ${path.join('.')}: ${message}`,
  )
  if (written === 'none') return { kubeProxy: { kind: 'none' }, notes: ['no node has rules of kube-proxy'] }
  const mode = written ?? declared.mode
  const config = { ...(fields === undefined ? defaultConfiguration : declared), mode }
  if (fields === undefined) {
    const clusterCIDR = clusterCIDROf(bundle)
    const says = clusterCIDR === undefined ? '' : `; clusterCIDR ${clusterCIDR} is that of the rules`
    if (bundle.objects.length > 0) notes.push(`the configuration of kube-proxy is not attached${says}`)
    if (clusterCIDR !== undefined)
      return {
        kubeProxy: { kind: 'built-in', mode: modeOf(mode), config: { ...config, clusterCIDR }, fields: {} },
        notes,
      }
  }
  return { kubeProxy: { kind: 'built-in', mode: modeOf(mode), config, fields: fields ?? {} }, notes }
}

/** The mode of the rules; `none` where rules were read and none is kube-proxy’s, undefined where no rules were read. */
function modeWritten({ nodes }: Bundle): ModeName | 'none' | undefined {
  const parts = nodes.flatMap(({ texts }) => texts.map(({ part }) => part))
  if (parts.some(({ servers = [] }) => servers.length > 0)) return 'ipvs'
  if (parts.some(({ nft }) => nft?.tables.some(({ name }) => name === 'kube-proxy'))) return 'nftables'
  const tables = parts.flatMap(({ rules = {} }) => Object.values(rules))
  const isWritten = tables.some((all) =>
    [...all.values()].some((chains) =>
      [...chains.keys()].some((chain) => /^KUBE-(SERVICES|SVC-|SEP-)/.test(chain)),
    ),
  )
  if (isWritten) return 'iptables'
  const isRead = tables.some((all) => (all.get('nat')?.size ?? 0) > 4)
  return isRead ? 'none' : undefined
}

/** The fields of the ConfigMap that kubeadm and others write (`kube-system/kube-proxy`, key `config.conf`). */
function kubeProxyFields({ metadata, data = {} }: ConfigMap): Readonly<Record<string, unknown>>[] {
  if (!/^kube-proxy(-config|-worker)?$/.test(metadata.name)) return []
  const text = data['config.conf'] ?? data['config'] ?? data['kubeproxy-config.yaml']
  const value = text === undefined ? undefined : parseDocuments('config.conf', text).documents[0]?.value
  return typeof value === 'object' && !Array.isArray(value) ? [value] : []
}

/** The range outside of which kube-proxy masquerades: that of `! -s RANGE -d … -j KUBE-MARK-MASQ`. */
function clusterCIDROf({ nodes }: Bundle): string | undefined {
  for (const { texts } of nodes)
    for (const { part } of texts)
      for (const tables of Object.values(part.rules ?? {}))
        for (const [chain, { rules }] of tables.get('nat') ?? [])
          for (const { rule } of rules) {
            const isMark = rule.target?.kind === 'jump' && rule.target.chain === 'KUBE-MARK-MASQ'
            if (isMark && /^KUBE-(SVC|SVL|EXT|SERVICES)/.test(chain) && rule.source?.negated === true)
              return rule.source.value
          }
  return undefined
}
