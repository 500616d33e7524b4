import t from 'tap'
import { hostPortPods, hostPortRules, type HostPortPod } from '../../src/agents/hostPorts.js'
import { cluster } from '../cluster/lab.js'

const web: HostPortPod = {
  id: 'default/web',
  address: '10.244.1.2',
  ports: [
    { hostIP: undefined, hostPort: 8080, containerPort: 80, protocol: 'TCP' },
    { hostIP: '172.18.0.2', hostPort: 5353, containerPort: 53, protocol: 'UDP' },
  ],
}
const lines = (text: string) => text.split('\n')

t.test('a pod with its ports', async (t) => {
  const text = hostPortRules([web], '10.244.1.0/24', 'IPv4')
  const chain = /^:(CNI-DN-[0-9a-f]{21}) - \[0:0\]$/m.exec(text)?.[1] ?? 'none'
  t.equal(chain.length, 28, 'as long as a chain name may be')
  t.equal(
    text,
    `*nat
:CNI-HOSTPORT-DNAT - [0:0]
:CNI-HOSTPORT-MASQ - [0:0]
:CNI-HOSTPORT-SETMARK - [0:0]
:${chain} - [0:0]
-A PREROUTING -m addrtype --dst-type LOCAL -j CNI-HOSTPORT-DNAT
-A OUTPUT -m addrtype --dst-type LOCAL -j CNI-HOSTPORT-DNAT
-I POSTROUTING -m comment --comment "CNI portfwd requiring masquerade" -j CNI-HOSTPORT-MASQ
-A CNI-HOSTPORT-SETMARK -m comment --comment "CNI portfwd masquerade mark" -j MARK --set-xmark 0x2000/0x2000
-A CNI-HOSTPORT-MASQ -m mark --mark 0x2000/0x2000 -j MASQUERADE
-A CNI-HOSTPORT-DNAT -p tcp -m comment --comment "dnat name: \\"cni0\\" id: \\"default/web\\"" -m multiport --dports 8080 -j ${chain}
-A CNI-HOSTPORT-DNAT -p udp -m comment --comment "dnat name: \\"cni0\\" id: \\"default/web\\"" -m multiport --dports 5353 -j ${chain}
-A ${chain} -s 10.244.1.0/24 -p tcp -m tcp --dport 8080 -j CNI-HOSTPORT-SETMARK
-A ${chain} -s 127.0.0.1/32 -p tcp -m tcp --dport 8080 -j CNI-HOSTPORT-SETMARK
-A ${chain} -p tcp -m tcp --dport 8080 -j DNAT --to-destination 10.244.1.2:80
-A ${chain} -s 10.244.1.0/24 -d 172.18.0.2 -p udp -m udp --dport 5353 -j CNI-HOSTPORT-SETMARK
-A ${chain} -s 127.0.0.1/32 -d 172.18.0.2 -p udp -m udp --dport 5353 -j CNI-HOSTPORT-SETMARK
-A ${chain} -d 172.18.0.2 -p udp -m udp --dport 5353 -j DNAT --to-destination 10.244.1.2:53
COMMIT
`,
  )
})

t.test('IPv6 has brackets, and no masquerade for loopback', async (t) => {
  const six = { ...web, address: 'fd00:244:0:1::2', ports: web.ports.slice(0, 1) }
  const text = hostPortRules([six], 'fd00:244:0:1::/64', 'IPv6')
  t.match(text, '--to-destination [fd00:244:0:1::2]:80')
  t.notMatch(text, '127.0.0.1')
})

t.test('many ports are split into rules of fifteen', async (t) => {
  const ports = Array.from({ length: 32 }, (_, index) => ({
    ...{ hostIP: undefined, hostPort: 9000 + index, containerPort: 80 },
    protocol: 'TCP' as const,
  }))
  const groups = [
    ...hostPortRules([{ ...web, ports }], '10.244.1.0/24', 'IPv4').matchAll(/--dports (\S+)/g),
  ].map(([, list = '']) => list.split(',').length)
  t.same(groups, [15, 15, 2])
})

t.test('changes', async (t) => {
  const range = '10.244.1.0/24'
  t.equal(hostPortRules([], range, 'IPv4'), '', 'nothing was open, nothing is to be')
  const api = { ...web, id: 'default/api', address: '10.244.1.3' }
  const more = lines(hostPortRules([web, api], range, 'IPv4', [web]))
  t.notOk(
    more.some((line) => / (PREROUTING|OUTPUT|POSTROUTING) /.test(line)),
    'the jumps stand',
  )
  t.equal(more.filter((line) => line.startsWith(':CNI-DN-')).length, 2)
  const [, gone] = more.filter((line) => line.startsWith(':CNI-DN-')).map((line) => line.slice(1, 29))
  const fewer = lines(hostPortRules([web], range, 'IPv4', [web, api]))
  t.ok(fewer.includes(`-X ${gone}`))
  t.notOk(fewer.some((line) => line.startsWith(`-A ${gone}`)))
  const none = lines(hostPortRules([], range, 'IPv4', [web]))
  t.equal(none.filter((line) => line.startsWith('-D ')).length, 3, 'the jumps go with the last pod')
})

t.test('pods of a node, with the address of a family', async (t) => {
  const text = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  nodeName: node-a
  containers:
    - name: c
      image: x
      ports:
        - { containerPort: 80, hostPort: 8080 }
        - { containerPort: 81, hostPort: 8081, hostIP: '::1' }
        - { containerPort: 82 }
---
apiVersion: v1
kind: Pod
metadata: { name: host }
spec: { nodeName: node-a, hostNetwork: true, containers: [{ name: c, image: x, ports: [{ containerPort: 90 }] }] }
`
  const both = cluster(text, { families: ['IPv4', 'IPv6'] })
  t.match(hostPortPods(both, 'node-a', 'IPv4'), [
    { id: 'default/web', address: '10.244.1.2', ports: [{ hostPort: 8080 }] },
  ])
  t.match(hostPortPods(both, 'node-a', 'IPv6'), [
    { address: 'fd00:244:0:1::2', ports: [{ hostPort: 8080 }, { hostPort: 8081 }] },
  ])
  t.same(hostPortPods(both, 'node-b', 'IPv4'), [])
})
