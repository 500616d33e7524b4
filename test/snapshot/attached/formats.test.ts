import t from 'tap'
import { loadIpsets } from '../../../src/snapshot/rules/ipsets.js'
import { fixture, readFixture, readText } from './nodeTextFile.js'

t.test('ip -j says what the text says', async (t) => {
  t.strictSame(readFixture('ip-j-daddr').devices, readFixture('ip-daddr').devices)
  t.strictSame(readFixture('ip-jrouteshowtableall').routes, readFixture('iprouteshowtableall').routes)
  t.strictSame(readFixture('ip-jrule').policies, readFixture('iprule').policies)
  t.strictSame(readFixture('ip-jneigh').neighbours, readFixture('ipneigh').neighbours)
  t.strictSame(readFixture('bridge-jfdb').forwarding, readFixture('bridgefdb').forwarding)
  t.strictSame(readFixture('bridgefdb').forwarding, [
    { netns: '', mac: '5e:65:dc:22:23:3b', device: 'flannel.1', to: '172.18.0.3' },
  ])
})

t.test('bridge link', async (t) => {
  const port = { netns: undefined, device: 'vetha', bridge: 'cni0' }
  t.strictSame(readFixture('bridge-dlink').ports, [{ ...port, hairpin: true }])
  const short = readFixture('bridgelink')
  t.strictSame(short.ports, [{ ...port, hairpin: undefined }])
  t.match(short.lost, ['bridge link without -d does not show hairpin'])
})

t.test('ifconfig has the addresses of ip addr', async (t) => {
  const part = readFixture('ifconfig-a')
  const byName = (devices = part.devices ?? []) => [...devices].sort((a, b) => a.name.localeCompare(b.name))
  t.strictSame(byName(), byName([...(readFixture('ipaddr').devices ?? [])]))
  t.match(
    part.links?.find(({ name }) => name === 'a0'),
    { up: true, answersArp: false, mac: 'fa:1a:e4:16:23:92', mtu: 1500 },
  )
  t.match(part.lost, [/ifconfig does not show what the links are/])
  const old = readText(`eth0      Link encap:Ethernet  HWaddr 02:42:AC:11:00:02
          inet addr:172.17.0.2  Bcast:172.17.255.255  Mask:255.255.0.0
          inet6 addr: fd00::2/64 Scope:Global
          UP BROADCAST RUNNING MULTICAST  MTU:1400  Metric:1
`)
  t.match(old.devices, [
    {
      name: 'eth0',
      addresses: [
        { address: '172.17.0.2', prefixLength: 16 },
        { address: 'fd00::2', prefixLength: 64 },
      ],
    },
  ])
  t.match(old.links, [{ mac: '02:42:ac:11:00:02', mtu: 1400, up: true }])
})

t.test('route -n has the routes of ip route', async (t) => {
  const main = readFixture('iproute').routes ?? []
  const plain = main.map(({ source: _source, kind: _kind, ...route }) => route)
  const part = readFixture('route-n')
  const found = (part.routes ?? []).map(({ kind: _kind, ...route }) => route)
  const text = (route: object) => JSON.stringify(Object.entries(route).sort())
  const several = (to: string) => to === '10.11.0.0/16'
  t.strictSame(
    found
      .filter(({ to }) => !several(to))
      .map(text)
      .sort(),
    plain
      .filter(({ to }) => !several(to))
      .map(text)
      .sort(),
  )
  t.ok(part.routes?.some(({ to, kind }) => to === '10.10.0.0/16' && kind === 'unreachable'))
  t.match(readFixture('netstat-rn').routes?.length, part.routes?.length)
  t.match(readFixture('route-Ainet6-n').routes, [
    { to: 'fd00:18::/64', device: 'eth0' },
    { to: 'default', via: 'fd00:18::1' },
  ])
})

t.test('ipset save and ipset list', async (t) => {
  const saved = readFixture('ipsetsave')
  t.strictSame(saved.sets, loadIpsets(fixture('ipsetsave').split('\n')))
  t.strictSame(readFixture('ipsetlist').sets, saved.sets)
  t.match(saved.sets?.get('L'), { type: 'list:set', unknown: undefined })
})

