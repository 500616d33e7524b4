import { parseAddress, parseNetwork } from '../../net/address.js'
import { splitHostPort } from '../../net/socketText.js'
import { invalid, notSupported } from '../../cluster/validation/fieldErrors.js'
import type { ConfigurationProblem, KubeProxyConfiguration } from './config.js'
import { durationText } from './duration.js'
import { has } from './versions/features.js'
import { parsePortRange } from './userspace/proxyPorts.js'

type Path = readonly (string | number)[]
type Problems = ConfigurationProblem[]

const root = 'KubeProxyConfiguration'

/** The version whose hidden metrics 1.36 can show. */
const previousVersion = '1.35'

/**
 * What kube-proxy 1.36 rejects in a configuration with defaults, in its order and with its messages, which name Go fields.
 * Mirrors pkg/proxy/apis/config/validation/validation.go. Mode userspace is the only addition.
 */
export function validateConfiguration(config: KubeProxyConfiguration): Problems {
  return [
    ...masqueradeBit(config, 'iptables', 'KubeProxyIPTablesConfiguration'),
    ...(config.mode === 'ipvs' ? ipvs(config.ipvs) : []),
    ...(config.mode === 'nftables'
      ? masqueradeBit(config, 'nftables', 'KubeProxyNFTablesConfiguration')
      : []),
    ...conntrack(config.conntrack),
    ...oomScoreAdj(config),
    ...mode(config),
    ...atLeastZero(['clientConnection', 'burst'], 'ClientConnection.Burst', burst(config)),
    ...periods(config),
    ...bindAddress(config),
    ...hostPort('healthzBindAddress', 'HealthzBindAddress', config.healthzBindAddress),
    ...hostPort('metricsBindAddress', 'MetricsBindAddress', config.metricsBindAddress),
    ...portRange(config),
    ...nodePortAddresses(config),
    ...shownVersion(config),
    ...detectLocal(config),
  ]
}

function masqueradeBit(
  config: KubeProxyConfiguration,
  section: 'iptables' | 'nftables',
  goSection: string,
): Problems {
  const value = config[section].masqueradeBit
  if (value >= 0 && value <= 31) return []
  const field = `${root}.${goSection}.MasqueradeBit`
  return [invalidField([section, 'masqueradeBit'], field, value, 'must be within the range [0, 31]')]
}

function ipvs({ tcpTimeout, tcpFinTimeout, udpTimeout, excludeCIDRs }: KubeProxyConfiguration['ipvs']) {
  const section = 'KubeProxyIPVSConfiguration'
  return [
    ...notNegative(['ipvs', 'tcpTimeout'], `${section}.TCPTimeout`, tcpTimeout),
    ...notNegative(['ipvs', 'tcpFinTimeout'], `${section}.TCPFinTimeout`, tcpFinTimeout),
    ...notNegative(['ipvs', 'udpTimeout'], `${section}.UDPTimeout`, udpTimeout),
    ...notCIDRs(['ipvs', 'excludeCIDRs'], `${section}.ExcludeCidrs`, excludeCIDRs),
  ]
}

function conntrack(given: KubeProxyConfiguration['conntrack']): Problems {
  const section = 'KubeProxyLinuxConfiguration.KubeProxyConntrackConfiguration'
  return [
    ...atLeastZero(['conntrack', 'maxPerCore'], `${section}.MaxPerCore`, given.maxPerCore),
    ...atLeastZero(['conntrack', 'min'], `${section}.Min`, given.min),
    ...(['tcpEstablishedTimeout', 'tcpCloseWaitTimeout', 'udpTimeout', 'udpStreamTimeout'] as const).flatMap(
      (name) => notNegative(['conntrack', name], `${section}.${goName(name)}`, given[name]),
    ),
  ]
}

function oomScoreAdj({ oomScoreAdj: value }: KubeProxyConfiguration): Problems {
  if (value >= -1000 && value <= 1000) return []
  const field = `${root}.KubeProxyLinuxConfiguration.OOMScoreAdj`
  return [invalidField(['oomScoreAdj'], field, value, 'must be within the range [-1000, 1000]')]
}

