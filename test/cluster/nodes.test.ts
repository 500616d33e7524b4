import t from 'tap'
import { parseManifests } from '../../src/cluster/manifests/manifests.js'
import { architecture } from '../../src/cluster/nodes.js'
import { buildCluster } from '../../src/cluster/cluster.js'
import { cluster, refusals, twoNodes } from './lab.js'

function node(name: string, fields = ''): string {
  return `apiVersion: v1\nkind: Node\nmetadata: { name: ${name} }\n${fields}\n---\n`
}

t.test('nodes of the topology', (t) => {
  const nodes = [
    { name: 'one', zone: 'zone-a', labels: { disk: 'ssd' } },
    ...Array.from({ length: 10 }, (_, index) => ({ name: `n-${index}`, labels: {} })),
  ]
  const built = buildCluster([], { ...twoNodes, nodes, families: ['IPv4', 'IPv6'] }).nodes
  t.same(built[0]?.metadata.labels, {
    'beta.kubernetes.io/arch': architecture,
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': architecture,
    'kubernetes.io/hostname': 'one',
    'kubernetes.io/os': 'linux',
    'node.kubernetes.io/instance-type': 'vethlab',
    'topology.kubernetes.io/zone': 'zone-a',
    disk: 'ssd',
  })
  t.same(built[0]?.spec, { podCIDR: '10.244.1.0/24', podCIDRs: ['10.244.1.0/24', 'fd00:244:0:1::/64'] })
  t.same(built[9]?.spec?.podCIDRs, ['10.244.10.0/24', 'fd00:244:0:a::/64'])
  t.same(built[9]?.status?.addresses, [
    { type: 'InternalIP', address: '172.18.0.11' },
    { type: 'InternalIP', address: 'fd00:18::b' },
    { type: 'Hostname', address: 'n-8' },
  ])
  t.end()
})

t.test('a Node object is merged with the node of its name', (t) => {
  const fields = `spec: { podCIDR: 10.200.0.0/24, taints: [{ key: a, effect: NoSchedule }] }
status: { addresses: [{ type: InternalIP, address: 172.18.0.77 }, { type: ExternalIP, address: 203.0.113.7 }] }`
  const [a, b] = cluster(node('node-a', fields), { families: ['IPv4', 'IPv6'] }).nodes
  t.same(a?.spec, {
    podCIDR: '10.200.0.0/24',
    podCIDRs: ['10.200.0.0/24', 'fd00:244:0:1::/64'],
    taints: [{ key: 'a', effect: 'NoSchedule' }],
  })
  t.same(
    a?.status?.addresses?.map((item) => item.address),
    ['172.18.0.77', 'fd00:18::2', '203.0.113.7', 'node-a'],
  )
  t.equal(b?.spec?.podCIDR, '10.244.2.0/24')
  t.end()
})

t.test('Node objects define the nodes of a lab without a topology', (t) => {
  const { objects } = parseManifests([{ path: 'a.yaml', text: node('left') + node('right') }])
  const built = buildCluster(objects, { ...twoNodes, nodes: [] })
  t.same(
    built.nodes.map((item) => [item.metadata.name, item.status?.addresses?.[0]?.address]),
    [
      ['left', '172.18.0.2'],
      ['right', '172.18.0.3'],
    ],
  )
  t.end()
})

t.test('invalid nodes', (t) => {
  t.same(
    refusals(() => cluster(node('node-c'))),
    ['a.yaml:3:19: Node "node-c" is not a node of the lab; did you mean "node-a"?'],
  )
  t.match(
    refusals(() => buildCluster([], { ...twoNodes, nodes: [] })),
    [/the cluster has no nodes/],
  )
  t.match(
    refusals(() => cluster(node('node-a', 'spec: { podCIDR: 10.244.2.0/24 }'))),
    [/nodes "node-a" and "node-b" both have 10.244.2.0\/24/],
  )
  const wrong =
    'spec: { podCIDR: 10.0.0.0/40, taints: [{ key: "b d", effect: NoShedule }] }\nstatus: { addresses: [{ type: InternalIP, address: x }] }'
  const lines = refusals(() => cluster(node('node-a', wrong)))
  t.match(lines, [
    /^a.yaml:4:18: The Node "node-a" is invalid: spec.podCIDRs\[0\]: Invalid value: "10.0.0.0\/40": must be a valid CIDR value/,
    /spec.taints\[0\].key: Invalid value: "b d"/,
    /spec.taints\[0\].effect: Unsupported value: "NoShedule": .*; did you mean "NoSchedule"\?$/,
    /status.addresses\[0\].address: Invalid value: "x": must be a valid IP address/,
  ])
  t.end()
})

t.test('namespaces need not be declared, but are listed', (t) => {
  const text =
    'apiVersion: v1\nkind: Namespace\nmetadata: { name: lab }\n---\napiVersion: v1\nkind: Service\nmetadata: { name: web, namespace: shop }\nspec: { ports: [{ port: 80 }] }\n'
  t.same(
    cluster(text).namespaces.map((item) => item.metadata.name),
    ['lab', 'default', 'kube-system', 'kube-public', 'kube-node-lease', 'shop'],
  )
  t.end()
})