t.test('ipvsadm -Sn says what -Ln says', async (t) => {
  const listed = readText(`IP Virtual Server version 1.2.1 (size=4096)
Prot LocalAddress:Port Scheduler Flags
  -> RemoteAddress:Port           Forward Weight ActiveConn InActConn
TCP  10.96.0.1:443 rr persistent 10800
  -> 172.18.0.5:6443              Masq    1      0          0
UDP  [fd00::a]:53 mh (mh-port)
  -> [fd00:244::2]:53             Masq    0      3          1
TCP  10.96.0.9:80 rr
`)
  const saved = readText(`-A -t 10.96.0.1:443 -s rr -p 10800
-a -t 10.96.0.1:443 -r 172.18.0.5:6443 -m -w 1
-A -u [fd00::a]:53 -s mh -b mh-port
-a -u [fd00::a]:53 -r [fd00:244::2]:53 -m -w 0
-A -t 10.96.0.9:80 -s rr
`)
  t.strictSame(saved.servers, listed.servers)
  t.match(
    saved.servers?.find(({ address }) => address === '10.96.0.1'),
    {
      persistence: 10800,
      realServers: [{ address: '172.18.0.5', port: 6443, weight: 1 }],
    },
  )
})

t.test('conntrack -L and /proc/net/nf_conntrack', async (t) => {
  const line =
    'tcp      6 86389 ESTABLISHED src=10.244.1.2 dst=10.96.0.1 sport=40000 dport=443 src=172.18.0.5 dst=10.244.1.2 sport=6443 dport=40000 [ASSURED] mark=0 use=1'
  const listed = readText(
    `conntrack v1.4.7 (conntrack-tools): 1 flow entries have been shown.\n${line}\nbroken line\n`,
  )
  t.match(listed.connections, [
    { place: '', protocol: 'tcp', answered: true, original: { destination: { address: '10.96.0.1' } } },
  ])
  t.match(listed.problems, [{ line: 3, message: /expected a conntrack entry/ }])
  t.strictSame(readText(`ipv4     2 ${line}\n`).connections, listed.connections)
})

t.test('sockets of ss, with and without the column of protocols, and of netstat', async (t) => {
  const ss = readText(`Netid State  Recv-Q Send-Q Local Address:Port  Peer Address:PortProcess
udp   UNCONN 0      0            0.0.0.0:8472       0.0.0.0:*
tcp   LISTEN 0      5      192.168.50.12:10250      0.0.0.0:*    users:(("kubelet",pid=6791,fd=3))
tcp   ESTAB  0      0      192.168.50.12:48630 192.168.50.10:6443
tcp   LISTEN 0      4096               *:10256            *:*    users:(("kube-proxy",pid=7053,fd=11))
`)
  t.strictSame(ss.sockets, [
    { protocol: 'udp', port: 8472, family: 'IPv4' },
    { protocol: 'tcp', port: 10250, address: '192.168.50.12' },
    { protocol: 'tcp', port: 10256 },
  ])
  const short = readText(
    `Total: 12
TCP:   172 (estab 1, closed 167, orphaned 0, timewait 1)

State  Recv-Q Send-Q Local Address:Port Peer Address:PortProcess
LISTEN 0      5      192.168.50.12:10250     0.0.0.0:*    users:(("kubelet",pid=1,fd=3)) ino:1 sk:2
\t cubic cwnd:10
`,
    { command: 'ss -t -p -a -i -s -n -e' },
  )
  t.strictSame(short.sockets, [{ protocol: 'tcp', port: 10250, address: '192.168.50.12' }])
  t.match(short.lost, [/shows no sockets of UDP/])
  const netstat = readText(`Active Internet connections (servers and established)
Proto Recv-Q Send-Q Local Address           Foreign Address         State       PID/Program name
tcp        0      0 192.168.50.12:10250     0.0.0.0:*               LISTEN      6791/kubelet
tcp        0      0 192.168.50.12:48630     192.168.50.10:6443      ESTABLISHED 7053/kube-proxy
tcp6       0      0 :::10256                :::*                    LISTEN      7053/kube-proxy
udp        0      0 0.0.0.0:8472            0.0.0.0:*                           -
`)
  t.strictSame(new Set(netstat.sockets), new Set(ss.sockets))
})

t.test('names of hosts', async (t) => {
  t.equal(readText('k3s-2\n', { path: 'systeminfo/hostname' }).hostname, 'k3s-2')
  t.equal(readText('node-1.example\n', { command: 'hostname -f' }).hostname, 'node-1.example')
  t.equal(readText('Linux k3s-2 6.8.0-60-generic #63-Ubuntu SMP x86_64 GNU/Linux\n').hostname, 'k3s-2')
})

