import t from 'tap'
import { prepareLabs } from '../../src/commands/labs/prepareLabs.js'
import { OwnKubeProxyError } from '../../src/errors.js'
import { findLab } from '../../src/lab/file/findLab.js'

const kubeProxy = process.execPath

t.test('with --all, labs that no kube-proxy binary can serve are skipped', (t) => {
  const { labs, skipped } = prepareLabs('run', [], { all: true, ignore: [], kubeProxy })
  t.match(Object.fromEntries(skipped.map(({ lab, reason }) => [lab, reason])), {
    'iptables-basics': 'the nodes of this lab have no kube-proxy that could be replaced',
    'userspace-proxy': 'kube-proxy has had no mode "userspace" since Kubernetes 1.26',
  })
  t.ok(labs.length > 30)
  t.ok(labs.every(({ kubeProxy: { kind } }) => kind === 'binary'))
  t.end()
})

t.test('a lab that is named is wrong input', (t) => {
  const lab = findLab('iptables-basics')
  t.throws(() => prepareLabs('run', [lab], { ignore: [], kubeProxy }), OwnKubeProxyError)
  t.end()
})
