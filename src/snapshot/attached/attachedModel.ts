import { parseKubeProxyConfiguration } from '../../agents/kubeProxy/parseConfig.js'
import { modeOf } from '../../agents/kubeProxy/modes.js'
import type { KubeProxyConfiguration, ModeName } from '../../agents/kubeProxy/config.js'
import { defaultConfiguration } from '../../agents/kubeProxy/configDefaults.js'
import { knownVersions } from '../../agents/kubeProxy/versions/known.js'
import { versionText, type MinorVersion } from '../../agents/kubeProxy/versions/version.js'
import { nftChain } from '../../agents/kubeProxy/nftables/chainNames.js'
import type { Cluster, ConfigMap, ServiceCIDR } from '../../cluster/types.js'
import { parseDocuments } from '../../cluster/yaml/documents.js'
import { familyOf, type IpFamily } from '../../net/ipFamily.js'
import { groupBy } from '../../groupBy.js'
import { layOut } from '../../topology/layOut.js'
import type { KubeProxy } from '../model/kubeProxy.js'
import { labState } from '../model/labState.js'
import { outsideName, type LabModel } from '../model/snapshot.js'
import { attachedCluster } from './attachedCluster.js'
import { ipvsDevice } from '../../agents/kubeProxy/ipvs/types.js'
import type { Bundle } from './bundle.js'
import { podRanges } from '../rules/podRanges.js'
import type { NodePart } from './texts/model.js'
import { proxyVersions } from './proxyVersions.js'
import { inferRanges } from './ranges.js'

/** Where requests from outside of the cluster come from, if a question names no address (TEST-NET-3 of RFC 5737). */
export const outsideClient = { name: outsideName, addresses: ['203.0.113.9'] }

/** What enforces policies is read, not planned. */
const network = { mode: 'routes', masquerade: true, enforcesPolicies: false } as const

/** What is known of the kube-proxies of a bundle besides it. */
export interface GivenProxy {
  /** In place of one that is attached. */
  readonly config?: KubeProxyConfiguration | undefined
  /** In place of those that images and nodes show. */
  readonly version?: MinorVersion | undefined
}

/** The model of a bundle, and what was assumed for it. */
export function attachedModel(
  bundle: Bundle,
  given: GivenProxy = {},
): {
  readonly model: LabModel
  readonly notes: readonly string[]
  readonly withoutEndpoints: ReadonlySet<string>
  readonly withoutPods: ReadonlySet<string>
} {
  const { cluster, notes, withoutEndpoints, withoutPods } = attachedCluster(bundle)
  const { kubeProxy, notes: proxyNotes } = attachedKubeProxy(bundle, cluster, given)
  const clusterCIDR = kubeProxy.kind === 'none' ? undefined : kubeProxy.config.clusterCIDR
  const { ranges, notes: rangeNotes } = inferRanges(cluster, {
    pods: clusterCIDR === '' ? undefined : clusterCIDR,
    services: serviceCIDRsOf(bundle),
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
      lab: {
        name: bundle.name,
        title: bundle.name.replace(/^.*[\\/](?=.)/, ''),
        clients: [outsideClient],
        ingress: [],
        images: {},
      },
      clusterOptions: { nodes: [], ranges, families },
      kubeProxy,
      abilities: { nfacct: false, randomFully: true },
      // pods of a real cluster use its DNS
      dns: { outside: undefined },
    },
    withoutEndpoints,
    withoutPods,
    notes: [...notes, ...proxyNotes, ...(rangeNotes.length > 0 ? [`ranges: ${rangeNotes.join(', ')}`] : [])],
  }
}

/** The kube-proxy of a cluster: its configuration where it is attached, and the mode of the rules that were read. */
function attachedKubeProxy(
  bundle: Bundle,
  cluster: Cluster,
  given: GivenProxy,
): { kubeProxy: KubeProxy; notes: string[] } {
  const written = modeWritten(bundle)
  if (written === 'none' && given.config === undefined)
    return { kubeProxy: { kind: 'none' }, notes: ['no node has rules of kube-proxy'] }
  const fields = (cluster.configMaps ?? []).flatMap(kubeProxyFields)[0]
  const { config: declared, problems } = parseKubeProxyConfiguration(fields ?? {})
  const notes = problems.map(
    ({ path, message }) => `the configuration of kube-proxy: ${path.join('.')}: ${message}`,
  )
  const isKnown = given.config !== undefined || fields !== undefined
  const clusterCIDR = isKnown ? undefined : clusterCIDROf(bundle)
  if (!isKnown && bundle.objects.length > 0) {
    const says = clusterCIDR === undefined ? '' : `; clusterCIDR ${clusterCIDR} is that of the rules`
    notes.push(`the configuration of kube-proxy is not attached${says}`)
  }
  const own = given.config ?? (fields === undefined ? defaultConfiguration : declared)
  const mode = (written === 'none' ? undefined : written) ?? own.mode
  const known = versionsOf(cluster, mode, given.version)
  if (bundle.nodes.length > 0) notes.push(...known.notes)
  const version = known.most ?? own.version
  const config = { ...own, mode, version, ...(clusterCIDR !== undefined && { clusterCIDR }) }
  const ownConfigs = known.byNode.map(([node, one]) => [node, { ...config, version: one }] as const)
  return {
    kubeProxy: {
      ...{ kind: 'built-in', mode: modeOf(mode), fields: fields ?? {}, config },
      ownConfigs: Object.fromEntries(ownConfigs),
    },
    notes,
  }
}

