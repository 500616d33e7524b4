import t from 'tap'
import {
  interfacesOf,
  policiesOf,
  routesOf,
  type IpLink,
  type IpRoute,
  type IpRule,
} from '../../../src/snapshot/readings/interfaces.js'
import { fixture, readFixture, readText } from './nodeTextFile.js'

const json = <Value>(name: string) => JSON.parse(fixture(name)) as Value
const found = interfacesOf(undefined, json<IpLink[]>('ip-j-daddr'))

t.test('ip -d addr says what its JSON says', async (t) => {
  const part = readFixture('ip-daddr')
  // ip prints the name of the other namespace, if it has one, and its number only in JSON
  const links = part.links?.map((link) => ({
    ...link,
    peer: link.peer?.namespace === -1 ? { ...link.peer, namespace: 0 } : link.peer,
  }))
  t.strictSame(links, found.links)
  t.strictSame(part.devices, found.devices)
  t.strictSame(part.ports, found.ports)
  t.strictSame(part.lost, [])
})

t.test('ip addr without -d does not know what links are', async (t) => {
  const part = readFixture('ipaddr')
  t.strictSame(part.devices, found.devices)
  t.match(part.lost, [/does not show what the links are/])
  t.strictSame(part.ports, [{ netns: undefined, device: 'vetha', bridge: 'cni0', hairpin: undefined }])
  const kinds = Object.fromEntries(part.links?.map(({ name, kind }) => [name, kind]) ?? [])
  t.match(kinds, { cni0: 'bridge', a0: 'veth', b0: 'veth', 'flannel.1': undefined, mv0: undefined })
})

t.test('ip -o addr', async (t) => {
  const part = readFixture('ip-oaddr')
  t.strictSame(
    part.devices,
    found.devices.filter(({ name }) => !['a0', 'b0', 'mv0'].includes(name)),
  )
})

t.test('ip -br addr', async (t) => {
  const part = readText(`lo               UNKNOWN        127.0.0.1/8 ::1/128
eth0@if2         UP             172.18.0.2/16 fd00:18::2/64 fe80::649f:5cff:fea0:f684/64
b0@a0            DOWN
flannel.1        DOWN           10.244.1.0/32
`)
  t.strictSame(part.devices?.slice(0, 2), found.devices.slice(0, 2))
  t.match(part.links, [
    { name: 'lo', up: true },
    { name: 'eth0', up: true },
    { name: 'flannel.1', up: false },
  ])
  t.strictSame(part.problems, [])
})

t.test('ip route of all tables says what its JSON says', async (t) => {
  const routes = routesOf(undefined, json<IpRoute[]>('ip-jrouteshowtableall'))
  t.strictSame(readFixture('iprouteshowtableall').routes, routes)
  t.strictSame(readFixture('ip-drouteshowtableall').routes, routes)
  t.ok(
    routes.some(({ kind }) => kind === 'unknown'),
    'a route with several next hops',
  )
})

t.test('ip route of one table', async (t) => {
  const command = 'ip route show table 100'
  const part = readFixture('iprouteshowtable100', { command })
  t.strictSame(
    part.routes,
    readFixture('iprouteshowtableall').routes?.filter(({ table }) => table === '100'),
  )
  t.match(part.lost, ['only the table 100 is shown'])
  t.match(readText('10.0.0.1 via 172.18.0.1 dev eth0 src 172.18.0.2 uid 0 \n    cache \n').routes, [])
})

t.test('ip rule says what its JSON says', async (t) => {
  const policies = policiesOf('', 'IPv4', json<IpRule[]>('ip-jrule'))
  t.strictSame(readFixture('iprule').policies, policies)
  t.strictSame(readFixture('ip-drule').policies, policies)
  t.ok(policies.some(({ unknown }) => unknown !== undefined))
  t.match(readFixture('iprule', { path: 'networking/ip6rule.txt' }).policies?.[0], { family: 'IPv6' })
})

t.test('ip neigh', async (t) => {
  t.strictSame(readFixture('ipneigh').neighbours, [
    { netns: undefined, address: '10.244.0.0', mac: '5e:65:dc:22:23:3b', device: 'flannel.1' },
  ])
})

t.test('sysctl', async (t) => {
  const part = readText(`abi.vsyscall32 = 1
net.bridge.bridge-nf-call-iptables = 0
net.ipv4.conf.eth0/100.rp_filter = 1
net.ipv4.ip_forward=1
net.ipv4.ip_local_port_range = 32768	60999
sysctl: permission denied on key 'net.core.bpf_jit_harden'
/proc/sys/net/ipv4/conf/eth0.7/rp_filter:2
`)
  t.strictSame(part.sysctls, {
    'net.bridge.bridge-nf-call-iptables': '0',
    'net.ipv4.conf.eth0.100.rp_filter': '1',
    'net.ipv4.ip_forward': '1',
    'net.ipv4.ip_local_port_range': '32768\t60999',
    'net.ipv4.conf.eth0.7.rp_filter': '2',
  })
  t.match(part.problems, [{ line: 6, message: /permission denied/ }])
})

t.test('a command of another namespace shows nothing of the node', async (t) => {
  for (const command of [
    'ip netns exec web ip addr',
    'kubectl exec -n shop web-1 -- ip addr',
    'nsenter -t 123 -n ip addr',
  ]) {
    const part = readFixture('ipaddr', { command })
    t.equal(part.links, undefined, command)
    t.match(part.lost, [/nothing of the node's own network namespace/])
  }
  const hosts = [
    'ssh root@n1 sudo ip addr',
    'kubectl exec -n kube-system kube-proxy-x -- ip addr',
    'nsenter -t 1 -n ip addr',
  ]
  for (const command of hosts) t.ok(readFixture('ipaddr', { command }).links, command)
})
