import t from 'tap'
import { defaultRanges } from '../../src/net/addressRanges.js'
import { cluster, deployment, refusals, service } from './lab.js'

function specs(text: string, families: readonly ('IPv4' | 'IPv6')[] = ['IPv4']) {
  return cluster(text, { families }).services.map((item) => item.spec)
}

t.test('the defaults of a Service', (t) => {
  t.same(specs(service('web')), [
    {
      type: 'ClusterIP',
      selector: { app: 'web' },
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      clusterIP: '10.96.1.1',
      clusterIPs: ['10.96.1.1'],
    },
  ])
  t.match(specs(service('web', 'type: LoadBalancer, externalTrafficPolicy: Local'))[0], {
    allocateLoadBalancerNodePorts: true,
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 30087,
    ports: [{ nodePort: 30086 }],
  })
  t.match(specs(service('web', 'sessionAffinity: ClientIP'))[0], {
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
  })
  t.equal(specs(service('web', 'externalIPs: [192.0.2.9]'))[0]?.externalTrafficPolicy, 'Cluster')
  t.equal(
    specs(service('web', 'type: LoadBalancer, allocateLoadBalancerNodePorts: false'))[0]?.ports?.[0]
      ?.nodePort,
    undefined,
  )
  t.end()
})

t.test('headless Services and ExternalName have no cluster address', (t) => {
  t.match(specs(service('web', 'clusterIP: None'))[0], {
    clusterIP: 'None',
    clusterIPs: ['None'],
    ipFamilies: ['IPv4'],
  })
  const name = specs(service('web', 'type: ExternalName, externalName: db.example.com'))[0]
  t.equal(name?.clusterIP, undefined)
  t.equal(name?.ipFamilies, undefined)
  const bare = 'apiVersion: v1\nkind: Service\nmetadata: { name: bare }\nspec: { clusterIP: None }\n'
  t.same(specs(bare)[0]?.ipFamilies, ['IPv4', 'IPv6'])
  t.end()
})

t.test('requested values are reserved before others are allocated, whatever the order', (t) => {
  const text =
    service('a') + service('b') + service('c', 'clusterIP: 10.96.1.1') + service('d', 'clusterIP: 10.96.0.10')
  t.same(
    specs(text).map((spec) => spec.clusterIP),
    ['10.96.1.2', '10.96.1.3', '10.96.1.1', '10.96.0.10'],
  )
  const ports =
    service('a', 'type: NodePort') +
    `apiVersion: v1\nkind: Service\nmetadata: { name: b }\nspec: { type: NodePort, ports: [{ port: 80, nodePort: 30086 }] }\n`
  t.same(
    specs(ports).map((spec) => spec.ports?.[0]?.nodePort),
    [30087, 30086],
  )
  t.end()
})

t.test('ports that differ only by protocol share a node port', (t) => {
  const text = `apiVersion: v1
kind: Service
metadata: { name: dns }
spec:
  type: NodePort
  ports: [{ name: udp, port: 53, protocol: UDP }, { name: tcp, port: 53 }, { name: web, port: 80 }]
`
  t.same(
    specs(text)[0]?.ports?.map((port) => port.nodePort),
    [30086, 30086, 30087],
  )
  t.end()
})

t.test('after the dynamic band the static one is used, then the range is full', (t) => {
  const ranges = { ...defaultRanges, nodePorts: { first: 30000, last: 30019 } }
  const text = (count: number) =>
    Array.from({ length: count }, (_, index) => service(`s-${index}`, 'type: NodePort')).join('')
  const ports = cluster(text(20), { ranges }).services.map((item) => item.spec.ports?.[0]?.nodePort)
  t.same(ports.slice(0, 5), [30016, 30017, 30018, 30019, 30000])
  t.equal(new Set(ports).size, 20)
  t.match(
    refusals(() => cluster(text(21), { ranges })),
    [/^a.yaml:104:\d+: Internal error occurred: failed to allocate a nodePort: range is full$/],
  )
  t.end()
})

