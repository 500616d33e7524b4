import type { MinorVersion } from './versions/version.js'

/** Values of detectLocalMode: how kube-proxy detects traffic of this node's pods. */
export type DetectLocalMode = 'ClusterCIDR' | 'NodeCIDR' | 'BridgeInterface' | 'InterfaceNamePrefix'

/** Proxy modes of kube-proxy on Linux. All are built in: labs can use them without a kube-proxy binary. */
export const modeNames = ['iptables', 'nftables', 'ipvs', 'userspace'] as const

export type ModeName = (typeof modeNames)[number]

/** Modes of the kube-proxy that Kubernetes ships today. */
export type ShippedMode = Exclude<ModeName, 'userspace'>

/**
 * KubeProxyConfiguration (kubeproxy.config.k8s.io/v1alpha1) with its defaults filled in, in upstream's names and
 * nesting. Durations are in seconds. Fields that do not affect a node's packets are kept as written.
 */
export interface KubeProxyConfiguration {
  /**
   * The kube-proxy that the rules and the behaviour are those of. The only field that KubeProxyConfiguration does not have:
   * each node's kube-proxy can have its own.
   */
  readonly version: MinorVersion
  readonly mode: ModeName
  /** One CIDR, or one of each family with a comma between; empty for none. */
  readonly clusterCIDR: string
  readonly detectLocalMode: DetectLocalMode
  readonly detectLocal: { readonly bridgeInterface: string; readonly interfaceNamePrefix: string }
  /** CIDRs that node ports answer on, or `primary` alone; empty means every address of the node. */
  readonly nodePortAddresses: readonly string[]
  readonly iptables: {
    readonly masqueradeBit: number
    readonly masqueradeAll: boolean
    readonly localhostNodePorts: boolean
    readonly syncPeriod: number
    readonly minSyncPeriod: number
  }
  readonly ipvs: {
    readonly syncPeriod: number
    readonly minSyncPeriod: number
    readonly scheduler: string
    readonly excludeCIDRs: readonly string[]
    readonly strictARP: boolean
    readonly tcpTimeout: number
    readonly tcpFinTimeout: number
    readonly udpTimeout: number
  }
  readonly nftables: {
    readonly masqueradeBit: number
    readonly masqueradeAll: boolean
    readonly syncPeriod: number
    readonly minSyncPeriod: number
  }
  readonly conntrack: {
    readonly maxPerCore: number
    readonly min: number
    readonly tcpEstablishedTimeout: number
    readonly tcpCloseWaitTimeout: number
    readonly tcpBeLiberal: boolean
    readonly udpTimeout: number
    readonly udpStreamTimeout: number
  }
  readonly hostnameOverride: string
  readonly bindAddress: string
  readonly healthzBindAddress: string
  readonly metricsBindAddress: string
  readonly bindAddressHardFail: boolean
  readonly enableProfiling: boolean
  readonly showHiddenMetricsForVersion: string
  readonly oomScoreAdj: number
  readonly configSyncPeriod: number
  readonly portRange: string
  readonly windowsRunAsService: boolean
  readonly featureGates: Readonly<Record<string, boolean>>
  readonly clientConnection: Readonly<Record<string, unknown>>
  readonly logging: LoggingConfiguration
  readonly winkernel: Readonly<Record<string, unknown>>
}

/** A configuration error: its path (keys and indexes), message and fix. */
export interface ConfigurationProblem {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly hint?: string | undefined
}

/** LoggingConfiguration of component-base/logs/api/v1. */
export interface LoggingConfiguration {
  readonly format: string
  readonly verbosity?: number
  readonly vmodule?: readonly { readonly filePattern: string; readonly verbosity: number }[]
  readonly options?: Readonly<
    Partial<Record<'text' | 'json', { readonly splitStream?: boolean; readonly infoBufferSize?: string }>>
  >
}
