import { basename } from 'node:path'
import { isFull } from '../suite.js'
import t, { type Test } from 'tap'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { vethlab } from './servedCommands.js'

/** Something that is done on a host of the lab nodeport, whose one pod is on node-a, so that node-b cannot reach the pod. */
interface Fault {
  readonly name: string
  /** Commands of a shell: `POD` is the name of the pod, `ADDRESS` its address. */
  readonly make: string
  readonly undo: string
  readonly place: string
  /** What the answer names. */
  readonly says: RegExp
}

/** The first port of the bridge of a node. */
const port = "port=$(ip -o link show master cni0 | sed 's/^[0-9]*: \\([^@]*\\)@.*/\\1/;q')"

const faults: readonly Fault[] = [
  {
    name: 'a deleted route',
    place: 'node-b',
    make: 'ip route del 10.244.1.0/24',
    undo: 'ip route add 10.244.1.0/24 via 172.18.0.2',
    says: /node-b/,
  },
  {
    name: 'a blackhole route',
    place: 'node-b',
    make: 'ip route add blackhole ADDRESS/32',
    undo: 'ip route del blackhole ADDRESS/32',
    says: /blackhole/,
  },
  {
    name: 'a rule of policy routing to a blackhole',
    place: 'node-b',
    make: 'ip route add blackhole default table 7; ip rule add to 10.244.1.0/24 lookup 7',
    undo: 'ip rule del to 10.244.1.0/24 lookup 7; ip route flush table 7',
    says: /blackhole/,
  },
  {
    name: 'a rule of policy routing with a condition that is not evaluated',
    place: 'node-b',
    make: 'ip rule add ipproto tcp unreachable',
    undo: 'ip rule del ipproto tcp unreachable',
    says: /policy routing.* not predicted/,
  },
  {
    name: 'a route with several next hops',
    place: 'node-b',
    make: 'ip route replace 10.244.1.0/24 nexthop via 172.18.0.1 nexthop via 172.18.0.2',
    undo: 'ip route replace 10.244.1.0/24 via 172.18.0.2',
    says: /not predicted/,
  },
  {
    name: 'a wrong neighbour',
    place: 'node-b',
    make: 'ip neigh replace 172.18.0.2 lladdr 02:00:00:00:00:09 dev eth0 nud permanent',
    undo: 'ip neigh replace 172.18.0.2 lladdr 0a:58:ac:12:00:02 dev eth0 nud permanent',
    says: /02:00:00:00:00:09/,
  },
  {
    name: 'a removed address of a node',
    place: 'node-b',
    make: 'ip address del 172.18.0.3/16 dev eth0',
    undo: 'ip address add 172.18.0.3/16 dev eth0; ip route replace default via 172.18.0.1; ip route replace 10.244.1.0/24 via 172.18.0.2',
    says: /172\.18\.0\.3/,
  },
  {
    name: 'a link of a node that is down',
    place: 'node-b',
    make: 'ip link set eth0 down',
    undo: 'ip link set eth0 up; ip route replace default via 172.18.0.1; ip route replace 10.244.1.0/24 via 172.18.0.2',
    says: /eth0/,
  },
  {
    name: 'rules of the other backend of iptables',
    place: 'node-b',
    make: 'iptables-legacy -I FORWARD -d ADDRESS -j DROP',
    undo: 'iptables-legacy -D FORWARD -d ADDRESS -j DROP',
    says: /legacy:filter FORWARD/,
  },
  {
    name: 'a rule of the table security',
    place: 'node-b',
    make: 'iptables -t security -I FORWARD -d ADDRESS -j DROP',
    undo: 'iptables -t security -F',
    says: /security FORWARD/,
  },
  {
    name: 'a set of sets',
    place: 'node-b',
    make: 'ipset create addresses hash:ip; ipset add addresses ADDRESS; ipset create all list:set; ipset add all addresses; iptables -I FORWARD -m set --match-set all dst -j DROP',
    undo: 'iptables -D FORWARD -m set --match-set all dst -j DROP; ipset destroy all; ipset destroy addresses',
    says: /filter FORWARD/,
  },
  {
    name: 'two base chains of one table at one priority',
    place: 'node-b',
    make: "nft 'add table ip x; add chain ip x a { type filter hook forward priority filter; }; add rule ip x a accept; add chain ip x b { type filter hook forward priority filter; }; add rule ip x b drop'",
    undo: 'nft delete table ip x',
    says: /ip x b/,
  },
  {
    name: 'a table of family bridge',
    place: 'node-a',
    make: "nft 'add table bridge x; add chain bridge x f { type filter hook output priority filter; }; add rule bridge x f ip daddr ADDRESS drop'",
    undo: 'nft delete table bridge x',
    says: /table bridge x/,
  },
  {
    name: 'a table of family netdev',
    place: 'node-b',
    make: "nft 'add table netdev x; add chain netdev x f { type filter hook ingress device eth0 priority filter; }; add rule netdev x f tcp dport 30080 drop'",
    undo: 'nft delete table netdev x',
    says: /netdev x/,
  },
  {
    name: "a pod's own firewall",
    place: 'POD',
    make: 'iptables -I INPUT -p tcp --dport 80 -j DROP',
    undo: 'iptables -D INPUT -p tcp --dport 80 -j DROP',
    says: /filter INPUT/,
  },
  {
    name: "a pod's address",
    place: 'POD',
    make: 'ip address del ADDRESS/24 dev eth0',
    undo: 'ip address add ADDRESS/24 dev eth0; ip route replace default via 10.244.1.1',
    says: /ADDRESS/,
  },
  {
    name: "a pod's default route",
    place: 'POD',
    make: 'ip route del default',
    undo: 'ip route add default via 10.244.1.1',
    says: /POD has no route/,
  },
  {
    name: "a pod's link",
    place: 'POD',
    make: 'ip link set eth0 down',
    undo: 'ip link set eth0 up; ip route replace default via 10.244.1.1',
    says: /eth0 of POD/,
  },
  {
    name: "a pod's program",
    place: 'POD',
    make: 'iptables -t nat -I PREROUTING -p tcp --dport 80 -j REDIRECT --to-ports 81',
    undo: 'iptables -t nat -F',
    says: /nothing listens/,
  },
  {
    name: 'forwarding of one interface',
    place: 'node-b',
    make: 'sysctl -q -w net.ipv4.conf.eth0.forwarding=0',
    undo: 'sysctl -q -w net.ipv4.conf.eth0.forwarding=1',
    says: /forwarding of eth0 is 0/,
  },
  {
    name: 'rules of nat of both backends',
    place: 'node-b',
    make: 'iptables-legacy -t nat -I PREROUTING -p tcp --dport 30080 -j DNAT --to-destination 192.0.2.1:5',
    undo: 'iptables-legacy -t nat -F',
    says: /both backends of iptables have rules of nat/,
  },
  {
    name: 'a port of a bridge that does not forward',
    place: 'node-a',
    make: `${port}; bridge link set dev "$port" state 1`,
    undo: `${port}; bridge link set dev "$port" state 3`,
    says: /bridge port veth.* is (?:listening|learning)/,
  },
  {
    name: 'a learned neighbour that is not there',
    place: 'node-b',
    make: 'ip neigh replace 172.18.0.2 lladdr 02:00:00:00:00:09 dev eth0 nud reachable',
    undo: 'ip neigh replace 172.18.0.2 lladdr 0a:58:ac:12:00:02 dev eth0 nud permanent',
    says: /has learned 02:00:00:00:00:09/,
  },
  {
    name: 'a table of family arp',
    place: 'node-a',
    make: "nft 'add table arp x; add chain arp x f { type filter hook output priority filter; policy drop; }'",
    undo: 'nft delete table arp x',
    says: /table arp x/,
  },
  {
    name: 'a hook ingress of family inet',
    place: 'node-b',
    make: "nft 'add table inet x; add chain inet x f { type filter hook ingress device eth0 priority filter; }; add rule inet x f drop'",
    undo: 'nft delete table inet x',
    says: /table inet x/,
  },
  {
    name: 'a duplicate address',
    place: 'node-a',
    make: 'ip address add 172.18.0.3/16 dev eth0',
    undo: 'ip address del 172.18.0.3/16 dev eth0',
    says: /who has 172\.18\.0\.3/,
  },
  {
    name: 'a bridge port that is isolated',
    place: 'node-a',
    make: `${port}; bridge link set dev "$port" isolated on`,
    undo: `${port}; bridge link set dev "$port" isolated off`,
    says: /isolated/,
  },
]

