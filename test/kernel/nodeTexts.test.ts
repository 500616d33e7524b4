import { spawnSync } from 'node:child_process'
import t from 'tap'
import type { NodePart } from '../../src/snapshot/attached/texts/model.js'
import { readNodeText } from '../../src/snapshot/attached/texts/nodeText.js'
import { readingScript, readPlace, type ReadPlace } from '../../src/snapshot/readings/readPlace.js'
import { cannotRun } from './ability.js'

/** A node with a bridge, a tunnel, routes of several tables, rules and sets, and a namespace behind each of two veths. */
const build = `
set -e
mount -t tmpfs tmpfs /run
mkdir -p /run/netns
ip netns add pod
ip link set lo up
ip link add eth0 type veth peer name outside netns pod
ip addr add 172.18.0.2/16 dev eth0
ip addr add fd00:18::2/64 dev eth0 nodad
ip link set eth0 up
ip -n pod link set outside up
ip link add cni0 type bridge
ip addr add 10.244.1.1/24 dev cni0
ip link set cni0 up
ip link add vetha type veth peer name eth0 netns pod
ip link set vetha master cni0
bridge link set dev vetha hairpin on
ip link set vetha mtu 1450 up
ip -n pod link set eth0 up
ip link add a0 type veth peer name b0
ip link set a0 arp off up
ip link add flannel.1 type vxlan id 1 local 172.18.0.2 dev eth0 dstport 8472 nolearning
ip addr add 10.244.1.0/32 dev flannel.1
ip link set flannel.1 up
bridge fdb append 5e:65:dc:22:23:3b dev flannel.1 dst 172.18.0.3 self
ip neigh add 10.244.0.0 lladdr 5e:65:dc:22:23:3b dev flannel.1 nud permanent
ip route add 10.244.0.0/24 via 10.244.0.0 dev flannel.1 onlink
ip route add default via 172.18.0.1
ip route add default via 172.18.0.9 metric 100
ip -6 route add default via fd00:18::1 dev eth0
ip route add default dev vetha table 100
ip route add blackhole 10.9.0.0/16 table 100
ip route add unreachable 10.10.0.0/16 metric 5
ip route add 10.11.0.0/16 nexthop via 172.18.0.5 nexthop via 172.18.0.6
ip route add throw 10.12.0.0/16 table 2005
ip rule add from 10.244.0.0/16 fwmark 0x80/0x80 iif eth0 lookup 100 prio 50
ip rule add not from 10.1.0.0/16 table 100 suppress_prefixlength 0 prio 60
ip rule add to 10.2.0.1 ipproto tcp dport 80 unreachable prio 70
ip -6 rule add to fd00:99::/64 prohibit prio 70
iptables -A FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
iptables -P FORWARD DROP
iptables -t nat -N KUBE-SERVICES
iptables -t nat -A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
iptables -t nat -A KUBE-SERVICES -d 10.96.0.1/32 -p tcp -m tcp --dport 443 -j DNAT --to-destination 172.18.0.5:6443
ip6tables -A INPUT -s fd00::/64 -p ipv6-icmp -m icmp6 --icmpv6-type 128 -j REJECT
nft add table ip kube-proxy
nft 'add set ip kube-proxy cluster-ips { type ipv4_addr; elements = { 10.96.0.1, 10.96.0.10 }; }'
nft 'add chain ip kube-proxy services { type nat hook prerouting priority dstnat; }'
nft add rule ip kube-proxy services ip daddr @cluster-ips tcp dport 80 counter dnat to 10.244.1.2:8080
echo 1 > /proc/sys/net/ipv4/ip_forward
echo 2 > /proc/sys/net/ipv4/conf/eth0/rp_filter
set +e
`

const texts = [
  'ip -d addr',
  'ip neigh',
  'ip route show table all',
  'ip rule',
  'ip -6 rule',
  'bridge fdb',
  'sysctl -a',
  'iptables-save -c',
  'ip6tables-save',
  'nft list ruleset',
  'nft -j list ruleset',
  'iptables -t nat -S',
  'iptables -t nat -L -n -v',
  'ss -lntu',
] as const