/** The versions of the kube-proxies: the given one, or those that images and nodes show, of those whose rules are known. */
function versionsOf(
  cluster: Cluster,
  mode: ModeName,
  given: MinorVersion | undefined,
): {
  readonly most?: MinorVersion
  readonly byNode: readonly (readonly [string, MinorVersion])[]
  readonly notes: readonly string[]
} {
  if (given !== undefined) return { most: given, byNode: [], notes: [] }
  const { from, to } = knownVersions[mode]
  const found = proxyVersions(cluster)
  const groups = [...groupBy(found, ({ version }) => version)].toSorted(([, a], [, b]) => b.length - a.length)
  const [first] = groups
  if (first === undefined) return { byNode: [], notes: [] }
  const within = (version: MinorVersion) => Math.min(Math.max(version, from), to)
  return {
    most: within(first[0]),
    byNode: found.map(({ node, version }) => [node, within(version)]),
    notes: groups.map(([version, own]) => {
      const by = own.some((one) => one.by === 'image') ? 'its image' : 'the version of the kubelet'
      const other =
        within(version) === version
          ? ''
          : `, whose rules are taken for those of ${versionText(within(version))}`
      const where = groups.length === 1 ? '' : ` on ${own.map(({ node }) => node).join(', ')}`
      return `kube-proxy${where} is ${versionText(version)} (by ${by})${other}`
    }),
  }
}

/** The mode of the rules; `none` where rules were read and none is kube-proxy’s, undefined where no rules were read. */
function modeWritten({ nodes }: Bundle): ModeName | 'none' | undefined {
  const parts = nodes.flatMap(({ texts }) => texts.map(({ part }) => part))
  if (parts.some(showsIpvs)) return 'ipvs'
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

/** Virtual servers, the device with the addresses of Services, or rules that match the ipsets of kube-proxy. */
function showsIpvs({ servers = [], devices = [], rules = {} }: NodePart): boolean {
  if (servers.length > 0) return true
  const bound = devices.find(({ name }) => name === ipvsDevice)?.addresses ?? []
  // mode iptables leaves a device of another start, without addresses
  if (bound.some(({ address }) => !address.startsWith('fe80:'))) return true
  return Object.values(rules).some((tables) =>
    [...(tables.get('nat')?.get('KUBE-SERVICES')?.rules ?? [])].some(({ rule }) =>
      rule.matches.some((match) => match.kind === 'set' && match.matchSet.value.name.startsWith('KUBE-')),
    ),
  )
}

/** The fields of the ConfigMap that kubeadm and others write (`kube-system/kube-proxy`, key `config.conf`). */
export function kubeProxyFields({ metadata, data = {} }: ConfigMap): Readonly<Record<string, unknown>>[] {
  const { namespace = 'kube-system', name } = metadata
  if (namespace !== 'kube-system' || !/^kube-proxy(-config|-worker)?$/.test(name)) return []
  const text = data['config.conf'] ?? data['config'] ?? data['kubeproxy-config.yaml']
  const value = text === undefined ? undefined : parseDocuments('config.conf', text).documents[0]?.value
  const isOne =
    typeof value === 'object' && !Array.isArray(value) && value['kind'] === 'KubeProxyConfiguration'
  return isOne ? [value] : []
}

/** The ranges of cluster IPs: of ServiceCIDRs, or those of which mode nftables drops what no Service has. */
function serviceCIDRsOf({ objects, nodes }: Bundle): string | undefined {
  const declared = objects.flatMap(({ object }) =>
    object.kind === 'ServiceCIDR' ? ((object as ServiceCIDR).spec?.cidrs ?? []) : [],
  )
  const rules = nodes
    .flatMap(({ texts }) => texts.flatMap(({ part }) => part.nft?.tables ?? []))
    .filter(({ name }) => name === 'kube-proxy')
    .flatMap(({ chains }) => chains.get(nftChain.clusterIPsCheck)?.rules ?? [])
  const dropped = rules.flatMap(({ spec }) => {
    const [, several, one = '', all = several ?? one] =
      /^ip6? daddr (?:\{ ([^}]*) \}|(\S+)) drop/.exec(spec) ?? []
    return all.split(/,\s*/).filter((range) => range.includes('/'))
  })
  const ranges = [...declared, ...dropped]
  return ranges.length === 0 ? undefined : ranges.join(',')
}

/** The ranges in which the rules look for pods, with a comma; undefined if no rule has one. */
function clusterCIDROf({ nodes }: Bundle): string | undefined {
  const found = nodes.flatMap(({ texts }) => texts.flatMap(({ part }) => [...podRanges(part)]))
  const byFamily = new Map(found.toReversed())
  return byFamily.size === 0 ? undefined : [...byFamily.values()].join(',')
}
