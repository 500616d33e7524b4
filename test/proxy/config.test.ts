import t from 'tap'
import { defaultConfiguration } from '../../src/proxy/configDefaults.js'
import { parseKubeProxyConfiguration } from '../../src/proxy/parseConfig.js'

t.test('unset fields have defaults', (t) => {
  const lines = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: '',
    iptables: null,
  }
  t.same(parseKubeProxyConfiguration(lines), { config: defaultConfiguration, problems: [] })
  t.end()
})

t.test('a field replaces its default and nothing else', (t) => {
  const { config, problems } = parseKubeProxyConfiguration({
    clusterCIDR: '10.244.0.0/16,fd00:244::/48',
    iptables: { masqueradeAll: true, syncPeriod: '1m30s' },
    conntrack: { tcpBeLiberal: true, tcpEstablishedTimeout: '0s' },
    featureGates: { AllowServiceExternalIPs: false },
  })
  t.same(problems, [])
  t.same(config.iptables, { ...defaultConfiguration.iptables, masqueradeAll: true, syncPeriod: 90 })
  t.match(config.conntrack, { tcpBeLiberal: true, tcpEstablishedTimeout: 0, tcpCloseWaitTimeout: 3600 })
  t.match(config, {
    clusterCIDR: '10.244.0.0/16,fd00:244::/48',
    featureGates: { AllowServiceExternalIPs: false },
  })
  t.end()
})

t.test('an IPv6 bindAddress moves the health check address', (t) => {
  t.equal(parseKubeProxyConfiguration({ bindAddress: '::' }).config.healthzBindAddress, '[::]:10256')
  t.end()
})

t.test('invalid fields are reported with their path and keep the default', (t) => {
  for (const [raw, path, message, hint] of [
    [{ iptbles: {} }, 'iptbles', 'unknown field "iptbles"', 'did you mean "iptables"?'],
    [
      { iptables: { masqeradeBit: 1 } },
      'iptables.masqeradeBit',
      'unknown field "iptables.masqeradeBit"',
      'did you mean "masqueradeBit"?',
    ],
    [
      { iptables: { masqueradeBit: 32 } },
      'iptables.masqueradeBit',
      'Invalid value: 32: must be within the range [0, 31]',
    ],
    [
      { iptables: { masqueradeBit: '14' } },
      'iptables.masqueradeBit',
      'json: cannot unmarshal string into Go struct field KubeProxyConfiguration.iptables.masqueradeBit of type int32',
    ],
    [
      { iptables: { syncPeriod: '-1s' } },
      'iptables.syncPeriod',
      'Invalid value: "-1s": must be greater than 0',
    ],
    [
      { iptables: { syncPeriod: 'soon' } },
      'iptables.syncPeriod',
      'Invalid value: "soon": time: invalid duration',
    ],
    [
      { iptables: { minSyncPeriod: '31s' } },
      'iptables.syncPeriod',
      'Invalid value: "30s": must be greater than or equal to iptables.minSyncPeriod',
    ],
    [
      { clusterCIDR: '10.0.0.0' },
      'clusterCIDR',
      'Invalid value: "10.0.0.0": must be a valid CIDR block (e.g. 10.100.0.0/16 or fde4:8dba:82e1::/48)',
    ],
    [
      { clusterCIDR: '10.0.0.0/8,11.0.0.0/8' },
      'clusterCIDR',
      'Invalid value: "10.0.0.0/8,11.0.0.0/8": must be a valid DualStack CIDR (e.g. 10.100.0.0/16,fde4:8dba:82e1::/48)',
    ],
    [
      { nodePortAddresses: ['primary', '10.0.0.0/8'] },
      'nodePortAddresses',
      `Invalid value: ["primary","10.0.0.0/8"]: can't use both 'primary' and CIDRs`,
    ],
    [
      { mode: 'kernelspace' },
      'mode',
      'Invalid value: "kernelspace": must be iptables,ipvs,nftables or blank (blank means the best-available proxy [currently iptables])',
    ],
    [
      { bindAddress: 'localhost' },
      'bindAddress',
      'Invalid value: "localhost": not a valid textual representation of an IP address',
    ],
    [{ healthzBindAddress: '0.0.0.0' }, 'healthzBindAddress', 'Invalid value: "0.0.0.0": must be IP:port'],
    [{ oomScoreAdj: -1001 }, 'oomScoreAdj', 'Invalid value: -1001: must be within the range [-1000, 1000]'],
    [
      { detectLocalMode: 'BridgeInterface' },
      'detectLocal.bridgeInterface',
      'Required value: detectLocalMode BridgeInterface needs the name of the bridge',
    ],
    [
      { iptables: [] },
      'iptables',
      'json: cannot unmarshal array into Go struct field KubeProxyConfiguration.iptables of type object',
    ],
  ] as const) {
    const { problems, config } = parseKubeProxyConfiguration(raw)
    t.same(
      problems.map((problem) => ({ ...problem, path: problem.path.join('.') })),
      [hint === undefined ? { path, message } : { path, message, hint }],
    )
    t.ok(config.iptables.masqueradeBit === 14, 'the configuration is usable whatever was written')
  }
  t.end()
})