t.test('families', (t) => {
  const dual = ['IPv4', 'IPv6'] as const
  t.same(specs(service('web', 'ipFamilyPolicy: PreferDualStack'), dual)[0]?.clusterIPs, [
    '10.96.1.1',
    'fd00:10:96::101',
  ])
  t.same(specs(service('web', 'ipFamilyPolicy: PreferDualStack'))[0]?.clusterIPs, ['10.96.1.1'])
  t.same(specs(service('web', 'ipFamilies: [IPv6]'), dual)[0]?.clusterIPs, ['fd00:10:96::101'])
  t.same(specs(service('web'), ['IPv6'])[0]?.clusterIPs, ['fd00:10:96::101'])
  t.same(
    specs(service('web', 'ipFamilyPolicy: RequireDualStack, clusterIP: fd00:10:96::7'), dual)[0]?.clusterIPs,
    ['fd00:10:96::7', '10.96.1.1'],
  )
  const place = 'a.yaml:4:\\d+: The Service "web" is invalid: '
  const table: [string, string][] = [
    [
      'ipFamilyPolicy: RequireDualStack',
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services; topology.families in lab.yaml, or `--families IPv4,IPv6`, configures both families',
    ],
    [
      'ipFamilies: [IPv6]',
      'spec.ipFamilies\\[0\\]: Invalid value: "IPv6": not configured on this cluster; topology.families in lab.yaml, or `--families IPv4,IPv6`, configures both families',
    ],
    [
      'clusterIP: fd00:10:96::7',
      'spec.clusterIPs\\[0\\]: Invalid value: \\["fd00:10:96::7"\\]: IPv6 is not configured on this cluster',
    ],
    [
      'clusterIP: 10.96.0.7, ipFamilies: [IPv6]',
      'spec.clusterIPs\\[0\\]: Invalid value: "10.96.0.7": expected an IPv6 value as indicated by `ipFamilies\\[0\\]`',
    ],
    [
      'clusterIP: 10.96.0.0',
      'spec.clusterIPs: Invalid value: \\["10.96.0.0"\\]: failed to allocate IP 10.96.0.0: the provided network does not match the current range',
    ],
  ]
  for (const [spec, message] of table)
    t.match(
      refusals(() => cluster(service('web', spec))),
      [new RegExp(`^${place}${message}$`)],
      spec,
    )
  t.end()
})

t.test('the first address of the primary family belongs to the Service of the API server', (t) => {
  const taken = (address: string) => refusals(() => cluster(service('web', `clusterIP: ${address}`)))
  t.match(taken('10.96.0.1'), [
    /spec.clusterIPs: Invalid value: \["10.96.0.1"\]: failed to allocate IP 10.96.0.1: provided IP is already allocated/,
  ])
  t.match(specs(service('web', 'clusterIP: 10.96.0.2'))[0], { clusterIP: '10.96.0.2' })
  t.match(specs(service('kubernetes', 'clusterIP: 10.96.0.1'))[0], { clusterIP: '10.96.0.1' })
  t.end()
})

t.test('a conflict points at the other object', (t) => {
  const text = service('one', 'clusterIP: 10.96.0.200') + service('two', 'clusterIP: 10.96.0.200')
  t.match(
    refusals(() => cluster(text)),
    [
      /^a.yaml:9:\d+: The Service "two" is invalid: .* provided IP is already allocated; Service "one" has it, at a.yaml:3:19$/,
    ],
  )
  t.end()
})

t.test('a LoadBalancer keeps the address of its status; other types have none', (t) => {
  const status = 'status: { loadBalancer: { ingress: [{ ip: 192.0.2.7 }] } }\n'
  const text = (type: string) => service('web', `type: ${type}`).replace('---', status)
  t.same(cluster(text('LoadBalancer')).services[0]?.status?.loadBalancer?.ingress, [
    { ipMode: 'VIP', ip: '192.0.2.7' },
  ])
  t.equal(cluster(text('NodePort')).services[0]?.status, undefined)
  t.end()
})

t.test('EndpointSlices from manifests to ports', (t) => {
  const { endpointSlices } = cluster(deployment('web', 2) + service('web'))
  t.match(endpointSlices, [
    {
      metadata: { name: /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/, namespace: 'default' },
      endpoints: [
        { addresses: ['10.244.1.2'], nodeName: 'node-a' },
        { addresses: ['10.244.2.2'], nodeName: 'node-b' },
      ],
    },
  ])
  t.end()
})
