import { groupBy } from '../../../groupBy.js'
import type { ModeName } from '../config.js'
import type { MinorVersion } from './version.js'

/** Something that kube-proxy writes, or does, in some versions only. */
export interface Feature {
  /** The rules that it is part of: those of a mode, or what Services mean in all modes; other behaviour is not in rules. */
  readonly of: 'iptables' | 'nftables' | 'services' | 'behaviour'
  /** The first version that has it; undefined if 1.24 has it. */
  readonly from?: MinorVersion
  /** The last version that has it; undefined if 1.37 has it. */
  readonly to?: MinorVersion
  readonly about: string
  /** The pull requests of kubernetes/kubernetes that began or ended it. */
  readonly changes: readonly number[]
}

/**
 * Where the rules and the behaviour of kube-proxy 1.24 to 1.37 differ, with the default feature gates. What is not in
 * this table is as in 1.36. `from` is the version whose last patch has it: some changes came with a patch of it (132456, 138571).
 */
export const features = {
  // mode iptables
  markDrop: {
    ...{ of: 'iptables', to: 24, changes: [110289, 110290] },
    about: 'refused packets are marked by KUBE-MARK-DROP, and dropped in filter KUBE-FIREWALL',
  },
  sourceRangeRest: {
    ...{ of: 'iptables', from: 27, changes: [114470] },
    about: 'a KUBE-FW- chain ends with a comment that names KUBE-PROXY-FIREWALL',
  },
  localnetFirewall: {
    ...{ of: 'iptables', from: 27, changes: [114470] },
    about: 'kube-proxy writes the rule of kubelet’s KUBE-FIREWALL too',
  },
  localhostNodePorts: {
    ...{ of: 'iptables', from: 26, changes: [108250] },
    about: 'iptables.localhostNodePorts; no node ports on ::1',
  },
  nodePortsWithoutAddress: {
    ...{ of: 'iptables', from: 27, changes: [115256] },
    about: 'node ports have rules even if no address is in nodePortAddresses',
  },
  liberalConntrack: {
    ...{ of: 'iptables', from: 29, changes: [120412] },
    about:
      'no DROP of packets in state INVALID if nf_conntrack_tcp_be_liberal is set; conntrack.tcpBeLiberal',
  },
  nfacct: {
    ...{ of: 'iptables', from: 31, changes: [122812, 125015] },
    about: 'INVALID packets and node ports on localhost are counted by nfacct objects',
  },
  // mode nftables
  filterAfterDNAT: {
    ...{ of: 'nftables', from: 33, changes: [132456] },
    about: 'the checks of endpoints and cluster IPs are at priority filter, after DNAT',
  },
  unallocatedDropped: {
    ...{ of: 'nftables', from: 33, changes: [122692] },
    about: 'packets to unallocated cluster IPs are dropped, as ServiceCIDRs are watched',
  },
  clusterIPPort: {
    ...{ of: 'nftables', to: 33, changes: [131492] },
    about: 'the rule that masquerades traffic to a cluster IP matches the port too',
  },
  inlinedMarks: {
    ...{ of: 'nftables', from: 36, changes: [135800, 136499] },
    about: 'no chain mark-for-masquerade; endpoints without chains; the set hairpin-connections',
  },
  shortComments: {
    ...{ of: 'nftables', from: 37, changes: [139516] },
    about: 'comments have at most 128 bytes; before, nft rejects every rule',
  },
  // all modes
  terminatingEndpoints: {
    ...{ of: 'services', from: 26, changes: [113363] },
    about:
      'endpoints that terminate and still serve are used if no other is left (ProxyTerminatingEndpoints)',
  },
  externalPolicyOfClusterIP: {
    ...{ of: 'services', from: 29, changes: [119150] },
    about: 'externalTrafficPolicy applies to externalIPs of Services of type ClusterIP',
  },
  ipMode: {
    ...{ of: 'services', from: 30, changes: [118895] },
    about: 'addresses of load balancers with ipMode Proxy get no rules (LoadBalancerIPMode)',
  },
  hintsByAnnotation: {
    ...{ of: 'services', to: 30, changes: [123487] },
    about: 'hints of EndpointSlices are used only for Services with the annotation topology-mode',
  },
  anyHintsAnnotation: {
    ...{ of: 'services', from: 27, changes: [116522] },
    about: 'every value of the annotation but disabled enables hints; before, only auto',
  },
  nodeHints: {
    ...{ of: 'services', from: 34, changes: [130844] },
    about: 'hints for nodes are used (PreferSameTrafficDistribution)',
  },
  openSourceRange: {
    ...{ of: 'services', from: 34, changes: [132722] },
    about: 'a range 0.0.0.0/0 in loadBalancerSourceRanges means that there is no restriction',
  },
  headlessLabel: {
    ...{ of: 'services', from: 36, changes: [134623] },
    about:
      'Services with a cluster IP are watched even if they have the label service.kubernetes.io/headless',
  },
  neverSyncsAll: {
    ...{ of: 'behaviour', from: 27, to: 32, changes: [115138, 126013, 129329] },
    about: 'no full sync each hour (modes iptables and nftables): rules that others deleted stay away',
  },
  sparesLargeClusters: {
    ...{ of: 'behaviour', from: 34, changes: [138571] },
    about: 'no full sync each hour above 1,000 endpoints (mode iptables)',
  },
  keepsLastUdpEntries: {
    ...{ of: 'behaviour', from: 32, to: 36, changes: [127318, 139629] },
    about: 'conntrack entries of a UDP Service stay when its last serving endpoint is removed',
  },
  warnsOfDefaultMode: {
    ...{ of: 'behaviour', from: 37, changes: [139957] },
    about: 'a warning when the mode is not set, because the default will change to nftables',
  },
  nodePortKeywords: {
    ...{ of: 'behaviour', from: 37, changes: [138427] },
    about: 'nodePortAddresses may mix primary, localhost, all and CIDRs',
  },
} as const satisfies Readonly<Record<string, Feature>>

export type FeatureName = keyof typeof features

/** Whether a version of kube-proxy has a feature. */
export function has(version: MinorVersion, name: FeatureName): boolean {
  const { from, to }: Feature = features[name]
  return (from === undefined || version >= from) && (to === undefined || version <= to)
}

/** Versions with the same rules in a mode, the oldest first: `[[24], [25], …]`. */
export function versionsByForm(
  versions: readonly MinorVersion[],
  mode: ModeName,
): readonly (readonly MinorVersion[])[] {
  // those of mode ipvs have chains of iptables
  const rules = mode === 'nftables' ? 'nftables' : 'iptables'
  const own = Object.entries(features).filter(([, { of }]) => of === rules || of === 'services')
  const form = (version: MinorVersion) => own.map(([name]) => has(version, name as FeatureName)).join()
  return [...groupBy(versions, form).values()]
}
