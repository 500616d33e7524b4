import { parseAddress, parseNetwork } from '../net/address.js'
import { parsePortRange } from './userspace/proxyPorts.js'

/** The type of a KubeProxyConfiguration field; `check` returns kube-proxy's error message for a value. */
export type ConfigField =
  | { readonly type: 'bool' }
  | { readonly type: 'int32'; readonly check?: (value: number) => string | undefined }
  | {
      readonly type: 'duration'
      readonly check?: (seconds: number) => string | undefined
      /** kube-proxy cannot distinguish a zero from an unset field. */
      readonly zeroMeansUnset?: boolean
    }
  | { readonly type: 'string'; readonly check?: (value: string) => string | undefined }
  | { readonly type: '[]string'; readonly check?: (value: readonly string[]) => string | undefined }
  | { readonly type: 'map[string]bool' }
  | { readonly type: 'object' }
  | { readonly type: 'struct'; readonly fields: ConfigFields }

/** The fields of one level, by name. */
export type ConfigFields = Readonly<Record<string, ConfigField>>

const bool: ConfigField = { type: 'bool' }
const text: ConfigField = { type: 'string' }
const anyObject: ConfigField = { type: 'object' }
const period: ConfigField = {
  type: 'duration',
  zeroMeansUnset: true,
  check: (value) => (value > 0 ? undefined : 'must be greater than 0'),
}
const timeout: ConfigField = {
  type: 'duration',
  check: (value) => (value >= 0 ? undefined : 'must be greater than or equal to 0'),
}
const count: ConfigField = {
  type: 'int32',
  check: (value) => (value >= 0 ? undefined : 'must be greater than or equal to 0'),
}
const masqueradeBit: ConfigField = { type: 'int32', check: within(0, 31) }
const hostPort: ConfigField = {
  type: 'string',
  check: (value) => (value === '' ? undefined : checkHostPort(value)),
}

/** The fields of KubeProxyConfiguration v1alpha1 and their rules; mirrors pkg/proxy/apis/config/validation. */
export const configFields: ConfigFields = {
  apiVersion: {
    type: 'string',
    check: oneOf(['kubeproxy.config.k8s.io/v1alpha1'], 'must be kubeproxy.config.k8s.io/v1alpha1'),
  },
  kind: { type: 'string', check: oneOf(['KubeProxyConfiguration'], 'must be KubeProxyConfiguration') },
  mode: {
    type: 'string',
    check: oneOf(
      // userspace was removed in 1.26; the built-in kube-proxy still supports it
      ['', 'iptables', 'ipvs', 'nftables', 'userspace'],
      'must be iptables,ipvs,nftables or blank (blank means the best-available proxy [currently iptables])',
    ),
  },
  clusterCIDR: { type: 'string', check: checkClusterCIDR },
  detectLocalMode: {
    type: 'string',
    check: oneOf(
      ['', 'ClusterCIDR', 'NodeCIDR', 'BridgeInterface', 'InterfaceNamePrefix'],
      'must be ClusterCIDR,NodeCIDR,BridgeInterface,InterfaceNamePrefix or blank (blank means ClusterCIDR)',
    ),
  },
  detectLocal: {
    type: 'struct',
    fields: {
      bridgeInterface: { type: 'string', check: checkInterface },
      interfaceNamePrefix: { type: 'string', check: checkInterface },
    },
  },
  nodePortAddresses: { type: '[]string', check: checkNodePortAddresses },
  iptables: {
    type: 'struct',
    fields: {
      masqueradeBit,
      masqueradeAll: bool,
      localhostNodePorts: bool,
      syncPeriod: period,
      minSyncPeriod: timeout,
    },
  },
  ipvs: {
    type: 'struct',
    fields: {
      syncPeriod: period,
      minSyncPeriod: timeout,
      scheduler: text,
      excludeCIDRs: { type: '[]string', check: checkBlocks },
      strictARP: bool,
      tcpTimeout: timeout,
      tcpFinTimeout: timeout,
      udpTimeout: timeout,
    },
  },
  nftables: {
    type: 'struct',
    fields: { masqueradeBit, masqueradeAll: bool, syncPeriod: period, minSyncPeriod: timeout },
  },
  conntrack: {
    type: 'struct',
    fields: {
      maxPerCore: count,
      min: count,
      tcpEstablishedTimeout: timeout,
      tcpCloseWaitTimeout: timeout,
      tcpBeLiberal: bool,
      udpTimeout: timeout,
      udpStreamTimeout: timeout,
    },
  },
  hostnameOverride: text,
  bindAddress: {
    type: 'string',
    check: (value) =>
      value === '' || parseAddress(value) ? undefined : 'not a valid textual representation of an IP address',
  },
  healthzBindAddress: hostPort,
  metricsBindAddress: hostPort,
  bindAddressHardFail: bool,
  enableProfiling: bool,
  showHiddenMetricsForVersion: text,
  oomScoreAdj: { type: 'int32', check: within(-1000, 1000) },
  configSyncPeriod: period,
  portRange: {
    type: 'string',
    check: (value) =>
      value === '' || parsePortRange(value) ? undefined : 'must be a valid port range (e.g. 300-2000)',
  },
  windowsRunAsService: bool,
  featureGates: { type: 'map[string]bool' },
  clientConnection: anyObject,
  logging: anyObject,
  winkernel: anyObject,
}

function within(low: number, high: number): (value: number) => string | undefined {
  return (value) => (value >= low && value <= high ? undefined : `must be within the range [${low}, ${high}]`)
}

function oneOf(values: readonly string[], message: string): (value: string) => string | undefined {
  return (value) => (values.includes(value) ? undefined : message)
}

function checkClusterCIDR(value: string): string | undefined {
  if (value === '') return undefined
  const networks = value.split(',').map(parseNetwork)
  const dual = '(e.g. 10.100.0.0/16,fde4:8dba:82e1::/48)'
  if (networks.length > 2) return `only one CIDR allowed or a valid DualStack CIDR ${dual}`
  if (networks.length === 1) {
    return networks[0] ? undefined : 'must be a valid CIDR block (e.g. 10.100.0.0/16 or fde4:8dba:82e1::/48)'
  }
  const families = new Set(networks.map((network) => network?.family))
  return families.size === 2 && !families.has(undefined)
    ? undefined
    : `must be a valid DualStack CIDR ${dual}`
}

function checkInterface(value: string): string | undefined {
  if (value.length > 15) return 'interface name is too long'
  return /[\s/]/.test(value) ? 'must be a valid interface name' : undefined
}

function checkNodePortAddresses(values: readonly string[]): string | undefined {
  if (values.length === 1 && values[0] === 'primary') return undefined
  if (values.includes('primary')) return "can't use both 'primary' and CIDRs"
  return checkBlocks(values)
}

function checkBlocks(values: readonly string[]): string | undefined {
  return values.every(parseNetwork) ? undefined : 'must be a valid IP block'
}

function checkHostPort(value: string): string | undefined {
  const match = /^(?:\[(?<bracketed>[^\]]*)\]|(?<plain>[^:]*)):(?<port>.*)$/.exec(value)
  if (!match) return 'must be IP:port'
  const host = match.groups?.['bracketed'] ?? match.groups?.['plain'] ?? ''
  if (!parseAddress(host)) return 'must be a valid IP'
  const port = match.groups?.['port'] ?? ''
  return /^\d+$/.test(port) && Number(port) >= 1 && Number(port) <= 65535 ? undefined : 'must be a valid port'
}
