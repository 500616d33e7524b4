import type { MinorVersion } from '../../agents/kubeProxy/versions/version.js'
import { features, has, type Feature, type FeatureName } from '../../agents/kubeProxy/versions/features.js'
import type { ProxyMode } from '../../agents/kubeProxy/mode.js'
import type { Service } from '../../cluster/types.js'
import { familyOf } from '../../net/ipFamily.js'
import type { KubeProxy } from '../../snapshot/model/kubeProxy.js'
import type { TraceState } from '../../snapshot/model/state.js'
import type { Cell } from './cell.js'
import type { ReachRequest } from './requests.js'
import type { Target } from './targets.js'

/** A difference between modes or versions of kube-proxy that upstream has documented, or has made on purpose. */
export interface KnownDifference {
  readonly code: string
  readonly says: string
  readonly link: string
}

const migration =
  'https://kubernetes.io/docs/reference/networking/virtual-ips/#migrating-from-iptables-mode-to-nftables'
const virtualIPs = 'https://kubernetes.io/docs/reference/networking/virtual-ips/'
const pull = (number: number) => `https://github.com/kubernetes/kubernetes/pull/${number}`

/** The known differences, by code. */
export const knownDifferences = {
  'loopback-node-port': {
    says: 'node ports on 127.0.0.1 exist only in mode iptables, with iptables.localhostNodePorts',
    link: migration,
  },
  'node-port-addresses': {
    says: 'mode nftables serves node ports on the primary addresses of nodes only, unless nodePortAddresses has others',
    link: migration,
  },
  'invalid-drop': {
    says: 'mode iptables drops packets in conntrack state INVALID, mode nftables does not',
    link: migration,
  },
  'ping-of-cluster-ip': {
    says: 'mode nftables rejects packets to a cluster IP that are for no port of a Service, ICMP too; mode iptables lets them follow the default route; in mode ipvs the node answers',
    link: pull(122692),
  },
  'unserved-port': {
    says: 'mode nftables rejects packets to a port of a cluster IP that no Service has; mode iptables lets them follow the default route; in mode ipvs the node refuses them',
    link: pull(122692),
  },
  'unallocated-cluster-ip': {
    says: 'mode nftables drops packets to addresses of the ServiceCIDR that no Service has (from 1.33); other modes let them follow the default route',
    link: pull(122692),
  },
  'no-endpoints': {
    says: 'a Service without endpoints is refused by REJECT in some modes, and by DROP or by no rule in others',
    link: virtualIPs,
  },
  'masquerade-all': {
    says: 'masqueradeAll is a setting of its own in mode nftables (nftables.masqueradeAll); modes iptables and ipvs have iptables.masqueradeAll',
    link: 'https://kubernetes.io/docs/reference/config-api/kube-proxy-config.v1alpha1/',
  },
  'one-family': {
    says: 'mode userspace serves one IP family',
    link: `${virtualIPs}#userspace-proxy-mode`,
  },
  'session-affinity': {
    says: 'the modes note the endpoint of a client in different ways (recent, a set, IPVS persistence)',
    link: `${virtualIPs}#session-affinity`,
  },
  'terminating-endpoints': {
    says: 'endpoints that terminate are used if no other is left, from version 1.26',
    link: `${virtualIPs}#traffic-to-terminating-endpoints`,
  },
  'health-check': {
    says: 'which kube-proxies serve healthCheckNodePort, and on which addresses, depends on mode and nodePortAddresses',
    link: 'https://kubernetes.io/docs/reference/networking/virtual-ips/#external-traffic-policy',
  },
  'load-balancer-address': {
    says: 'in mode ipvs the addresses of Services are local to every node',
    link: `${virtualIPs}#proxy-mode-ipvs`,
  },
  relayed: {
    says: 'in mode userspace a process of kube-proxy relays connections: the pod sees the node as client',
    link: `${virtualIPs}#userspace-proxy-mode`,
  },
  'other-rules': {
    says: 'rules of other programs see packets before or after those of kube-proxy, which depends on the mode',
    link: 'https://kubernetes.io/docs/reference/networking/virtual-ips/#proxy-mode-nftables',
  },
} as const satisfies Readonly<Record<string, Omit<KnownDifference, 'code'>>>

type KnownCode = keyof typeof knownDifferences

/** What a difference between two kube-proxies for the same cluster is known as; undefined if upstream documents none like it. */
export function knownDifference(
  { target }: ReachRequest,
  [before, after]: readonly [Cell, Cell],
  [one, other]: readonly [KubeProxy, KubeProxy],
  facts: ServiceFacts,
): KnownDifference | undefined {
  const code = codeOf(target, [before, after], [one, other], facts)
  if (code !== undefined) return { code, ...knownDifferences[code] }
  return undefined
}

