import t from 'tap'
import { parseTracedPacket, parseTracedRule, tracedCounts } from '../../src/netfilter/nftTrace.js'

const id = 'trace id 2acb0588 ip kube-proxy'
const lines = [
  'trace id 2acb0588 inet vethlab-trace prerouting rule ct state 0x1,0x8 meta nftrace set 1 (verdict continue)',
  `${id} filter-prerouting-pre-dnat packet: iif "eth0" ip saddr 172.18.1.2 ip daddr 172.18.0.2 tcp dport 30080 `,
  `${id} nat-prerouting rule jump services (verdict jump services)`,
  `${id} services rule ip daddr @nodeport-ips meta l4proto . th dport vmap @service-nodeports (verdict goto external-6E2LAMZC-default/web/tcp/)`,
  `${id} external-6E2LAMZC-default/web/tcp/ rule meta mark set meta mark | 0x00004000 comment "masquerade" (verdict continue)`,
  `${id} endpoint-X rule update @affinity-X { ip saddr } (verdict continue)`,
  `${id} cluster-ips-check rule ip saddr != @cluster-ips drop (verdict drop)`,
  `${id} filter-forward policy accept meta mark 0x00004000 `,
  '# ERROR: We lost some netlink events!',
]

t.test('the rules that a packet matched', async (t) => {
  const rules = lines.flatMap((line) => parseTracedRule(line) ?? [])
  t.same(
    rules.map(({ chain, verdict }) => `${chain}: ${verdict}`),
    [
      'prerouting: continue',
      'nat-prerouting: jump services',
      'services: goto external-6E2LAMZC-default/web/tcp/',
      'external-6E2LAMZC-default/web/tcp/: continue',
      'endpoint-X: continue',
      'cluster-ips-check: drop',
    ],
  )
  t.match(rules[1], { packet: '2acb0588', table: 'ip kube-proxy', rule: 'jump services' })
})

t.test('matches as counters, for sets and maps too', async (t) => {
  const existing = ['services', 'reject-chain'].map((chain) => ({
    table: 'kube-proxy',
    chain,
    rule: '',
    packets: 0,
  }))
  const counts = tracedCounts(
    existing,
    lines.flatMap((line) => parseTracedRule(line) ?? []),
  )
  const packets = (chain: string) =>
    counts.filter((one) => one.chain === chain).reduce((sum, one) => sum + one.packets, 0)
  t.equal(packets('services'), 1)
  t.equal(packets('reject-chain'), 0)
  t.ok(
    counts.some(({ chain }) => chain === 'reject-chain'),
    'one that nobody met is there',
  )
  t.same(['nodeport-ips', 'service-nodeports'].map(packets), [1, 1])
  t.same(['affinity-X', 'cluster-ips'].map(packets), [0, 0], 'written to, or not found in')
})

t.test('a packet at a hook', async (t) => {
  const packet = 'trace id 5fa532a3 inet vethlab-trace output packet: oif "lo" '
  const udp = `${packet}ip saddr 127.0.0.1 ip daddr 127.255.255.254 ip protocol udp udp sport 3 udp dport 17 udp length 9 `
  t.same(parseTracedPacket(udp), {
    packet: '5fa532a3',
    header: { source: '127.0.0.1', destination: '127.255.255.254', transport: { protocol: 'udp', port: 17 } },
  })
  const ping = `${packet}ip6 saddr fd00::1 ip6 daddr fd00:10:96::1 ip6 nexthdr ipv6-icmp icmpv6 type echo-request `
  t.same(parseTracedPacket(ping)?.header, { source: 'fd00::1', destination: 'fd00:10:96::1' })
  t.equal(parseTracedPacket(lines[2] ?? ''), undefined)
})