t.test('a file of /proc', async (t) => {
  const recent = 'src=10.244.1.2 ttl: 63 last_seen: 4295 oldest_pkt: 1 4295\n'
  const expected = new Map([['KUBE-SEP-X', new Set(['10.244.1.2'])]])
  t.strictSame(readText(`/proc/net/xt_recent/KUBE-SEP-X:${recent}`).recent, expected)
  t.strictSame(readText(recent, { command: 'cat /proc/net/xt_recent/KUBE-SEP-X' }).recent, expected)
  t.strictSame(readText('1\n', { command: 'cat /proc/sys/net/ipv4/ip_forward' }).sysctls, {
    'net.ipv4.ip_forward': '1',
  })
})

t.test('nft: the tables of iptables, which nft prints in its own words', async (t) => {
  const part = readFixture('nft-ruleset')
  t.strictSame(part.nft?.tables, [])
  t.strictSame(part.nft?.order, ['ip filter', 'ip nat', 'ip mangle', 'ip raw'])
  const filter = part.iptablesInNft?.find(({ name }) => name === 'filter')
  const rules = filter?.chains.get('FORWARD')?.rules ?? []
  const kinds = (spec: RegExp) =>
    rules.find((rule) => spec.test(rule.spec))?.statements.map(({ kind }) => kind)
  t.strictSame(kinds(/tcp flags syn \/ syn,rst/)?.[0], 'match')
  t.ok(kinds(/xt match set/)?.includes('unknown'), 'a condition that nft does not know')
  t.match(rules.find(({ spec }) => spec.includes('ct state !'))?.statements[0], {
    kind: 'match',
    operator: '!=',
    right: { words: ['invalid'] },
  })
  const line =
    fixture('nft-ruleset')
      .split('\n')
      .findIndex((one) => one.includes('tcp flags syn / syn,rst')) + 1
  t.strictSame(rules.find(({ spec }) => spec.includes('syn / syn,rst'))?.at, { file: 'nft-ruleset', line })
})

const proxy = `table ip kube-proxy {
	set cluster-ips {
		type ipv4_addr
		elements = { 10.96.0.1,
			     10.96.0.10 }
	}

	chain nat-prerouting {
		type nat hook prerouting priority dstnat; policy accept;
		ip daddr @cluster-ips counter packets 0 bytes 0 goto services # handle 12
	}

	chain services {
		meta mark set meta mark | 0x00004000
		numgen random mod 2 vmap { 0 : goto one, 1 : goto two }
	}
}
`

t.test('nft: listings that have lost their tabs, or their end', async (t) => {
  const whole = readText(proxy)
  t.equal(whole.nft?.tables[0]?.sets.get('cluster-ips')?.elements.exact.size, 2)
  t.equal(whole.nft?.tables[0]?.chains.get('services')?.rules.length, 2)
  t.strictSame(readText(proxy.replaceAll('\t', '    ')).nft, whole.nft)
  t.strictSame(readText(proxy.replaceAll('\t', '')).nft, whole.nft)
  const cut = readText(proxy.slice(0, proxy.indexOf('\t\tnumgen')))
  t.equal(cut.partial, true)
  t.match(cut.problems, [/./, { message: /ends inside a table/ }].slice(1))
  t.equal(cut.nft?.tables[0]?.chains.get('services')?.rules.length, 1)
})

t.test('nft -j', async (t) => {
  const part = readFixture('nft-jruleset')
  const texts = readFixture('nft-ruleset')
  t.strictSame(part.nft?.order, texts.nft?.order)
  const counts = ({ iptablesInNft = [] }: typeof part) =>
    iptablesInNft.map(({ name, chains }) => [
      name,
      [...chains].map(([chain, { hook, rules }]) => [chain, hook, rules.length]),
    ])
  t.strictSame(counts(part), counts(texts))
})

t.test('texts of no format, and of a collector that failed', async (t) => {
  for (const text of [
    '',
    'hello\nworld\n',
    '{"kind": "List"}',
    'apiVersion: v1\nkind: Service\n',
    'NAME  READY\nweb  1/1\n',
  ])
    t.throws(() => readText(text), /no format/)
  const failed = readText("> Error while running 'iptables-save -c':  exit status 127\n\n")
  t.match(failed, {
    format: 'error of a collector',
    problems: [{ line: 1, message: /could not read it: Error while running/ }],
  })
})
