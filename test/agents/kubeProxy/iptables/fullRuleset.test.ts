import { readFileSync } from 'node:fs'
import t from 'tap'
import type { ServiceSpec } from '../../../../src/cluster/types.js'
import { renderSync } from '../../../../src/agents/kubeProxy/iptables/restore.js'
import { buildRuleset } from '../../../../src/agents/kubeProxy/iptables/ruleset.js'
import { tableRules } from '../../../../src/agents/kubeProxy/iptables/tableRules.js'
import { endpoint, input, service, slice } from '../objects.js'
import { fullInput } from './fullRuleset.js'

t.test('the whole text of six Services is that of fullRuleset.txt', (t) => {
  const expected = readFileSync('test/agents/kubeProxy/iptables/fullRuleset.txt', 'utf8')
  const ruleset = buildRuleset(fullInput, 'IPv4')
  t.equal(renderSync(ruleset), expected)
  const count = (text: string) => text.split('\n').filter((line) => line.startsWith('-A ')).length
  const [filter = '', nat = ''] = expected.split('*nat')
  t.equal(tableRules(ruleset, 'filter').length, count(filter))
  t.equal(tableRules(ruleset, 'nat').length, count(nat))
  t.end()
})

t.test('which Services have traffic without an endpoint on this node', (t) => {
  const cluster: ServiceSpec = { internalTrafficPolicy: 'Cluster', externalTrafficPolicy: 'Cluster' }
  const internal: ServiceSpec = { ...cluster, internalTrafficPolicy: 'Local' }
  const external: ServiceSpec = { ...cluster, externalTrafficPolicy: 'Local' }
  const both: ServiceSpec = { ...internal, ...external, internalTrafficPolicy: 'Local' }
  const here = endpoint('10.0.1.1', 'local')
  const elsewhere = endpoint('10.0.1.2', 'remote')
  for (const [spec, endpoints, expected] of [
    [cluster, [elsewhere], [0, 0]],
    [internal, [here, elsewhere], [0, 0]],
    [both, [here, elsewhere], [0, 0]],
    [internal, [elsewhere], [1, 0]],
    [external, [elsewhere], [0, 1]],
    [both, [elsewhere], [1, 1]],
    [both, [], [0, 0]],
  ] as const) {
    const made = service('svc', {
      type: 'LoadBalancer',
      clusterIP: '172.30.0.1',
      ports: [{ name: 'http', port: 80, nodePort: 30080 }],
      ...spec,
    })
    const rules = tableRules(buildRuleset(input([made], [slice('svc', [...endpoints])]), 'IPv4'), 'filter')
    const dropped = (chain: string) =>
      rules.filter((rule) => rule.chain === chain && rule.reason === 'noLocalEndpoints').length
    const found = [dropped('KUBE-SERVICES'), dropped('KUBE-EXTERNAL-SERVICES')]
    t.same(
      found,
      expected,
      `${spec.internalTrafficPolicy}, ${spec.externalTrafficPolicy}, ${endpoints.length} endpoints`,
    )
  }
  t.end()
})
