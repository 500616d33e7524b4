import t from 'tap'
import { clash, hostPortsOf, type HostPort } from '../../../src/cluster/pods/hostPorts.js'
import type { Pod } from '../../../src/cluster/types.js'
import { cluster, refusals } from '../lab.js'

function pod(name: string, ports: string, more = ''): string {
  return `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  containers: [{ name: c, image: x, ports: [${ports}] }]
${more === '' ? '' : `  ${more}\n`}---
`
}

t.test('the ports of a pod on its node', async (t) => {
  const of = (text: string) => hostPortsOf(cluster(text).pods[0] as Pod)
  t.same(of(pod('none', '{ containerPort: 80 }')), [])
  t.same(of(pod('own', '{ containerPort: 80, hostPort: 8080, hostIP: 10.0.0.1, protocol: UDP }')), [
    { hostIP: '10.0.0.1', hostPort: 8080, containerPort: 80, protocol: 'UDP' },
  ])
  for (const all of ['0.0.0.0', '"::"', '""'])
    t.same(of(pod('all', `{ containerPort: 80, hostPort: 8080, hostIP: ${all} }`)), [
      { hostIP: undefined, hostPort: 8080, containerPort: 80, protocol: 'TCP' },
    ])
  t.same(of(pod('host', '{ containerPort: 80 }', 'hostNetwork: true')), [
    { hostIP: undefined, hostPort: 80, containerPort: 80, protocol: 'TCP' },
  ])
})

t.test('ports conflict by address, port and protocol', async (t) => {
  const port: HostPort = { hostIP: undefined, hostPort: 80, containerPort: 1, protocol: 'TCP' }
  const bound = (hostIP: string) => ({ ...port, hostIP })
  t.ok(clash(port, { ...port, containerPort: 2 }))
  t.ok(clash(port, bound('10.0.0.1')))
  t.ok(clash(bound('10.0.0.1'), bound('10.0.0.1')))
  t.notOk(clash(bound('10.0.0.1'), bound('10.0.0.2')))
  t.notOk(clash(port, { ...port, protocol: 'UDP' }))
  t.notOk(clash(port, { ...port, hostPort: 81 }))
})

t.test('the scheduler keeps pods with the same hostPort apart', async (t) => {
  const ports = '{ containerPort: 80, hostPort: 8080 }'
  const nodesOf = (text: string) => cluster(text).pods.map(({ spec }) => spec.nodeName)
  const there = 'nodeName: node-a'
  t.same(nodesOf(pod('a', ports, there) + pod('b', '{ containerPort: 80 }') + pod('c', ports)), [
    'node-a',
    'node-b',
    'node-b',
  ])
  const onLoopback = '{ containerPort: 80, hostPort: 8080, hostIP: 127.0.0.1 }'
  t.same(nodesOf(pod('a', onLoopback, there) + pod('b', onLoopback)), ['node-a', 'node-b'])
  t.same(
    nodesOf(pod('a', ports, there) + pod('b', '{ containerPort: 8080 }', 'hostNetwork: true')),
    ['node-a', 'node-b'],
    'the host network is one of them',
  )
  t.match(
    refusals(() => cluster(['a', 'b', 'c'].map((name) => pod(name, ports)).join(''))),
    [/0\/2 nodes are available: 2 node\(s\) didn't have free ports for the requested pod ports\./],
  )
})
