import t from 'tap'
import { decideByPolicies, nearMisses, type PolicyPacket } from '../../../src/cluster/policies/decide.js'
import { cluster } from '../lab.js'
import { addressOf, modelCluster, podNames, policy } from './model.js'

/** A request of the table: the caller, the pod it calls, and the port. */
interface Call {
  readonly from: string
  readonly to: string
  readonly port: number
  readonly protocol: 'TCP' | 'UDP'
}

const all = {}
const a = { matchLabels: { pod: 'a' } }
const b = { matchLabels: { pod: 'b' } }
const y = { matchLabels: { ns: 'y' } }
const notX = { matchExpressions: [{ key: 'ns', operator: 'NotIn', values: ['x'] }] }
const ingressOf = (...from: readonly unknown[]) => policy({ podSelector: a, ingress: [{ from }] })
const toA = ({ to }: Call) => to === 'x/a'
const inX = (name: string) => name.startsWith('x/')
const inY = (name: string) => name.startsWith('y/')

/**
 * Policies and which calls they deny. Names and expectations are those of Kubernetes' e2e tests of NetworkPolicy
 * (test/e2e/network/netpol/network_policy.go) and of the cases of cyclonus, now policy-assistant
 * (kubernetes-sigs/network-policy-api, cmd/policy-assistant/pkg/generator).
 */
