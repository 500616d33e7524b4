import t from 'tap'
import { defaultConfiguration } from '../../../src/agents/kubeProxy/configDefaults.js'
import { parseKubeProxyConfiguration } from '../../../src/agents/kubeProxy/parseConfig.js'

t.test('unset fields have defaults', (t) => {
  const lines = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: '',
    iptables: null,
  }
  t.same(parseKubeProxyConfiguration(lines), { config: defaultConfiguration, problems: [], notices: [] })
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

t.test('fields without their zero value get the default', (t) => {
  const { config } = parseKubeProxyConfiguration({
    bindAddress: '::',
    healthzBindAddress: '127.0.0.1',
    iptables: { minSyncPeriod: '0s' },
    ipvs: { minSyncPeriod: '0s', syncPeriod: '0s' },
    nftables: { minSyncPeriod: '0s' },
  })
  t.match(config, {
    healthzBindAddress: '127.0.0.1:10256',
    metricsBindAddress: '[::1]:10249',
    iptables: { minSyncPeriod: 1 },
    ipvs: { minSyncPeriod: 0, syncPeriod: 30 },
    nftables: { minSyncPeriod: 1 },
  })
  t.end()
})

t.test('the configuration is usable whatever was written', (t) => {
  t.same(parseKubeProxyConfiguration({ iptables: { masqueradeBit: 99 } }).config, defaultConfiguration)
  t.end()
})
