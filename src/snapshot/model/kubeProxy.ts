import type { IpFamily } from '../../net/ipFamily.js'
import type { Cluster, Service } from '../../cluster/types.js'
import type { KubeProxyConfiguration } from '../../agents/kubeProxy/config.js'
import type { ProxyMode } from '../../agents/kubeProxy/mode.js'
import { defaultMode, modeOf } from '../../agents/kubeProxy/modes.js'
import { has } from '../../agents/kubeProxy/versions/features.js'
import type { MinorVersion } from '../../agents/kubeProxy/versions/version.js'

/** The configuration of a lab's kube-proxies. */
interface Configured {
  readonly mode: ProxyMode
  readonly config: KubeProxyConfiguration
  /** The fields that the lab and the cluster set. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The configurations of nodes whose kube-proxy has another one, by name. */
  readonly ownConfigs?: Readonly<Record<string, KubeProxyConfiguration>> | undefined
}

/** The kube-proxy that is part of vethlab. */
export interface BuiltInKubeProxy extends Configured {
  readonly kind: 'built-in'
}

/** A program that runs on every node. */
export interface KubeProxyBinary extends Configured {
  readonly kind: 'binary'
  /** Absolute. */
  readonly path: string
  /** As `--version` prints it; undefined before the lab starts, and for a program that does not print one. */
  readonly version?: MinorVersion | undefined
}

/** What writes the rules of Services on a lab's nodes. */
export type KubeProxy = NoKubeProxy | BuiltInKubeProxy | KubeProxyBinary

/** Nodes without a kube-proxy. */
export interface NoKubeProxy {
  readonly kind: 'none'
  /** Input of iptables-restore with which nodes start in place of what agents write, by node. */
  readonly saved?: Readonly<Record<string, Partial<Readonly<Record<IpFamily, string>>>>> | undefined
}

/** The configuration of the kube-proxy of a node. */
export function configOn({ config, ownConfigs = {} }: Configured, node: string): KubeProxyConfiguration {
  return ownConfigs[node] ?? config
}

/** The kube-proxies with other fields in the configurations of all nodes. */
export function withFields<Proxy extends Configured>(
  kubeProxy: Proxy,
  fields: Partial<KubeProxyConfiguration>,
): Proxy {
  const { ownConfigs = {} } = kubeProxy
  const config = { ...kubeProxy.config, ...fields }
  const own = Object.entries(ownConfigs).map(([node, one]) => [node, { ...one, ...fields }] as const)
  return { ...kubeProxy, mode: modeOf(config.mode), config, ownConfigs: Object.fromEntries(own) }
}

/**
 * The cluster as a lab's kube-proxies see it. Versions before 1.36 do not watch Services with the label of headless ones, even
 * if they have a cluster IP.
 */
export function watchedBy<Seen extends Pick<Cluster, 'services'>>(kubeProxy: KubeProxy, cluster: Seen): Seen {
  if (kubeProxy.kind === 'none' || has(kubeProxy.config.version, 'headlessLabel')) return cluster
  const isWatched = ({ metadata: { labels = {} } }: Service) => !('service.kubernetes.io/headless' in labels)
  return { ...cluster, services: cluster.services.filter(isWatched) }
}

/** The tools of the host that a lab's kube-proxies need, and those that show when they are ready. */
export function kubeProxyTools(kubeProxy: KubeProxy): readonly string[] {
  if (kubeProxy.kind === 'none') return []
  return kubeProxy.kind === 'binary' ? ['curl', ...kubeProxy.mode.tools] : kubeProxy.mode.tools
}

/** The mode by which the rules on a lab's nodes are read; where no kube-proxy runs they are those of iptables. */
export function modeOnNodes(kubeProxy: KubeProxy): ProxyMode {
  return kubeProxy.kind === 'none' ? defaultMode : kubeProxy.mode
}