const cases: readonly (readonly [
  name: string,
  policies: readonly object[],
  denied: (call: Call) => boolean,
])[] = [
  ['no policy', [], () => false],
  [
    "should support a 'default-deny-ingress' policy",
    [policy({ podSelector: all, policyTypes: ['Ingress'] })],
    ({ to }) => inX(to),
  ],
  [
    "should support a 'default-deny-all' policy",
    [policy({ podSelector: all, policyTypes: ['Ingress', 'Egress'] })],
    ({ from, to }) => inX(from) || inX(to),
  ],
  [
    "should support 'deny-all egress' policy",
    [policy({ podSelector: all, policyTypes: ['Egress'] })],
    ({ from }) => inX(from),
  ],
  [
    'should enforce policy to allow traffic from pods within server namespace based on PodSelector',
    [ingressOf({ podSelector: b })],
    (call) => toA(call) && call.from !== 'x/b',
  ],
  [
    'should enforce policy to allow ingress traffic for a target',
    [
      policy({ podSelector: all, policyTypes: ['Ingress'] }),
      { ...policy({ podSelector: a, ingress: [{ from: [{ podSelector: b }] }] }, { name: 'allow-b' }) },
    ],
    ({ from, to }) => inX(to) && !(to === 'x/a' && from === 'x/b'),
  ],
  [
    'should enforce policy based on NamespaceSelector with MatchExpressions',
    [ingressOf({ namespaceSelector: { matchExpressions: [{ key: 'ns', operator: 'In', values: ['y'] }] } })],
    (call) => toA(call) && !inY(call.from),
  ],
  [
    'should enforce policy based on PodSelector with MatchExpressions',
    [ingressOf({ podSelector: { matchExpressions: [{ key: 'pod', operator: 'In', values: ['b'] }] } })],
    (call) => toA(call) && call.from !== 'x/b',
  ],
  [
    'should enforce policy based on PodSelector or NamespaceSelector',
    [ingressOf({ podSelector: b }, { namespaceSelector: notX })],
    (call) => toA(call) && inX(call.from) && call.from !== 'x/b',
  ],
  [
    'should enforce policy based on PodSelector and NamespaceSelector',
    [ingressOf({ podSelector: b, namespaceSelector: notX })],
    (call) => toA(call) && call.from !== 'y/b' && call.from !== 'z/b',
  ],
  [
    'should enforce policy based on Multiple PodSelectors and NamespaceSelectors',
    [
      ingressOf({
        namespaceSelector: notX,
        podSelector: { matchExpressions: [{ key: 'pod', operator: 'In', values: ['b', 'c'] }] },
      }),
    ],
    (call) => toA(call) && (inX(call.from) || call.from.endsWith('/a')),
  ],
  [
    'should enforce policy based on any PodSelectors',
    [ingressOf({ podSelector: b }, { podSelector: { matchLabels: { pod: 'c' } } })],
    (call) => toA(call) && !['x/b', 'x/c'].includes(call.from),
  ],
  [
    'should enforce policy to allow traffic only from a different namespace, based on NamespaceSelector',
    [ingressOf({ namespaceSelector: y })],
    (call) => toA(call) && !inY(call.from),
  ],
  [
    'should enforce policy based on NamespaceSelector with MatchExpressions using default ns label',
    [
      ingressOf({
        namespaceSelector: {
          matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['x'] }],
        },
      }),
    ],
    (call) => toA(call) && inX(call.from),
  ],
  [
    'should enforce policy based on Ports',
    [policy({ podSelector: a, ingress: [{ from: [{ namespaceSelector: y }], ports: [{ port: 81 }] }] })],
    (call) => toA(call) && !(inY(call.from) && call.port === 81 && call.protocol === 'TCP'),
  ],
  [
    'should enforce multiple, stacked policies with overlapping podSelectors',
    [
      policy({ podSelector: a, ingress: [{ from: [{ namespaceSelector: y }], ports: [{ port: 81 }] }] }),
      policy(
        { podSelector: a, ingress: [{ from: [{ namespaceSelector: y }], ports: [{ port: 80 }] }] },
        { name: 'eighty' },
      ),
    ],
    (call) => toA(call) && !(inY(call.from) && call.protocol === 'TCP'),
  ],
  ['should support allow-all policy', [policy({ podSelector: all, ingress: [{}] })], () => false],
  [
    'should allow ingress access on one named port',
    [policy({ podSelector: a, ingress: [{ ports: [{ port: 'serve-81-tcp' }] }] })],
    (call) => toA(call) && !(call.port === 81 && call.protocol === 'TCP'),
  ],
  [
    'a named port that no pod has allows nothing',
    [policy({ podSelector: a, ingress: [{ ports: [{ port: 'absent' }] }] })],
    toA,
  ],
  [
    'should allow egress access on one named port',
    [policy({ podSelector: a, policyTypes: ['Egress'], egress: [{ ports: [{ port: 'serve-80-tcp' }] }] })],
    ({ from, port, protocol }) => from === 'x/a' && !(port === 80 && protocol === 'TCP'),
  ],
  [
    'should enforce egress policy allowing traffic to a server in a different namespace based on PodSelector and NamespaceSelector',
    [
      policy({
        podSelector: a,
        policyTypes: ['Egress'],
        egress: [{ to: [{ namespaceSelector: y, podSelector: a }], ports: [{ protocol: 'TCP' }] }],
      }),
    ],
    ({ from, to, protocol }) => from === 'x/a' && !(to === 'y/a' && protocol === 'TCP'),
  ],
  [
    'should enforce ingress policy allowing any port traffic to a server on a specific protocol',
    [policy({ podSelector: a, ingress: [{ ports: [{ protocol: 'UDP' }] }] })],
    (call) => toA(call) && call.protocol !== 'UDP',
  ],
  [
    'should enforce policies to check ingress and egress policies can be controlled independently',
    [
      policy({ podSelector: a, policyTypes: ['Ingress'], ingress: [{}] }, { name: 'in' }),
      policy({ podSelector: a, policyTypes: ['Egress'] }, { name: 'out' }),
    ],
    ({ from }) => from === 'x/a',
  ],
  [
    'egress that is allowed does not open ingress of the same policy',
    [policy({ podSelector: all, policyTypes: ['Ingress', 'Egress'], egress: [{}] })],
    ({ to }) => inX(to),
  ],
  [
    'endPort',
    [policy({ podSelector: a, ingress: [{ ports: [{ port: 70, endPort: 80 }] }] })],
    (call) => toA(call) && !(call.port === 80 && call.protocol === 'TCP'),
  ],
  ['empty lists mean any', [policy({ podSelector: a, ingress: [{ from: [], ports: [] }] })], () => false],
  [
    'an empty peer of pods means the namespace of the policy',
    [ingressOf({ podSelector: all })],
    (call) => toA(call) && !inX(call.from),
  ],
  [
    'egress rules that policyTypes leave out mean nothing',
    [policy({ podSelector: a, policyTypes: ['Ingress'], ingress: [{}], egress: [] })],
    () => false,
  ],
]

