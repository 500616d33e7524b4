import t from 'tap'
import { topologyView } from '../../src/cluster/view.js'
import { defaultRanges } from '../../src/net/addressRanges.js'
import { cluster, deployment, service } from './lab.js'

t.test('the topology, in both families', (t) => {
  const status =
    'status: { loadBalancer: { ingress: [{ ip: 192.0.2.7 }, { hostname: lb.example.com }] } }\n---'
  const spec = 'type: LoadBalancer, ipFamilyPolicy: RequireDualStack, externalIPs: [203.0.113.9]'
  const built = cluster(deployment('web', 1) + service('web', spec).replace('---', status), {
    families: ['IPv4', 'IPv6'],
    nodes: [{ name: 'node-a', zone: 'zone-a', labels: {} }],
  })
  const [pod] = built.pods
  t.same(topologyView(built, [{ name: 'client', addresses: ['172.18.1.2'] }], defaultRanges), {
    fabric: ['172.18.0.0/16', 'fd00:18::/64'],
    nodes: [
      {
        name: 'node-a',
        zone: 'zone-a',
        addresses: ['172.18.0.2', 'fd00:18::2'],
        podCIDRs: ['10.244.1.0/24', 'fd00:244:0:1::/64'],
      },
    ],
    clients: [{ name: 'client', addresses: ['172.18.1.2'] }],
    pods: [
      {
        name: pod?.metadata.name,
        namespace: 'default',
        node: 'node-a',
        addresses: ['10.244.1.2', 'fd00:244:0:1::2'],
        labels: pod?.metadata.labels,
      },
    ],
    services: [
      {
        name: 'web',
        namespace: 'default',
        type: 'LoadBalancer',
        clusterIPs: ['10.96.1.1', 'fd00:10:96::101'],
        externalIPs: ['203.0.113.9', '192.0.2.7', 'lb.example.com'],
        ports: [{ protocol: 'TCP', port: 80, targetPort: 80, nodePort: 30086 }],
        endpoints: ['10.244.1.2:80', '[fd00:244:0:1::2]:80'],
      },
    ],
  })
  t.end()
})

t.test('only ready endpoints are named, hand-written ones too, each once', (t) => {
  const slice = `apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: db-1, labels: { kubernetes.io/service-name: db } }
addressType: IPv4
ports: [{ port: 5432 }]
endpoints:
  - { addresses: [192.0.2.1] }
  - { addresses: [192.0.2.2], conditions: { ready: false } }
  - { addresses: [192.0.2.1] }
---
`
  const bare = 'apiVersion: v1\nkind: Service\nmetadata: { name: db }\nspec: { ports: [{ port: 5432 }] }\n'
  t.same(topologyView(cluster(slice + bare), [], defaultRanges).services[0]?.endpoints, ['192.0.2.1:5432'])
  t.end()
})

t.test('nodes and pods whose Ready condition is not true are marked', (t) => {
  const built = cluster(deployment('web', 2))
  const [node, ...nodes] = built.nodes
  const [pod, ...pods] = built.pods
  if (node === undefined || pod === undefined) throw new Error('the cluster is empty')
  const unknown = {
    ...node,
    status: { ...node.status, conditions: [{ type: 'Ready', status: 'Unknown' as const }] },
  }
  const unready = {
    ...pod,
    status: { ...pod.status, conditions: [{ type: 'Ready', status: 'False' as const }] },
  }
  const changed = { ...built, nodes: [unknown, ...nodes], pods: [unready, ...pods] }
  const view = topologyView(changed, [], defaultRanges)
  t.strictSame(
    [...view.nodes, ...view.pods].map(({ notReady }) => notReady),
    [true, ...nodes.map(() => undefined), true, ...pods.map(() => undefined)],
  )
  t.end()
})