t.test('texts of a namespace say what is read from it', { skip: cannotRun }, async (t) => {
  const mark = 'MARK-OF-THE-TEST'
  const script = `${build}
${readingScript(mark)}
${texts.map((command) => `printf '\\n%s\\n' ${mark}-TEXT; ${command} 2>/dev/null`).join('\n')}
`
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
  const { stdout, stderr, status } = spawnSync('unshare', [...user, '--mount', '--net', 'sh', '-c', script], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
    maxBuffer: 64 * 1024 * 1024,
  })
  t.equal(status, 0, stderr.slice(-400))
  const [read = '', ...outputs] = stdout.split(`\n${mark}-TEXT\n`)
  const place = readPlace('', mark, `${read}\n`)
  t.strictSame(
    place.unread.filter(({ what }) => !/ipset|IPVS|recent|tracking/.test(what)),
    [],
  )
  const part = (command: (typeof texts)[number]): NodePart => {
    const text = outputs[texts.indexOf(command)] ?? ''
    return (
      readNodeText({ path: `${command}.txt`, line: 1, text, command }) ?? {
        format: 'none',
        lost: [],
        problems: [],
      }
    )
  }
  comparison(t, place, part)
})

type Comparing = Pick<typeof t, 'ok' | 'equal' | 'strictSame' | 'match'>

function comparison(
  t: Comparing,
  place: ReadPlace,
  part: (command: (typeof texts)[number]) => NodePart,
): void {
  const { links = [], devices, ports, neighbours, routes } = place.interfaces ?? {}
  const addresses = part('ip -d addr')
  t.ok(links.length >= 7)
  // a number in JSON, and its name in text
  const numbered = (all: typeof links) =>
    all.map(({ peer, ...link }) => ({
      ...link,
      netns: undefined,
      peer: peer && { ...peer, namespace: peer.namespace !== undefined },
    }))
  t.strictSame(numbered(addresses.links ?? []), numbered(links))
  t.strictSame(nowhere(addresses.devices), nowhere(devices))
  t.strictSame(nowhere(addresses.ports), nowhere(ports))
  t.strictSame(nowhere(part('ip neigh').neighbours), nowhere(neighbours))
  t.strictSame(nowhere(part('ip route show table all').routes), nowhere(routes))
  t.strictSame([...(part('ip rule').policies ?? []), ...(part('ip -6 rule').policies ?? [])], place.policies)
  t.strictSame(part('bridge fdb').forwarding, place.forwarding)
  const sysctls = part('sysctl -a').sysctls ?? {}
  t.ok(Object.keys(place.sysctls ?? {}).length > 10)
  for (const [name, value] of Object.entries(place.sysctls ?? {})) t.equal(sysctls[name], value, name)
  for (const family of ['IPv4', 'IPv6'] as const) {
    const saved = part(family === 'IPv4' ? 'iptables-save -c' : 'ip6tables-save')
    t.strictSame(unplaced(saved.rules?.[family]), unplaced(place.rules?.[family]))
  }
  const nat = new Map([...(place.rules?.IPv4 ?? [])].filter(([table]) => table === 'nat'))
  t.strictSame(unplaced(part('iptables -t nat -S').rules?.IPv4), unplaced(nat))
  t.strictSame(unplaced(part('iptables -t nat -L -n -v').rules?.IPv4), unplaced(nat))
  t.strictSame(unplaced(part('nft list ruleset').nft), unplaced(place.nft))
  t.match(unplaced(part('nft -j list ruleset').nft), { order: place.nft?.order })
  t.strictSame(part('ss -lntu').sockets ?? [], place.sockets)
}

/** Whether the namespace has the name `''` or none is the same here. */
function nowhere<Value extends { readonly netns: string | undefined }>(
  values: readonly Value[] = [],
): readonly object[] {
  return values.map((value) => ({ ...value, netns: undefined }))
}

/** Without where rules were read, and without the counters that nft prints. */
function unplaced(value: unknown): unknown {
  const plain = (key: string, one: unknown) => {
    if (key === 'at') return undefined
    if (typeof one === 'string') return one.replaceAll(/counter packets \d+ bytes \d+/g, 'counter')
    return one instanceof Map ? [...(one as Map<string, unknown>)].sort(([a], [b]) => (a < b ? -1 : 1)) : one
  }
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value, plain))
}
