import type { MinorVersion } from './version.js'

/** Something that kube-proxy writes, or does, in some versions only. */
export interface Feature {
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
    ...{ to: 24, changes: [110289, 110290] },
    about: 'refused packets are marked by KUBE-MARK-DROP, and dropped in filter KUBE-FIREWALL',
  },
  sourceRangeRest: {
    ...{ from: 27, changes: [114470] },
    about: 'a KUBE-FW- chain ends with a comment that names KUBE-PROXY-FIREWALL',
  },
  localnetFirewall: {
    ...{ from: 27, changes: [114470] },
    about: 'kube-proxy writes the rule of kubelet’s KUBE-FIREWALL too',
  },
  localhostNodePorts: {
    ...{ from: 26, changes: [108250] },
    about: 'iptables.localhostNodePorts; no node ports on ::1',
  },
  nodePortsWithoutAddress: {
    ...{ from: 27, changes: [115256] },
    about: 'node ports have rules even if no address is in nodePortAddresses',
  },
  liberalConntrack: {
    ...{ from: 29, changes: [120412] },
    about:
      'no DROP of packets in state INVALID if nf_conntrack_tcp_be_liberal is set; conntrack.tcpBeLiberal',
  },
  nfacct: {
    ...{ from: 31, changes: [122812, 125015] },
    about: 'INVALID packets and node ports on localhost are counted by nfacct objects',
  },
  // mode nftables
  filterAfterDNAT: {
    ...{ from: 33, changes: [132456] },
    about: 'mode nftables: the checks of endpoints and cluster IPs are at priority filter, after DNAT',
  },
  unallocatedDropped: {
    ...{ from: 33, changes: [122692] },
    about: 'mode nftables: packets to unallocated cluster IPs are dropped, as ServiceCIDRs are watched',
  },
  clusterIPPort: {
    ...{ to: 33, changes: [131492] },
    about: 'mode nftables: the rule that masquerades traffic to a cluster IP matches the port too',
  },
  inlinedMarks: {
    ...{ from: 36, changes: [135800, 136499] },
    about:
      'mode nftables: no chain mark-for-masquerade; endpoints without chains; the set hairpin-connections',
  },
  shortComments: {
    ...{ from: 37, changes: [139516] },
    about: 'mode nftables: comments have at most 128 bytes; before, nft rejects every rule',
  },
  // all modes
  terminatingEndpoints: {
    ...{ from: 26, changes: [113363] },
    about:
      'endpoints that terminate and still serve are used if no other is left (ProxyTerminatingEndpoints)',
  },
  externalPolicyOfClusterIP: {
    ...{ from: 29, changes: [119150] },
    about: 'externalTrafficPolicy applies to externalIPs of Services of type ClusterIP',
  },
  ipMode: {
    ...{ from: 30, changes: [118895] },
    about: 'addresses of load balancers with ipMode Proxy get no rules (LoadBalancerIPMode)',
  },
  hintsByAnnotation: {
    ...{ to: 30, changes: [123487] },
    about: 'hints of EndpointSlices are used only for Services with the annotation topology-mode',
  },
  anyHintsAnnotation: {
    ...{ from: 27, changes: [116522] },
    about: 'every value of the annotation but disabled enables hints; before, only auto',
  },
  nodeHints: {
    ...{ from: 34, changes: [130844] },
    about: 'hints for nodes are used (PreferSameTrafficDistribution)',
  },
  openSourceRange: {
    ...{ from: 34, changes: [132722] },
    about: 'a range 0.0.0.0/0 in loadBalancerSourceRanges means that there is no restriction',
  },
  headlessLabel: {
    ...{ from: 36, changes: [134623] },
    about:
      'Services with a cluster IP are watched even if they have the label service.kubernetes.io/headless',
  },
  keepsLastUdpEntries: {
    ...{ from: 32, to: 36, changes: [127318, 139629] },
    about: 'conntrack entries of a UDP Service stay when its last serving endpoint is removed',
  },
  warnsOfDefaultMode: {
    ...{ from: 37, changes: [139957] },
    about: 'a warning when the mode is not set, because the default will change to nftables',
  },
  nodePortKeywords: {
    ...{ from: 37, changes: [138427] },
    about: 'nodePortAddresses may mix primary, localhost, all and CIDRs',
  },
} as const satisfies Readonly<Record<string, Feature>>

export type FeatureName = keyof typeof features

/** Whether a version of kube-proxy has a feature. */
export function has(version: MinorVersion, name: FeatureName): boolean {
  const { from, to }: Feature = features[name]
  return (from === undefined || version >= from) && (to === undefined || version <= to)
}
