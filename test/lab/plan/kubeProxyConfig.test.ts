import t, { type Test } from 'tap'
import { InputError } from '../../../src/errors.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'

const header = 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n'

/** A lab whose cluster has the ConfigMap that kubeadm makes. */
function withConfigMap(t: Test, conf: string, labFile = 'title: x', first = header) {
  const data = JSON.stringify({ 'config.conf': first + conf })
  const configMap = `apiVersion: v1
kind: ConfigMap
metadata: { name: kube-proxy, namespace: kube-system }
data: ${data}
`
  return prepareLab(t.testdir({ 'lab.yaml': labFile, manifests: { 'a.yaml': configMap } })).kubeProxy
}

/** What a lab's built-in kube-proxies are configured with. */
function configured(t: Test, conf: string, labFile?: string) {
  const kubeProxy = withConfigMap(t, conf, labFile)
  if (kubeProxy.kind !== 'built-in') throw new Error(kubeProxy.kind)
  return kubeProxy
}

t.test('the ConfigMap that kubeadm makes configures kube-proxy', async (t) => {
  const conf = 'clusterCIDR: 10.32.0.0/12\niptables: { masqueradeAll: true }'
  const { config } = configured(t, conf)
  t.equal(config.clusterCIDR, '10.32.0.0/12')
  t.equal(config.iptables.masqueradeAll, true)
})

t.test('fields of lab.yaml go before it, and the default behind both', async (t) => {
  const overridden = configured(t, 'clusterCIDR: 10.32.0.0/12', 'kubeProxy: { clusterCIDR: 10.48.0.0/12 }')
  t.equal(overridden.config.clusterCIDR, '10.48.0.0/12')
  t.match(overridden.fields, { clusterCIDR: '10.48.0.0/12' })
  t.equal(configured(t, 'mode: iptables').config.clusterCIDR, '10.244.0.0/16')
  t.same(withConfigMap(t, 'mode: iptables', 'kubeProxy: false'), { kind: 'none' })
})

t.test('problems in it are reported with its name', async (t) => {
  const wrong: [string, RegExp][] = [
    ['clusterCIDR: x', /^configmap kube-system\/kube-proxy: config\.conf: failed validate: .*ClusterCIDRs/],
    ['just text', /config\.conf is not a KubeProxyConfiguration$/],
    ['{', /config\.conf is not valid YAML/],
  ]
  for (const [conf, message] of wrong) {
    const first = conf.includes(':') ? header : ''
    t.throws(() => withConfigMap(t, conf, 'title: x', first), { message })
  }
  t.throws(
    () => withConfigMap(t, 'mode: iptables', 'kubeProxy: { clusterCIDR: x }'),
    InputError,
    'and of lab.yaml by its place there',
  )
  t.throws(() => withConfigMap(t, 'mode: iptables', 'kubeProxy: { clusterCIDR: x }'), {
    message: /lab\.yaml:1:\d+: /,
  })
})

t.test('unknown fields are notices, with their place', async (t) => {
  const { notices } = prepareLab(t.testdir({ 'lab.yaml': 'kubeProxy: { clusterCIRD: x }', manifests: {} }))
  t.match(notices, [
    /lab\.yaml:1:\d+: kube-proxy ignores a field: .*"clusterCIRD"; did you mean "clusterCIDR"\?/,
  ])
})

t.test('a configuration without kind or apiVersion is rejected, as kube-proxy does', async (t) => {
  const conf = 'clusterCIDR: 10.244.0.0/16'
  t.throws(() => withConfigMap(t, conf, 'title: x', ''), {
    message:
      /config\.conf: failed complete: failed to decode: Object 'Kind' is missing in 'clusterCIDR: 10\.244\.0\.0\/16'/,
  })
  t.throws(() => withConfigMap(t, conf, 'title: x', 'kind: KubeProxyConfiguration\n'), {
    message: /Object 'apiVersion' is missing in/,
  })
})

t.test('kubeProxy.version chooses the kube-proxy that is imitated', async (t) => {
  const chosen = configured(t, 'mode: iptables', "kubeProxy: { version: '1.30' }")
  t.equal(chosen.config.version, 30)
  t.notOk('version' in chosen.fields, 'a program is not given it')
  t.equal(configured(t, 'mode: iptables').config.version, 36)
  const message = (labFile: string) => {
    try {
      configured(t, '', labFile)
    } catch (error) {
      return error instanceof InputError ? error.message : error
    }
    return undefined
  }
  t.match(message('kubeProxy: { version: 1.30 }'), '"version" is a minor version in quotes, "1.24" to "1.37"')
  t.match(
    message("kubeProxy: { version: '1.30', mode: nftables }"),
    'mode nftables are known of kube-proxy 1.31',
  )
})
