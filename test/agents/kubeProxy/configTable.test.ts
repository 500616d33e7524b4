import t from 'tap'
import { parse } from 'yaml'
import { parseKubeProxyConfiguration } from '../../../src/agents/kubeProxy/parseConfig.js'

/** YAML, and the errors of kube-proxy 1.36, one per line; a case without an error is accepted. */
type Case = readonly [yaml: string, error?: string, at?: string]

const decoding = 'failed complete: failed to decode: '
const validation = 'failed validate: KubeProxyConfiguration.'
const linux = `${validation}KubeProxyLinuxConfiguration.`
const conntrack = `${linux}KubeProxyConntrackConfiguration.`
const detect = `${validation}DetectLocalConfiguration.`
const notNegative = 'must be greater than or equal to 0'
const bit = 'must be within the range [0, 31]'
const lessThanMin = 'must be greater than or equal to KubeProxyConfiguration.MinSyncPeriod'
const cidr = 'must be a valid CIDR block (e.g. 10.100.0.0/16 or fde4:8dba:82e1::/48)'
const pair =
  'must be a either a single CIDR or dual-stack pair of CIDRs (e.g. [10.100.0.0/16, fde4:8dba:82e1::/48]'

const groups: Readonly<Record<string, readonly Case[]>> = {
  // cmd/kube-proxy/app/options.go (loadConfig): strict errors lead to a lenient reading
  'unknown fields are ignored': [
    ['iptbles: {}'],
    ['Mode: ipvs'],
    ['iptables: { masqeradeBit: 99 }'],
    ['udpIdleTimeout: 250ms'],
    ['conntrack: { max: -1 }'],
  ],
  // sigs.k8s.io/json, staging/src/k8s.io/kube-proxy/config/v1alpha1/types.go
  types: [
    [
      'iptables: { masqueradeBit: "14" }',
      `${decoding}json: cannot unmarshal string into Go struct field KubeProxyIPTablesConfiguration.iptables.masqueradeBit of type int32`,
      'iptables.masqueradeBit',
    ],
    [
      'iptables: { masqueradeBit: 14.5 }',
      `${decoding}json: cannot unmarshal number 14.5 into Go struct field KubeProxyIPTablesConfiguration.iptables.masqueradeBit of type int32`,
    ],
    [
      'oomScoreAdj: 99999999999',
      `${decoding}json: cannot unmarshal number 99999999999 into Go struct field KubeProxyConfiguration.oomScoreAdj of type int32`,
    ],
    [
      'iptables: []',
      `${decoding}json: cannot unmarshal array into Go struct field KubeProxyConfiguration.iptables of type v1alpha1.KubeProxyIPTablesConfiguration`,
    ],
    [
      'hostnameOverride: 1',
      `${decoding}json: cannot unmarshal number into Go struct field KubeProxyConfiguration.hostnameOverride of type string`,
    ],
    [
      'mode: true',
      `${decoding}json: cannot unmarshal bool into Go struct field KubeProxyConfiguration.mode of type v1alpha1.ProxyMode`,
    ],
    [
      'nodePortAddresses: 10.0.0.0/8',
      `${decoding}json: cannot unmarshal string into Go struct field KubeProxyConfiguration.nodePortAddresses of type []string`,
    ],
    [
      'ipvs: { strictARP: "true" }',
      `${decoding}json: cannot unmarshal string into Go struct field KubeProxyIPVSConfiguration.ipvs.strictARP of type bool`,
    ],
    [
      'featureGates: { AllAlpha: "true" }',
      `${decoding}json: cannot unmarshal string into Go struct field KubeProxyConfiguration.featureGates of type bool`,
    ],
    [
      'clientConnection: { burst: "10" }',
      `${decoding}json: cannot unmarshal string into Go struct field ClientConnectionConfiguration.clientConnection.burst of type int32`,
    ],
    [
      'apiVersion: kubeproxy.config.k8s.io/v1beta1',
      `${decoding}no kind "KubeProxyConfiguration" is registered for version "kubeproxy.config.k8s.io/v1beta1"`,
    ],
    [
      'kind: KubeletConfiguration',
      `${decoding}no kind "KubeletConfiguration" is registered for version "kubeproxy.config.k8s.io/v1alpha1"`,
    ],
    ['kind: KubeProxyConfiguration\napiVersion: kubeproxy.config.k8s.io/v1alpha1'],
    ['nodePortAddresses: null\niptables: null\nmode: null'],
    ['iptables: { masqueradeBit: null, localhostNodePorts: null }\nwinkernel: { networkName: x }'],
  ],
  // apimachinery/pkg/apis/meta/v1/duration.go, Go's time.ParseDuration
  durations: [
    [
      'iptables: { syncPeriod: 10 }',
      `${decoding}json: cannot unmarshal number into Go struct field KubeProxyIPTablesConfiguration.iptables.syncPeriod of type string`,
      'iptables.syncPeriod',
    ],
    [
      'iptables: { syncPeriod: "10" }',
      `${decoding}time: missing unit in duration "10"`,
      'iptables.syncPeriod',
    ],
    ['iptables: { syncPeriod: soon }', `${decoding}time: invalid duration "soon"`],
    ['iptables: { syncPeriod: "" }', `${decoding}time: invalid duration ""`],
    ['iptables: { syncPeriod: null }', `${decoding}time: invalid duration ""`],
    ['configSyncPeriod: 1d', `${decoding}time: unknown unit "d" in duration "1d"`],
    ['configSyncPeriod: 1 s', `${decoding}time: unknown unit " s" in duration "1 s"`],
    ['configSyncPeriod: 300000000h', `${decoding}time: invalid duration "300000000h"`],
    ['conntrack: { udpTimeout: null }', `${decoding}time: invalid duration ""`],
    ['conntrack: { tcpEstablishedTimeout: null, tcpCloseWaitTimeout: null }'],
    ['iptables: { syncPeriod: 1h15m30.5s, minSyncPeriod: +2s }'],
    ['iptables: { syncPeriod: 1.5h, minSyncPeriod: .5s }'],
    ['iptables: { syncPeriod: 2000000us, minSyncPeriod: 1000000000ns }'],
  ],
  // pkg/proxy/apis/config/v1alpha1/defaults.go: a zero is an unset period
  'sync periods': [
    [
      'iptables: { syncPeriod: 500ms, minSyncPeriod: 0s }',
      `${validation}SyncPeriod: Invalid value: "1s": ${lessThanMin}`,
      'iptables.syncPeriod',
    ],
    ['iptables: { syncPeriod: 500ms }', `${validation}SyncPeriod: Invalid value: "1s": ${lessThanMin}`],
    ['iptables: { syncPeriod: 500ms, minSyncPeriod: 500ms }'],
    ['iptables: { syncPeriod: 0s }'],
    [
      'iptables: { syncPeriod: -1s }',
      `${validation}SyncPeriod: Invalid value: "-1s": must be greater than 0\n${validation}SyncPeriod: Invalid value: "1s": ${lessThanMin}`,
    ],
    ['iptables: { minSyncPeriod: -1s }', `${validation}MinSyncPeriod: Invalid value: "-1s": ${notNegative}`],
    ['iptables: { minSyncPeriod: 31s }', `${validation}SyncPeriod: Invalid value: "31s": ${lessThanMin}`],
    ['iptables: { minSyncPeriod: 90s }', `${validation}SyncPeriod: Invalid value: "1m30s": ${lessThanMin}`],
    ['mode: ipvs\nipvs: { syncPeriod: 500ms }'],
    ['mode: ipvs\niptables: { syncPeriod: 500ms }'],
    [
      'mode: ipvs\nipvs: { syncPeriod: 500ms, minSyncPeriod: 1s }',
      `${validation}SyncPeriod: Invalid value: "1s": ${lessThanMin}`,
      'ipvs.syncPeriod',
    ],
    ['ipvs: { syncPeriod: -1s }'],
    [
      'mode: nftables\nnftables: { syncPeriod: 500ms }',
      `${validation}SyncPeriod: Invalid value: "1s": ${lessThanMin}`,
      'nftables.syncPeriod',
    ],
    ['mode: nftables\niptables: { syncPeriod: -1s }'],
    ['configSyncPeriod: 0s'],
    ['configSyncPeriod: -1s', `${validation}ConfigSyncPeriod: Invalid value: "-1s": must be greater than 0`],
  ],
  // pkg/proxy/apis/config/validation/validation.go
  'sections of the modes': [
    ['iptables: { masqueradeBit: 0 }'],
    ['iptables: { masqueradeBit: 31 }'],
    [
      'iptables: { masqueradeBit: 32 }',
      `${validation}KubeProxyIPTablesConfiguration.MasqueradeBit: Invalid value: 32: ${bit}`,
      'iptables.masqueradeBit',
    ],
    [
      'mode: ipvs\niptables: { masqueradeBit: -1 }',
      `${validation}KubeProxyIPTablesConfiguration.MasqueradeBit: Invalid value: -1: ${bit}`,
    ],
    ['nftables: { masqueradeBit: 32 }'],
    [
      'mode: nftables\nnftables: { masqueradeBit: 32 }',
      `${validation}KubeProxyNFTablesConfiguration.MasqueradeBit: Invalid value: 32: ${bit}`,
    ],
    ['mode: iptables'],
    ['mode: ""'],
    [
      'mode: kernelspace',
      `${validation}Mode.ProxyMode: Invalid value: "kernelspace": must be iptables, ipvs, nftables or blank (blank means the best-available proxy [currently iptables])`,
      'mode',
    ],
    [
      'mode: IPVS',
      `${validation}Mode.ProxyMode: Invalid value: "IPVS": must be iptables, ipvs, nftables or blank (blank means the best-available proxy [currently iptables])`,
    ],
    ['ipvs: { tcpTimeout: -1s, excludeCIDRs: [x] }'],
    [
      'mode: ipvs\nipvs: { tcpTimeout: -1s }',
      `${validation}KubeProxyIPVSConfiguration.TCPTimeout: Invalid value: "-1s": ${notNegative}`,
    ],
    [
      'mode: ipvs\nipvs: { tcpFinTimeout: -1m }',
      `${validation}KubeProxyIPVSConfiguration.TCPFinTimeout: Invalid value: "-1m0s": ${notNegative}`,
    ],
    [
      'mode: ipvs\nipvs: { udpTimeout: -1ms }',
      `${validation}KubeProxyIPVSConfiguration.UDPTimeout: Invalid value: "-1ms": ${notNegative}`,
    ],
    [
      'mode: ipvs\nipvs: { excludeCIDRs: [10.0.0.0/8, x] }',
      `${validation}KubeProxyIPVSConfiguration.ExcludeCidrs[1]: Invalid value: "x": must be a valid CIDR`,
      'ipvs.excludeCIDRs.1',
    ],
    ['mode: ipvs\nipvs: { scheduler: no-such }'],
  ],
  'conntrack and the process': [
    ['conntrack: { maxPerCore: -1 }', `${conntrack}MaxPerCore: Invalid value: -1: ${notNegative}`],
    ['conntrack: { min: -1 }', `${conntrack}Min: Invalid value: -1: ${notNegative}`, 'conntrack.min'],
    [
      'conntrack: { tcpEstablishedTimeout: -24h }',
      `${conntrack}TCPEstablishedTimeout: Invalid value: "-24h0m0s": ${notNegative}`,
    ],
    [
      'conntrack: { tcpCloseWaitTimeout: -1h }',
      `${conntrack}TCPCloseWaitTimeout: Invalid value: "-1h0m0s": ${notNegative}`,
    ],
    ['conntrack: { udpTimeout: -1s }', `${conntrack}UDPTimeout: Invalid value: "-1s": ${notNegative}`],
    [
      'conntrack: { udpStreamTimeout: -1s }',
      `${conntrack}UDPStreamTimeout: Invalid value: "-1s": ${notNegative}`,
    ],
    ['conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s }'],
    ['oomScoreAdj: -1000'],
    ['oomScoreAdj: 1001', `${linux}OOMScoreAdj: Invalid value: 1001: must be within the range [-1000, 1000]`],
    [
      'clientConnection: { burst: -1 }',
      `${validation}ClientConnection.Burst: Invalid value: -1: ${notNegative}`,
      'clientConnection.burst',
    ],
    ['clientConnection: { burst: 0, qps: 0.5 }'],
    ['portRange: no-range'],
    ['windowsRunAsService: true'],
    ['showHiddenMetricsForVersion: "1.35"'],
    [
      'showHiddenMetricsForVersion: "1.2"',
      `${validation}ShowHiddenMetricsForVersion: Invalid value: "1.2": invalid showHiddenMetricsForVersion: showHiddenMetricsForVersion: Invalid value: "1.2": must be omitted or have the value '1.35'; only the previous minor version is allowed`,
    ],
  ],
  // the same file, and pkg/proxy/util/utils.go (AppendPortIfNeeded)
  addresses: [
    [
      'bindAddress: localhost',
      `${validation}BindAddress: Invalid value: "localhost": not a valid textual representation of an IP address`,
    ],
    ['bindAddress: 010.0.0.1'],
    ['bindAddress: "::"'],
    ['healthzBindAddress: 0.0.0.0'],
    ['healthzBindAddress: "::1"'],
    [
      'healthzBindAddress: "::ffff:1.2.3.4"',
      'failed validate: KubeProxyConfiguration.HealthzBindAddress: Invalid value: "::ffff:1.2.3.4:10256": must be IP:port',
    ],
    [
      'healthzBindAddress: localhost',
      `${validation}HealthzBindAddress: Invalid value: "localhost": must be IP:port`,
    ],
    [
      'healthzBindAddress: localhost:80',
      `${validation}HealthzBindAddress: Invalid value: "localhost": must be a valid IP`,
    ],
    [
      'healthzBindAddress: ":10256"',
      `${validation}HealthzBindAddress: Invalid value: "": must be a valid IP`,
    ],
    [
      'healthzBindAddress: "[::1]"',
      `${validation}HealthzBindAddress: Invalid value: "[::1]": must be IP:port`,
    ],
    [
      'metricsBindAddress: 127.0.0.1:0',
      `${validation}MetricsBindAddress: Invalid value: "0": must be a valid port`,
    ],
    [
      'metricsBindAddress: 127.0.0.1:http',
      `${validation}MetricsBindAddress: Invalid value: "http": must be a valid port`,
    ],
    [
      'metricsBindAddress: 127.0.0.1:65536',
      `${validation}MetricsBindAddress: Invalid value: "65536": must be a valid port`,
    ],
    ['metricsBindAddress: "[::1]:9000"'],
    ['nodePortAddresses: [primary]'],
    ['nodePortAddresses: [10.0.0.0/8, "fd00::/8"]'],
    [
      'nodePortAddresses: [10.0.0.0/8, 10.0.0.1]',
      `${validation}NodePortAddresses[1]: Invalid value: "10.0.0.1": must be a valid CIDR`,
      'nodePortAddresses.1',
    ],
    [
      'nodePortAddresses: [primary, 10.0.0.0/8]',
      `${validation}NodePortAddresses[0]: Invalid value: "primary": can't use both 'primary' and CIDRs`,
    ],
    [
      'nodePortAddresses: [10.0.0.0/8, primary]',
      `${validation}NodePortAddresses[1]: Invalid value: "primary": can't use both 'primary' and CIDRs`,
    ],
  ],
  'local traffic': [
    ['clusterCIDR: 10.0.0.0', `${detect}ClusterCIDRs[0]: Invalid value: "10.0.0.0": ${cidr}`, 'clusterCIDR'],
    ['clusterCIDR: 10.0.0.0/8,x', `${detect}ClusterCIDRs[1]: Invalid value: "x": ${cidr}`],
    [
      'clusterCIDR: 10.0.0.0/8,11.0.0.0/8',
      `${detect}ClusterCIDRs: Invalid value: ["10.0.0.0/8","11.0.0.0/8"]: ${pair}`,
    ],
    [
      'clusterCIDR: 10.0.0.0/8,fd00::/8,11.0.0.0/8',
      `${detect}ClusterCIDRs: Invalid value: ["10.0.0.0/8","fd00::/8","11.0.0.0/8"]: ${pair}`,
    ],
    ['clusterCIDR: fd00::/8,10.0.0.0/8'],
    ['clusterCIDR: ""'],
    ['detectLocalMode: NodeCIDR\nclusterCIDR: x'],
    [
      'detectLocalMode: BridgeInterface',
      `${detect}InterfaceName: Invalid value: "": must not be empty`,
      'detectLocal.bridgeInterface',
    ],
    ['detectLocalMode: BridgeInterface\ndetectLocal: { bridgeInterface: a/name-that-is-too-long }'],
    [
      'detectLocalMode: InterfaceNamePrefix',
      `${detect}InterfacePrefix: Invalid value: "": must not be empty`,
    ],
    ['detectLocalMode: InterfaceNamePrefix\ndetectLocal: { interfaceNamePrefix: veth }'],
    [
      'detectLocalMode: nodeCIDR',
      `${validation}DetectLocalMode: Unsupported value: "nodeCIDR": supported values: "ClusterCIDR", "NodeCIDR", "BridgeInterface", "InterfaceNamePrefix", ""`,
    ],
  ],
  // component-base/featuregate (SetFromMap), component-base/logs/api/v1/options.go (Validate)
  'feature gates and logging': [
    [
      'featureGates: { NoSuchGate: true }',
      'failed complete: unrecognized feature gate: NoSuchGate',
      'featureGates.NoSuchGate',
    ],
    ['featureGates: { AllowServiceExternalIPs: false, AllAlpha: true }'],
    ['featureGates: { PreferSameTrafficDistribution: true }'],
    [
      'featureGates: { PreferSameTrafficDistribution: false }',
      'failed complete: cannot set feature gate PreferSameTrafficDistribution to false, feature is locked to true',
    ],
    ['logging: { format: json, verbosity: 4 }'],
    [
      'logging: { format: xml }',
      'initialize logging: logging.format: Invalid value: "xml": Unsupported log format',
    ],
    [
      'logging: { options: { json: { splitStream: true } } }',
      'initialize logging: logging.options.json.splitStream: Forbidden: Feature LoggingAlphaOptions is disabled',
    ],
    [
      'logging: { options: { text: { splitStream: true, infoBufferSize: 1Ki } } }',
      'initialize logging: logging.options.text.splitStream: Forbidden: Feature LoggingAlphaOptions is disabled\ninitialize logging: logging.options.text.infoBufferSize: Forbidden: Feature LoggingAlphaOptions is disabled',
    ],
    [
      'featureGates: { LoggingAlphaOptions: true }\nlogging: { options: { text: { splitStream: true }, json: { infoBufferSize: 1Ki } } }',
    ],
    [
      'logging: { options: { json: { infoBufferSize: x } } }',
      "failed complete: failed to decode: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      'logging: { format: json, vmodule: [{ filePattern: a, verbosity: 1 }] }',
      'initialize logging: logging.vmodule: Forbidden: Only supported for text log format',
    ],
    [
      'logging: { vmodule: [{ verbosity: 1 }, { filePattern: "a=b" }, { filePattern: a, verbosity: 4294967295 }] }',
      [
        'logging.vmodule[0]: Required value: File pattern must not be empty',
        'logging.vmodule[1]: Invalid value: "a=b": File pattern must not contain equal sign or comma',
        'logging.vmodule[2]: Invalid value: 4294967295: Must be <= 2147483647',
      ]
        .map((line) => `initialize logging: ${line}`)
        .join('\n'),
      'logging.vmodule.0',
    ],
    [
      'logging: { verbosity: 2147483648 }',
      'initialize logging: logging.verbosity: Invalid value: 2147483648: Must be <= 2147483647',
    ],
    [
      'logging: { verbosity: -1 }',
      'failed complete: failed to decode: json: cannot unmarshal number -1 into Go struct field LoggingConfiguration.logging.verbosity of type v1.VerbosityLevel',
    ],
    [
      'logging: { flushFrequency: 5x }',
      'failed complete: failed to decode: time: unknown unit "x" in duration "5x"',
      'logging.flushFrequency',
    ],
    ['logging: { flushFrequency: 5s }'],
    ['logging: { flushFrequency: 5000000000 }'],
    [
      'clientConnection: { qps: a }',
      'failed complete: failed to decode: json: cannot unmarshal string into Go struct field ClientConnectionConfiguration.clientConnection.qps of type float32',
    ],
    ['clientConnection: { qps: 0.5 }'],
  ],
}