const calls = podNames.flatMap((from) =>
  podNames.flatMap((to) =>
    ([80, 81] as const).flatMap((port) =>
      (['TCP', 'UDP'] as const).map((protocol): Call => ({ from, to, port, protocol })),
    ),
  ),
)

for (const family of ['IPv4', 'IPv6'] as const)
  t.test(`the table of cases, ${family}`, (t) => {
    for (const [name, policies, denied] of cases) {
      const model = modelCluster(policies, ['IPv4', 'IPv6'])
      const wrong = calls.filter((call) => {
        const { from, to, port, protocol } = call
        const packet = {
          source: addressOf(model, from, family),
          destination: addressOf(model, to, family),
          port,
          protocol,
        }
        // a pod always reaches itself
        return decideByPolicies(model, packet).allowed !== (from === to || !denied(call))
      })
      t.same(wrong, [], name)
    }
    t.end()
  })

const outside =
  (source: string, sourceNode?: string): ((to: string) => PolicyPacket) =>
  (destination) => ({
    ...{ source, destination, protocol: 'TCP', port: 80 },
    sourceNode,
  })

t.test('ipBlock with except, a node, and who decides', (t) => {
  const block = { ipBlock: { cidr: '172.18.0.0/16', except: ['172.18.1.0/24'] } }
  const model = modelCluster([ingressOf(block)])
  const server = addressOf(model, 'x/a')
  const decide = (packet: (to: string) => PolicyPacket) => decideByPolicies(model, packet(server))
  t.match(decide(outside('172.18.2.1')), {
    allowed: true,
    ingress: { kind: 'allowed', by: { field: 'spec.ingress[0]' } },
  })
  t.match(decide(outside('172.18.1.1')), {
    allowed: false,
    ingress: { kind: 'denied' },
    egress: { why: 'no-pod' },
  })
  t.match(decide(outside('10.244.0.1', 'node-a')), { allowed: true, ingress: { why: 'own-node' } })
  t.match(decide(outside('10.244.1.1', 'node-b')), { allowed: false }, 'another node is not its own')
  t.end()
})

t.test('pods of the host network are no pods of a policy', (t) => {
  const text = `apiVersion: v1
kind: Pod
metadata: { name: host, labels: { pod: a } }
spec: { hostNetwork: true, nodeName: node-b, containers: [{ name: web, image: nginx }] }
---
apiVersion: v1
kind: Pod
metadata: { name: web, labels: { pod: a } }
spec: { nodeName: node-a, containers: [{ name: web, image: nginx }] }
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: policy }
spec: { podSelector: {}, ingress: [{ from: [{ podSelector: {} }] }] }
`
  const model = cluster(text)
  const [host = '', web = ''] = ['default/host', 'default/web'].map((name) => addressOf(model, name))
  const tcp = { protocol: 'TCP', port: 80 } as const
  t.match(decideByPolicies(model, { ...tcp, source: web, destination: host }), { allowed: true })
  t.match(decideByPolicies(model, { ...tcp, source: host, destination: web }), { allowed: false })
  t.end()
})

t.test('the rule that nearly matches comes first', (t) => {
  const model = modelCluster([
    policy({
      podSelector: a,
      ingress: [
        { from: [{ podSelector: { matchLabels: { pod: 'd' } } }], ports: [{ port: 9 }] },
        { from: [{ podSelector: b }], ports: [{ port: 8080 }] },
      ],
    }),
  ])
  const packet = {
    source: addressOf(model, 'x/b'),
    destination: addressOf(model, 'x/a'),
    protocol: 'TCP',
    port: 80,
  } as const
  const [first] = nearMisses(model, packet, 'Ingress')
  t.match(first, { rule: { field: 'spec.ingress[1]' }, fits: { peers: true, ports: false } })
  t.end()
})
