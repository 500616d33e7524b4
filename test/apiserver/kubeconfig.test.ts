import t from 'tap'
import { parse } from 'yaml'
import { kubeconfig } from '../../src/apiserver/kubeconfig.js'

void t.test('has one cluster, and is valid with any name', (t) => {
  for (const name of ['nodeport', 'yes', '1.10', 'a: b # c', '- x', '"']) {
    t.same(parse(kubeconfig('http://[fd00:18::1]:6443', name)), {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster: { server: 'http://[fd00:18::1]:6443' } }],
      users: [{ name, user: {} }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      'current-context': name,
    })
  }
  t.end()
})
