import t from 'tap'
import type { ServiceSpec } from '../../../../src/cluster/types.js'
import { defaultConfiguration } from '../../../../src/agents/kubeProxy/configDefaults.js'
import { explainRule } from '../../../../src/agents/kubeProxy/iptables/explain.js'
import { buildRuleset } from '../../../../src/agents/kubeProxy/iptables/ruleset.js'
import { restoreRule } from '../../../../src/agents/kubeProxy/iptables/restoreRule.js'
import { tableRules } from '../../../../src/agents/kubeProxy/iptables/tableRules.js'
import { goldenCases } from '../goldenCases.js'
import { endpoint, input, service, slice } from '../objects.js'

t.test('every rule of every recording has a one-line explanation', (t) => {
  const long = goldenCases().flatMap(({ input: from }) => {
    const ruleset = buildRuleset(from, 'IPv4')
    return [...ruleset.jumps, ...tableRules(ruleset, 'nat'), ...tableRules(ruleset, 'filter')].filter(
      (rule) => {
        const text = explainRule(rule, 'en')
        return text.length < 20 || text.length > 120 || text.includes('\n')
      },
    )
  })
  t.same(
    long.map((rule) => restoreRule(rule, '-A')),
    [],
  )
  t.end()
})

t.test('an explanation names the field that requires the rule', (t) => {
  const spec: ServiceSpec = {
    type: 'LoadBalancer',
    clusterIP: '172.30.0.1',
    externalTrafficPolicy: 'Local',
    internalTrafficPolicy: 'Local',
    ports: [{ name: 'http', port: 80, nodePort: 30080 }],
  }
  const explained = (target: string, chain: string, config = {}) => {
    const ruleset = buildRuleset(
      input([service('svc', spec, ['1.2.3.4'])], [slice('svc', [endpoint('10.0.1.1', 'remote')])], config),
      'IPv4',
    )
    const rules = [...tableRules(ruleset, 'filter'), ...tableRules(ruleset, 'nat')]
    return rules
      .filter((rule) => rule.chain.startsWith(chain) && restoreRule(rule, '-A').includes(target))
      .map((rule) => explainRule(rule, 'en'))
  }
  t.match(explained('172.30.0.1', 'KUBE-SERVICES'), [/internalTrafficPolicy Local/])
  t.match(explained('1.2.3.4', 'KUBE-EXTERNAL-SERVICES'), [/externalTrafficPolicy Local/])
  t.match(explained('--dport 30080 -j', 'KUBE-NODEPORTS'), [/spec\.ports\[\]\.nodePort/])
  spec.internalTrafficPolicy = 'Cluster'
  const all = { iptables: { ...defaultConfiguration.iptables, masqueradeAll: true } }
  t.match(explained('172.30.0.1', 'KUBE-SVC'), [/not from the pod network/])
  t.match(explained('172.30.0.1', 'KUBE-SVC', all), [/masqueradeAll/])
  t.end()
})
