import * as fc from 'fast-check'
import { clusterPolicy, namespaces, policy } from './model.js'

const selector = fc.constantFrom<object>(
  {},
  ...['a', 'b', 'c', 'none'].map((pod) => ({ matchLabels: { pod } })),
  { matchExpressions: [{ key: 'pod', operator: 'In', values: ['a', 'b'] }] },
  { matchExpressions: [{ key: 'pod', operator: 'NotIn', values: ['c'] }] },
)

const namespaceSelector = fc.constantFrom<object>(
  {},
  { matchLabels: { ns: 'x' } },
  { matchExpressions: [{ key: 'ns', operator: 'NotIn', values: ['x'] }] },
  { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['y', 'z'] }] },
)

// addresses of both nodes' pods, of nodes, of a client; wider and narrower ranges that leave out parts of each other
const block = fc.constantFrom<object>(
  { cidr: '10.244.0.0/16' },
  { cidr: '10.244.0.0/16', except: ['10.244.1.0/24'] },
  { cidr: '10.244.1.0/24', except: ['10.244.1.0/30'] },
  { cidr: '10.244.1.0/30' },
  { cidr: '10.244.2.2/32' },
  { cidr: '0.0.0.0/0', except: ['10.244.0.0/16'] },
  { cidr: '172.18.0.0/16', except: ['172.18.0.2/32'] },
  { cidr: 'fd00:244::/48' },
  { cidr: '::/0', except: ['fd00:244:0:1::/64'] },
)

const peer = fc.oneof(
  selector.map((podSelector) => ({ podSelector })),
  namespaceSelector.map((one) => ({ namespaceSelector: one })),
  fc
    .tuple(selector, namespaceSelector)
    .map(([podSelector, one]) => ({ podSelector, namespaceSelector: one })),
  block.map((ipBlock) => ({ ipBlock })),
)

const port = fc.constantFrom<object>(
  {},
  { port: 80 },
  { port: 81 },
  { protocol: 'UDP' },
  { protocol: 'UDP', port: 80 },
  { port: 79, endPort: 81 },
  { port: 'serve-80-tcp' },
  { port: 'absent' },
)

const some = <Of>(of: fc.Arbitrary<Of>) => fc.array(of, { maxLength: 3 })
const rules = (field: 'from' | 'to') =>
  some(fc.record({ [field]: some(peer), ports: some(port) }, { requiredKeys: [] }))

const spec = fc.record(
  {
    podSelector: selector,
    ingress: rules('from'),
    egress: rules('to'),
    policyTypes: fc.constantFrom(['Ingress'], ['Egress'], ['Ingress', 'Egress']),
  },
  { requiredKeys: ['podSelector'] },
)

// often all pods: only then do policies of a tier have packets in common
const ofPods = fc.oneof(
  fc.constant({ namespaces: {} }),
  namespaceSelector.map((one) => ({ namespaces: one })),
  fc
    .tuple(selector, namespaceSelector)
    .map(([podSelector, one]) => ({ pods: { podSelector, namespaceSelector: one } })),
)

const others = fc.constantFrom<object>(
  { networks: ['10.244.1.0/24', '10.244.2.2/32', 'fd00:244::/48'] },
  { networks: ['0.0.0.0/0', '::/0'] },
  { nodes: { matchLabels: { 'kubernetes.io/hostname': 'node-a' } } },
)

const protocol = fc.constantFrom<object>(
  { tcp: { destinationPort: { number: 80 } } },
  { udp: { destinationPort: { range: { start: 79, end: 80 } } } },
  { tcp: { destinationPort: { range: { start: 80, end: 90 } } } },
)
const namedProtocol = fc.constantFrom<object>(
  { destinationNamedPort: 'serve-81-tcp' },
  { destinationNamedPort: 'absent' },
)

const one = <Of>(of: fc.Arbitrary<Of>) => fc.array(of, { minLength: 1, maxLength: 2 })
const action = fc.constantFrom('Accept', 'Deny', 'Pass')
const ruleOf = (field: 'from' | 'to', peer: fc.Arbitrary<object>, port: fc.Arbitrary<object>) =>
  fc.record({ action, [field]: one(peer), protocols: one(port) }, { requiredKeys: ['action', field] })

const clusterSpec = fc.record(
  {
    tier: fc.constantFrom('Admin', 'Baseline'),
    // some are equal: their names decide
    priority: fc.constantFrom(0, 10, 1000),
    subject: ofPods,
    ingress: fc.array(ruleOf('from', ofPods, fc.oneof(protocol, namedProtocol)), { maxLength: 3 }),
    egress: fc.array(
      fc.oneof(ruleOf('to', fc.oneof(ofPods, others), protocol), ruleOf('to', ofPods, namedProtocol)),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ['tier', 'priority', 'subject'] },
)

/** A few policies of the model's namespaces, and some of the cluster. */
export const randomPolicies: fc.Arbitrary<object[]> = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...namespaces), spec), { maxLength: 4 }),
    fc.array(clusterSpec, { maxLength: 4 }),
  )
  .map(([own, all]) => [
    ...own.map(([namespace, one], index) => policy(one, { namespace, name: `policy-${index}` })),
    ...all.map((one, index) => clusterPolicy(one, `cluster-${index}`)),
  ])
