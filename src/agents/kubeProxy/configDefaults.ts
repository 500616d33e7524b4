import { parseAddress } from '../../net/address.js'
import type { KubeProxyConfiguration } from './config.js'
import { defaultVersion } from './versions/version.js'
import { joinHostPort, splitHostPort } from '../../net/socketText.js'

type Fields = Readonly<Record<string, unknown>>

const healthzPort = 10256
const metricsPort = 10249

/** kube-proxy's default configuration, without what depends on other fields. */
const plainDefaults = {
  version: defaultVersion,
  mode: 'iptables',
  clusterCIDR: '',
  detectLocalMode: 'ClusterCIDR',
  detectLocal: { bridgeInterface: '', interfaceNamePrefix: '' },
  nodePortAddresses: [],
  iptables: {
    masqueradeBit: 14,
    masqueradeAll: false,
    localhostNodePorts: true,
    syncPeriod: 30,
    minSyncPeriod: 1,
  },
  ipvs: {
    syncPeriod: 30,
    minSyncPeriod: 0,
    scheduler: '',
    excludeCIDRs: [],
    strictARP: false,
    tcpTimeout: 0,
    tcpFinTimeout: 0,
    udpTimeout: 0,
  },
  nftables: { masqueradeBit: 14, masqueradeAll: false, syncPeriod: 30, minSyncPeriod: 1 },
  conntrack: {
    maxPerCore: 32768,
    min: 131072,
    tcpEstablishedTimeout: 86400,
    tcpCloseWaitTimeout: 3600,
    tcpBeLiberal: false,
    udpTimeout: 0,
    udpStreamTimeout: 0,
  },
  hostnameOverride: '',
  bindAddress: '0.0.0.0',
  healthzBindAddress: '',
  metricsBindAddress: '',
  bindAddressHardFail: false,
  enableProfiling: false,
  showHiddenMetricsForVersion: '',
  oomScoreAdj: -999,
  configSyncPeriod: 900,
  portRange: '',
  windowsRunAsService: false,
  featureGates: {},
  clientConnection: { burst: 10 },
  logging: { format: 'text' },
  winkernel: {},
}

/** Fields whose zero value is replaced by the default: kube-proxy cannot distinguish it from an unset field. */
const zeroMeansUnset: Fields = {
  mode: true,
  detectLocalMode: true,
  bindAddress: true,
  configSyncPeriod: true,
  iptables: { syncPeriod: true, minSyncPeriod: true },
  ipvs: { syncPeriod: true },
  nftables: { syncPeriod: true, minSyncPeriod: true },
  clientConnection: { burst: true },
  logging: { format: true },
}

/** Fills in the defaults of decoded fields; mirrors SetDefaults_KubeProxyConfiguration and platformApplyDefaults. */
export function withDefaults(written: Fields): KubeProxyConfiguration {
  const config = merge(plainDefaults, written, zeroMeansUnset) as unknown as KubeProxyConfiguration
  const overIPv4 = parseAddress(config.bindAddress)?.family === 'IPv4'
  return {
    ...config,
    healthzBindAddress: withPort(config.healthzBindAddress || (overIPv4 ? '0.0.0.0' : '::'), healthzPort),
    metricsBindAddress: withPort(config.metricsBindAddress || (overIPv4 ? '127.0.0.1' : '::1'), metricsPort),
  }
}

/** kube-proxy's default configuration. */
export const defaultConfiguration: KubeProxyConfiguration = withDefaults({})

/** Adds the port to an address without one; mirrors AppendPortIfNeeded. */
function withPort(text: string, port: number): string {
  if (splitHostPort(text) !== undefined) return text
  const family = parseAddress(text)?.family
  if (family === undefined) return text
  // an IPv4-mapped address gets no brackets, and is then invalid
  return family === 'IPv4' ? `${text}:${port}` : joinHostPort(text, port)
}

function merge(defaults: Fields, written: Fields, unset: Fields): Fields {
  const result: Record<string, unknown> = { ...defaults }
  for (const [name, value] of Object.entries(written)) {
    const base = result[name]
    if (isFields(base) && isFields(value)) {
      const inner = unset[name]
      result[name] = merge(base, value, isFields(inner) ? inner : {})
    } else if (unset[name] !== true || (value !== '' && value !== 0)) result[name] = value
  }
  return result
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