function mode({ mode: value }: KubeProxyConfiguration): Problems {
  // userspace was removed in 1.26; the built-in kube-proxy still supports it
  if (['iptables', 'ipvs', 'nftables', 'userspace'].includes(value)) return []
  const detail =
    'must be iptables, ipvs, nftables or blank (blank means the best-available proxy [currently iptables])'
  return [invalidField(['mode'], `${root}.Mode.ProxyMode`, value, detail)]
}

function burst({ clientConnection }: KubeProxyConfiguration): number {
  return (clientConnection as { burst: number }).burst
}

/** The periods of the mode are the ones that count. */
function periods(config: KubeProxyConfiguration): Problems {
  const section = config.mode === 'ipvs' || config.mode === 'nftables' ? config.mode : 'iptables'
  const { syncPeriod, minSyncPeriod } = config[section]
  const problems: Problems = []
  if (config.configSyncPeriod <= 0)
    problems.push(invalidPeriod(['configSyncPeriod'], config.configSyncPeriod, 'must be greater than 0'))
  if (syncPeriod <= 0)
    problems.push(invalidPeriod([section, 'syncPeriod'], syncPeriod, 'must be greater than 0'))
  problems.push(...notNegative([section, 'minSyncPeriod'], 'MinSyncPeriod', minSyncPeriod))
  if (minSyncPeriod > syncPeriod) {
    const detail = `must be greater than or equal to ${root}.MinSyncPeriod`
    problems.push(invalidPeriod([section, 'syncPeriod'], minSyncPeriod, detail))
  }
  return problems
}

function invalidPeriod(path: Path, seconds: number, detail: string): ConfigurationProblem {
  return invalidField(path, `${root}.${goName(String(path.at(-1)))}`, durationText(seconds), detail)
}

function bindAddress({ bindAddress: value }: KubeProxyConfiguration): Problems {
  if (parseAddress(value) !== undefined) return []
  const detail = 'not a valid textual representation of an IP address'
  return [invalidField(['bindAddress'], `${root}.BindAddress`, value, detail)]
}

function hostPort(name: string, goField: string, text: string): Problems {
  const wrong = (value: string, detail: string) => invalidField([name], `${root}.${goField}`, value, detail)
  const split = splitHostPort(text)
  if (split === undefined) return [wrong(text, 'must be IP:port')]
  const { host, port } = split
  const isPort = /^[+-]?\d+$/.test(port) && Number(port) >= 1 && Number(port) <= 65535
  return [
    ...(parseAddress(host) === undefined ? [wrong(host, 'must be a valid IP')] : []),
    ...(isPort ? [] : [wrong(port, 'must be a valid port')]),
  ]
}

/** kube-proxy has ignored it since it has no mode userspace. */
function portRange({ mode: proxyMode, portRange: value }: KubeProxyConfiguration): Problems {
  if (proxyMode !== 'userspace' || value === '' || parsePortRange(value) !== undefined) return []
  const detail = 'must be a valid port range (e.g. 300-2000)'
  return [invalidField(['portRange'], `${root}.PortRange`, value, detail)]
}

function nodePortAddresses({ nodePortAddresses: values, version }: KubeProxyConfiguration): Problems {
  const path = ['nodePortAddresses']
  if (has(version, 'nodePortKeywords')) {
    const isKeyword = (value: string) => ['primary', 'localhost', 'all'].includes(value)
    return values.flatMap((value, index) =>
      isKeyword(value) || parseNetwork(value) !== undefined
        ? []
        : [
            invalidField(
              [...path, index],
              `${root}.NodePortAddresses[${index}]`,
              value,
              'must be a valid CIDR',
            ),
          ],
    )
  }
  const primary = values.indexOf('primary')
  if (primary === -1) return notCIDRs(path, 'NodePortAddresses', values)
  const wrong = notCIDRs(path, 'NodePortAddresses', values.slice(0, primary))
  if (values.length === 1) return wrong
  const field = `${root}.NodePortAddresses[${primary}]`
  return [...wrong, invalidField([...path, primary], field, 'primary', "can't use both 'primary' and CIDRs")]
}

