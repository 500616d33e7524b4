import t from 'tap'
import { cluster, deployment, refusals } from './lab.js'

const nodes = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `node-${'abc'[index]}`, labels: {} }))

function bare(name: string, spec = ''): string {
  const more = spec === '' ? '' : `, ${spec}`
  return `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: a, image: x }]${more} }\n---\n`
}

function node(name: string, fields: string): string {
  return `apiVersion: v1\nkind: Node\nmetadata: { name: ${name} }\n${fields}\n---\n`
}

t.test('names, owners and labels are those of a real Deployment’s pods', (t) => {
  const built = cluster(deployment('web', 3))
  for (const pod of built.pods)
    t.match(pod.metadata, {
      name: /^web-[bcdf456789]{9,10}-[bcdfghjklmnpqrstvwxz2456789]{5}$/,
      namespace: 'default',
      labels: { app: 'web', 'pod-template-hash': /^[bcdf456789]{9,10}$/ },
      ownerReferences: [{ kind: 'ReplicaSet', controller: true }],
    })
  t.equal(new Set(built.pods.map((pod) => pod.metadata.name)).size, 3)
  const hash = (text: string) => cluster(text).pods[0]?.metadata.labels?.['pod-template-hash']
  t.equal(hash(deployment('web', 1)), hash(deployment('web', 2)), 'the template alone decides')
  t.not(hash(deployment('web', 1)), hash(deployment('web', 1).replace('nginx', 'httpd')))
  t.same(cluster(deployment('web', 0)).pods, [])
  t.end()
})

t.test('a ReplicaSet without a Deployment', (t) => {
  const built = cluster(deployment('web', 2).replace('kind: Deployment', 'kind: ReplicaSet'))
  t.match(
    built.pods.map((pod) => pod.metadata.name),
    [/^web-.{5}$/, /^web-.{5}$/],
  )
  t.end()
})

t.test('long names are truncated like in the API server', (t) => {
  const [pod] = cluster(deployment('w'.repeat(60), 1)).pods
  t.equal(pod?.metadata.name.length, 63)
  t.end()
})

t.test('pods are spread by owner, then by number, then by name', (t) => {
  const placed = (text: string, count = 2) =>
    cluster(text, { nodes: nodes(count) }).pods.map((pod) => pod.spec.nodeName)
  t.same(placed(deployment('web', 4)), ['node-a', 'node-b', 'node-a', 'node-b'])
  t.same(placed(deployment('a', 1) + deployment('b', 1) + deployment('c', 1), 3), [
    'node-a',
    'node-b',
    'node-c',
  ])
  t.same(placed(bare('one', 'nodeName: node-b') + bare('two', 'nodeName: node-b') + deployment('web', 3)), [
    'node-b',
    'node-b',
    'node-a',
    'node-b',
    'node-a',
  ])
  t.end()
})

t.test('nodeSelector, taints and cordons', (t) => {
  const placed = (text: string) => cluster(text).pods.map((pod) => pod.spec.nodeName)
  const labels = 'apiVersion: v1\nkind: Node\nmetadata: { name: node-b, labels: { disk: ssd } }\n---\n'
  t.same(placed(labels + deployment('web', 2, 'nodeSelector: { disk: ssd }')), ['node-b', 'node-b'])
  t.same(placed(deployment('web', 2, 'nodeSelector: { kubernetes.io/hostname: node-a }')), [
    'node-a',
    'node-a',
  ])
  t.same(placed(node('node-a', 'spec: { unschedulable: true }') + deployment('web', 2)), ['node-b', 'node-b'])
  const taint = node('node-a', 'spec: { taints: [{ key: dedicated, value: db, effect: NoSchedule }] }')
  t.same(placed(taint + deployment('web', 2)), ['node-b', 'node-b'])
  const tolerate = (toleration: string) =>
    placed(taint + deployment('web', 2, `tolerations: [${toleration}]`))
  t.same(tolerate('{ key: dedicated, value: db }'), ['node-a', 'node-b'])
  t.same(tolerate('{ operator: Exists }'), ['node-a', 'node-b'])
  t.same(tolerate('{ key: dedicated, value: web }'), ['node-b', 'node-b'])
  t.same(tolerate('{ key: dedicated, operator: Exists, effect: NoExecute }'), ['node-b', 'node-b'])
  const soft = taint.replace('NoSchedule', 'PreferNoSchedule')
  t.same(placed(soft + deployment('web', 2)), ['node-a', 'node-b'])
  t.same(placed(taint + bare('pinned', 'nodeName: node-a')), ['node-a'], 'nodeName passes the scheduler by')
  t.end()
})