t.test('what the kernel of a running lab has is what why answers from', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const name = basename(path)
  t.teardown(() => vethlab(['down', name]))
  const up = await vethlab(['up', path])
  t.equal(up.code, 0, up.stderr)
  const scaled = await vethlab([
    'kubectl',
    '--built-in',
    name,
    'scale',
    'deployment/my-app',
    '--replicas',
    '1',
  ])
  t.equal(scaled.code, 0, scaled.stderr)
  const { items } = JSON.parse(
    (await vethlab(['kubectl', '--built-in', name, 'get', 'pods', '-o', 'json'])).stdout,
  ) as {
    items: {
      metadata: { name: string; deletionTimestamp?: string }
      status: { podIP: string }
      spec: { nodeName: string }
    }[]
  }
  const [pod] = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  if (pod?.spec.nodeName !== 'node-a') throw new Error('the pod is expected on node-a')
  const named = (text: string) =>
    text.replaceAll('POD', pod.metadata.name).replaceAll('ADDRESS', pod.status.podIP)
  const why = async () => {
    const { stdout, stderr } = await vethlab(['why', name, 'client', 'http://{node-b}:30080/', '--json'])
    if (stdout === '') throw new Error(stderr)
    return { ...(JSON.parse(stdout) as { outcome: string }), text: stdout }
  }
  const run = (t: Test, place: string, script: string) =>
    vethlab(['exec', name, named(place), '--', 'sh', '-c', named(script)]).then(({ code, stderr }) =>
      t.equal(code, 0, `${script}: ${stderr}`),
    )
  t.equal((await why()).outcome, 'passes')
  // the full suite makes all of them
  for (const { name: what, place, make, undo, says } of faults.filter((_, at) => isFull || at % 3 === 0))
    await t.test(what, async (t) => {
      await run(t, place, make)
      const { outcome, text } = await why()
      await run(t, place, undo)
      t.match(outcome, /^(fails|unknown)$/, text)
      t.match(text, new RegExp(named(says.source)))
    })
  const after = await why()
  t.equal(after.outcome, 'passes', after.text)
})