function notCIDRs(path: Path, goField: string, values: readonly string[]): Problems {
  return values.flatMap((value, index) =>
    parseNetwork(value) !== undefined
      ? []
      : [invalidField([...path, index], `${root}.${goField}[${index}]`, value, 'must be a valid CIDR')],
  )
}

function shownVersion({ showHiddenMetricsForVersion: value }: KubeProxyConfiguration): Problems {
  if (value === '' || value === previousVersion) return []
  const detail = `must be omitted or have the value '${previousVersion}'; only the previous minor version is allowed`
  const name = 'showHiddenMetricsForVersion'
  const inner = `invalid ${name}: ${invalidField([name], name, value, detail).message}`
  return [invalidField([name], `${root}.${goName(name)}`, value, inner)]
}

function detectLocal({ detectLocalMode, detectLocal: given, clusterCIDR }: KubeProxyConfiguration): Problems {
  const section = `${root}.DetectLocalConfiguration`
  const notEmpty = (name: 'bridgeInterface' | 'interfaceNamePrefix', goField: string) =>
    given[name] === ''
      ? [invalidField(['detectLocal', name], `${section}.${goField}`, '', 'must not be empty')]
      : []
  switch (detectLocalMode) {
    case 'ClusterCIDR':
      return clusterCIDR === '' ? [] : clusterCIDRs(clusterCIDR.split(','), `${section}.ClusterCIDRs`)
    case 'NodeCIDR':
      return []
    case 'BridgeInterface':
      return notEmpty('bridgeInterface', 'InterfaceName')
    case 'InterfaceNamePrefix':
      return notEmpty('interfaceNamePrefix', 'InterfacePrefix')
    default: {
      const supported = ['ClusterCIDR', 'NodeCIDR', 'BridgeInterface', 'InterfaceNamePrefix', '']
      const { message, hint } = notSupported([`${root}.DetectLocalMode`], detectLocalMode, supported)
      return [{ path: ['detectLocalMode'], message, hint }]
    }
  }
}

function clusterCIDRs(cidrs: readonly string[], field: string): Problems {
  const path = ['clusterCIDR']
  const pair =
    'must be a either a single CIDR or dual-stack pair of CIDRs (e.g. [10.100.0.0/16, fde4:8dba:82e1::/48]'
  if (cidrs.length > 2) return [invalidField(path, field, cidrs, pair)]
  const networks = cidrs.map(parseNetwork)
  const detail = 'must be a valid CIDR block (e.g. 10.100.0.0/16 or fde4:8dba:82e1::/48)'
  const wrong = cidrs.flatMap((cidr, index) =>
    networks[index] === undefined ? [invalidField(path, `${field}[${index}]`, cidr, detail)] : [],
  )
  const [first, second] = networks
  const isPair = second === undefined || first === undefined || first.family !== second.family
  return isPair ? wrong : [...wrong, invalidField(path, field, cidrs, pair)]
}

function notNegative(path: Path, goField: string, seconds: number): Problems {
  if (seconds >= 0) return []
  const detail = 'must be greater than or equal to 0'
  return [invalidField(path, `${root}.${goField}`, durationText(seconds), detail)]
}

function atLeastZero(path: Path, goField: string, value: number): Problems {
  if (value >= 0) return []
  return [invalidField(path, `${root}.${goField}`, value, 'must be greater than or equal to 0')]
}

/** `udpTimeout` as `UDPTimeout`, as Go spells it. */
function goName(name: string): string {
  return name
    .replace(/^(?:tcp|udp)/, (protocol) => protocol.toUpperCase())
    .replace(/^[a-z]/, (letter) => letter.toUpperCase())
}

/** An error at a Go field; its position is that of the field in YAML. */
function invalidField(path: Path, field: string, value: unknown, detail: string): ConfigurationProblem {
  return { path, message: invalid([field], value, detail).message }
}