t.test('a pod that fits on no node is rejected once, in the scheduler’s words', (t) => {
  const text =
    node('node-a', 'spec: { unschedulable: true }') + deployment('web', 3, 'nodeSelector: { disk: ssd }')
  t.same(
    refusals(() => cluster(text)),
    [
      `a.yaml:16:7: a pod of Deployment "web" cannot be scheduled: 0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) were unschedulable.; the nodeSelector is disk=ssd; the nearest node, node-a, has no label disk; topology.nodes in lab.yaml sets labels`,
    ],
  )
  t.same(
    refusals(() => cluster(bare('web', 'nodeName: node-x'))),
    ['a.yaml:4:56: Pod "web": nodeName "node-x" is not a node of the lab; did you mean "node-a"?'],
  )
  const taint = node('node-a', 'spec: { taints: [{ key: a, effect: NoExecute }] }')
  t.match(
    refusals(() => cluster(taint + bare('web'), { nodes: nodes(1) })),
    [/0\/1 nodes are available: 1 node\(s\) had untolerated taint \{a: \}\.$/],
  )
  t.end()
})

t.test('addresses: from the node’s range, after the bridge; pods with hostNetwork have the node’s', (t) => {
  const built = cluster(bare('a') + bare('b') + bare('c', 'hostNetwork: true') + bare('d'), {
    families: ['IPv4', 'IPv6'],
    nodes: nodes(1),
  })
  t.same(
    built.pods.map((pod) => pod.status?.podIPs?.map((item) => item.ip)),
    [
      ['10.244.1.2', 'fd00:244:0:1::2'],
      ['10.244.1.3', 'fd00:244:0:1::3'],
      ['172.18.0.2', 'fd00:18::2'],
      ['10.244.1.4', 'fd00:244:0:1::4'],
    ],
  )
  t.match(built.pods[0]?.status, { phase: 'Running', podIP: '10.244.1.2', hostIP: '172.18.0.2' })
  t.end()
})

t.test('a node is full when its range is', (t) => {
  const small = node('node-a', 'spec: { podCIDR: 10.244.9.0/29 }')
  const build = (replicas: number) => cluster(small + deployment('web', replicas), { nodes: nodes(1) })
  t.same(build(5).pods.at(-1)?.status?.podIP, '10.244.9.6')
  t.match(
    refusals(() => build(6)),
    [/spec\.replicas: Invalid value: 6: must be at most 5: the nodes have no room for more pods/],
  )
  const two = small + deployment('web', 5) + deployment('api', 1)
  t.match(
    refusals(() => cluster(two, { nodes: nodes(1) })),
    [/with Deployment "api" the objects need 6 pods; the nodes have room for 5/],
  )
  const pinned = Array.from({ length: 6 }, (_, index) => bare(`p-${index}`, 'nodeName: node-a')).join('')
  t.match(
    refusals(() => cluster(small + pinned, { nodes: nodes(1) })),
    [/Pod "p-5": no address is free on node "node-a"$/],
  )
  t.end()
})

t.test('pods with hostNetwork do not share a port of one node', (t) => {
  const host = (name: string) =>
    `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { hostNetwork: true, containers: [{ name: a, image: x, ports: [{ containerPort: 80 }] }] }\n---\n`
  t.same(
    cluster(host('a') + host('b')).pods.map((pod) => pod.spec.nodeName),
    ['node-a', 'node-b'],
  )
  t.match(
    refusals(() => cluster(host('a') + host('b') + host('c'))),
    [
      /2 node\(s\) didn't have free ports for the requested pod ports\.; topology\.nodes in lab\.yaml adds nodes$/,
    ],
  )
  t.end()
})