/** What a known difference depends on, of the Service that is called. */
interface ServiceFacts {
  readonly service: Service | undefined
  /** Whether it has endpoints that terminate. */
  readonly terminates: boolean
}

function codeOf(
  target: Target,
  [before, after]: readonly [Cell, Cell],
  [one, other]: readonly [KubeProxy, KubeProxy],
  { service, terminates }: ServiceFacts,
): KnownCode | undefined {
  if (one.kind === 'none' || other.kind === 'none') return undefined
  const isForeign = [before, after].some(
    ({ rule }) => rule !== undefined && rule.owner !== 'kube-proxy' && rule.owner !== undefined,
  )
  if (isForeign || [before, after].some(({ rule }) => rule !== undefined && rule.owner === undefined))
    return 'other-rules'
  const is = (cell: Cell, kind: Cell['ends'][number]['kind']) => cell.ends.every((end) => end.kind === kind)
  switch (target.kind) {
    case 'ping of cluster IP':
      return 'ping-of-cluster-ip'
    case 'other port of cluster IP':
      return 'unserved-port'
    case 'unallocated cluster IP':
      return 'unallocated-cluster-ip'
    case 'health check':
      return 'health-check'
  }
  if (
    one.mode.relaysConnections !== other.mode.relaysConnections &&
    !is(before, 'refused') &&
    !is(after, 'refused')
  )
    return 'relayed'
  const isOneSided = is(before, 'received') !== is(after, 'received')
  const modes = [one.mode, other.mode]
  const hasOwnTable = modes.some(({ ownTable }) => ownTable !== undefined)
  if (modes.some(({ relaysConnections }) => relaysConnections) && familyOf(target.address) === 'IPv6')
    return 'one-family'
  if (target.kind === 'node port on loopback' && isOneSided && modes.some(servesLoopback))
    return 'loopback-node-port'
  const isOther = target.kind === 'node port on another address'
  if ((isOther || (target.kind === 'node port' && !isLocal(service))) && isOneSided && hasOwnTable)
    return 'node-port-addresses'
  if (before.affinity !== after.affinity) return 'session-affinity'
  const versions = [one.config.version, other.config.version] as const
  if (terminates && differ(versions, 'terminatingEndpoints') && isOneSided) return 'terminating-endpoints'
  if (is(before, 'received') && is(after, 'received'))
    return masqueradesAll(one) === masqueradesAll(other) ? undefined : 'masquerade-all'
  if (!isOneSided) return 'no-endpoints'
  return one.mode.bindsServiceAddresses === other.mode.bindsServiceAddresses
    ? undefined
    : 'load-balancer-address'
}

/** Only rules of iptables without virtual servers rewrite packets to loopback. */
function servesLoopback({ ownTable, bindsServiceAddresses, relaysConnections }: ProxyMode): boolean {
  return ownTable === undefined && !bindsServiceAddresses && !relaysConnections
}

function masqueradesAll({ mode, config }: Extract<KubeProxy, { readonly mode: unknown }>): boolean {
  if (mode.relaysConnections) return false
  // mode ipvs has that of iptables
  return (mode.ownTable === undefined ? config.iptables : config.nftables).masqueradeAll
}

/** What two kube-proxies do differently to packets that no request begins with. */
export function unaskedDifferences(before: TraceState, after: TraceState): readonly KnownDifference[] {
  return dropsInvalid(before) === dropsInvalid(after)
    ? []
    : [{ code: 'invalid-drop', ...knownDifferences['invalid-drop'] }]
}

function dropsInvalid({ rules }: TraceState): boolean {
  return [...rules.values()].some((families) =>
    Object.values(families).some((tables) =>
      (tables.get('filter')?.get('KUBE-FORWARD')?.rules ?? []).some(({ spec }) =>
        /--ctstate INVALID .*-j DROP/.test(spec),
      ),
    ),
  )
}

function isLocal(service: Service | undefined): boolean {
  return service?.spec.externalTrafficPolicy === 'Local'
}

function differ([one, other]: readonly [MinorVersion, MinorVersion], name: FeatureName): boolean {
  return has(one, name) !== has(other, name)
}

/** What two versions of kube-proxy do differently in one mode, with the pull requests. */
export function versionFeatures(one: KubeProxy, other: KubeProxy): readonly KnownDifference[] {
  if (one.kind === 'none' || other.kind === 'none' || one.config.version === other.config.version) return []
  const versions = [one.config.version, other.config.version] as const
  return Object.entries<Feature>(features).flatMap(([name, { of, about, changes }]) => {
    const applies = of === 'services' || of === 'behaviour' || of === other.config.mode
    const [change] = changes
    if (!applies || change === undefined || !differ(versions, name as FeatureName)) return []
    return [{ code: name, says: about, link: pull(change) }]
  })
}