for (const [name, cases] of Object.entries(groups)) {
  t.test(name, (t) => {
    for (const [yaml, error, at] of cases) {
      const { problems } = parseKubeProxyConfiguration(parse(yaml) as Record<string, unknown>)
      t.same(
        problems.map(({ message }) => message),
        error === undefined ? [] : error.split('\n'),
        yaml,
      )
      if (at !== undefined) t.equal(problems[0]?.path.join('.'), at, `${yaml}: its place`)
    }
    t.end()
  })
}

t.test('unknown fields are notices', (t) => {
  const { notices } = parseKubeProxyConfiguration({ iptables: { masqeradeBit: 1 } })
  t.same(notices, [
    {
      path: ['iptables', 'masqeradeBit'],
      message: 'strict decoding error: unknown field "iptables.masqeradeBit"',
      hint: 'did you mean "masqueradeBit"?',
    },
  ])
  t.end()
})

t.test('a stage runs only if the stages before it found nothing', (t) => {
  const stages = {
    iptables: { masqueradeBit: 'x' },
    featureGates: { NoSuchGate: true },
    bindAddress: 'localhost',
    configSyncPeriod: '-1s',
  }
  const messages = (raw: Readonly<Record<string, unknown>>) =>
    parseKubeProxyConfiguration(raw).problems.map(({ message }) => message.split(':', 1)[0])
  t.same(messages(stages), ['failed complete'])
  t.same(messages({ ...stages, iptables: {}, featureGates: {} }), ['failed validate', 'failed validate'])
  t.end()
})

t.test('at least 80 configurations', (t) => {
  t.ok(Object.values(groups).flat().length >= 80)
  t.end()
})
