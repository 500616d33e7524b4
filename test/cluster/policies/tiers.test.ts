import t from 'tap'
import { decideByPolicies } from '../../../src/cluster/policies/decide.js'
import { addressOf, clusterPolicy, modelCluster, podNames, policy } from './model.js'

const all = { namespaces: {} }
const fromY = { namespaces: { matchLabels: { ns: 'y' } } }
const inX = { namespaces: { matchLabels: { ns: 'x' } } }
const rule = (action: string, peer: object = all, protocols?: object[]) => ({
  ...{ action, from: [peer] },
  ...(protocols !== undefined && { protocols }),
})
const admin = (ingress: object[], priority = 10, name = `admin-${priority}`) =>
  clusterPolicy({ tier: 'Admin', priority, subject: inX, ingress }, name)
const baseline = (ingress: object[]) =>
  clusterPolicy({ tier: 'Baseline', priority: 0, subject: inX, ingress }, 'baseline')
const isolate = policy({ podSelector: {}, policyTypes: ['Ingress'] })
const allow = policy({ podSelector: {}, ingress: [{ from: [{ namespaceSelector: {} }] }] }, { name: 'allow' })

/**
 * Policies, and the namespaces from which pods reach pod x/a on TCP port 80. The situations are those of the conformance tests of
 * kubernetes-sigs/network-policy-api (conformance/tests, integration and priority).
 */
const cases: readonly (readonly [name: string, policies: readonly object[], reach: string])[] = [
  ['Deny of tier Admin has precedence over NetworkPolicies that allow', [allow, admin([rule('Deny')])], ''],
  ['Accept of tier Admin has precedence over isolation', [isolate, admin([rule('Accept', fromY)])], 'y'],
  ['Pass leaves it to NetworkPolicies', [isolate, admin([rule('Pass'), rule('Accept')])], ''],
  ['Pass skips the other policies of the tier', [admin([rule('Pass')]), admin([rule('Deny')], 20)], 'x y z'],
  [
    'without NetworkPolicies, Pass leaves it to tier Baseline',
    [admin([rule('Pass')]), baseline([rule('Deny', fromY)])],
    'x z',
  ],
  ['tier Baseline is not evaluated for a pod that is isolated', [allow, baseline([rule('Deny')])], 'x y z'],
  [
    'NetworkPolicies for egress do not isolate for ingress',
    [policy({ podSelector: {}, policyTypes: ['Egress'], egress: [{}] }), baseline([rule('Deny')])],
    '',
  ],
  ['the first rule that matches decides', [admin([rule('Accept', fromY), rule('Deny')])], 'y'],
  ['the lower priority value decides', [admin([rule('Deny')], 20), admin([rule('Accept', fromY)], 5)], 'y'],
  [
    'with equal priorities, the name decides',
    [admin([rule('Deny')], 7, 'b'), admin([rule('Accept', fromY)], 7, 'a')],
    'y',
  ],
  [
    'a rule about another port does not match',
    [admin([rule('Deny', all, [{ tcp: { destinationPort: { number: 81 } } }])])],
    'x y z',
  ],
  [
    'a range of ports',
    [admin([rule('Deny', fromY, [{ tcp: { destinationPort: { range: { start: 1, end: 65535 } } } }])])],
    'x z',
  ],
  ['a port by its name', [admin([rule('Deny', all, [{ destinationNamedPort: 'serve-80-tcp' }])])], ''],
  [
    'pods of namespaces',
    [admin([rule('Deny', { pods: { namespaceSelector: {}, podSelector: { matchLabels: { pod: 'b' } } } })])],
    'x y z without b',
  ],
]

t.test('tiers, priorities and actions', (t) => {
  for (const [name, policies, reach] of cases) {
    const model = modelCluster(policies)
    const destination = addressOf(model, 'x/a')
    const reaching = podNames.filter(
      (from) =>
        from !== 'x/a' &&
        decideByPolicies(model, { source: addressOf(model, from), destination, protocol: 'TCP', port: 80 })
          .allowed,
    )
    const [spaces = '', without] = reach.split(' without ')
    const wanted = podNames.filter(
      (from) =>
        from !== 'x/a' &&
        spaces.split(' ').includes(from.slice(0, 1)) &&
        (without === undefined || !from.endsWith(without)),
    )
    t.same(reaching, wanted, name)
  }
  t.end()
})

t.test('egress to networks and nodes, and which rule decides', (t) => {
  const egress = [
    {
      name: 'nodes',
      action: 'Accept',
      to: [{ nodes: { matchLabels: { 'kubernetes.io/hostname': 'node-a' } } }],
    },
    { action: 'Deny', to: [{ networks: ['172.18.0.0/16', '192.0.2.0/24'] }] },
  ]
  const model = modelCluster([clusterPolicy({ tier: 'Admin', priority: 1, subject: all, egress })])
  const to = (destination: string) =>
    decideByPolicies(model, { source: addressOf(model, 'x/a'), destination, protocol: 'TCP', port: 443 })
  t.match(to('172.18.0.2'), { allowed: true, egress: { kind: 'allowed', by: { field: 'spec.egress[0]' } } })
  t.match(to('172.18.0.3'), { allowed: false, egress: { kind: 'denied', by: { field: 'spec.egress[1]' } } })
  t.match(to('198.51.100.1'), { allowed: true, egress: { why: 'not-isolated' } })
  // nodes are neither pods of namespaces nor subjects
  t.match(
    decideByPolicies(model, {
      ...{ source: '172.18.0.3', destination: '192.0.2.1', protocol: 'TCP', port: 443 },
      sourceNode: 'node-b',
    }),
    { allowed: true },
  )
  t.end()
})
