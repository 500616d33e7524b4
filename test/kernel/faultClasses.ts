import { readFileSync } from 'node:fs'

/** A shell script on a node, pod or client: `pod/far`, `app/far`, `service/far` and `outside/far` are replaced by addresses. */
export interface HostCommand {
  readonly on: string
  readonly run: string
}

/** A kind of failure in the lab of test/fixtures/faultClasses: how it is made, and what `why` answers. */
export interface FaultClass {
  readonly name: string
  readonly make?: readonly HostCommand[]
  /** Removes what is left of it after the fix. */
  readonly undo?: readonly HostCommand[]
  readonly from: string
  /** As addresses, so that the same request is sent and predicted. */
  readonly to: string
  readonly host?: string | undefined
  /** Options of `why`. */
  readonly options?: readonly string[]
  /** A command that is answered only if the request passes; by default curl. */
  readonly probe?: readonly string[]
  readonly code: string
  /** The place of the cause, in the first sentence of the answer. */
  readonly cause: RegExp
}

const far = { from: 'caller', to: 'http://service/far/' } as const
const throughNodeA = { from: 'client', to: 'http://172.18.0.2:30081/' } as const
/** A script on one place. */
export const on = (place: string, run: string) => [{ on: place, run }]
const saved = (program: string) => readFileSync(`labs/usual-suspects/rules/${program}.rules`, 'utf8')
/** Writes the rules that a program writes on a node, and keeps those before it. */
export const rulesOf = (program: string) =>
  `iptables-save > /run/before.rules; iptables-restore --noflush <<'END'\n${saved(program)}\nEND`
const restored = 'iptables-restore /run/before.rules'

/** Kinds that differ in what is read of a host or of the objects: `npm test` makes them. */
export const representatives: readonly FaultClass[] = [
  {
    name: 'no endpoint, by its selector',
    ...{ from: 'caller', to: 'http://service/misspelt/', code: 'selector-matches-nothing' },
    cause: /the cause is in Service default\/misspelt, spec\.selector$/,
  },
  {
    name: 'no endpoint, by the port of a probe',
    ...{ from: 'caller', to: 'http://service/probed/', code: 'probe-port-unserved' },
    cause: /the cause is in Pod default\/probed-\S+, spec\.containers\[0\]\.readinessProbe\.httpGet\.port$/,
  },
  {
    name: 'a targetPort on which nothing listens',
    ...{ from: 'caller', to: 'http://service/wrong-target/', code: 'targetport-unserved' },
    cause: /the cause is in Service default\/wrong-target, spec\.ports\[0\]\.targetPort$/,
  },
  {
    name: 'the policy of FORWARD, as Docker sets it',
    ...far,
    make: on('node-a', rulesOf('docker')),
    undo: on('node-a', restored),
    ...{ code: 'forward-policy-drop', cause: /the cause is on node-a$/ },
  },
  {
    name: 'a stale UDP entry',
    ...{ from: 'caller', to: 'service/resolver:53', options: ['--udp', '--from-port', '4000'] },
    probe: ['sh', '-c', 'echo x | nc -u -w 1 -p 4000 service/resolver 53'],
    make: on(
      'node-a',
      'conntrack -I -p udp -t 600 -s pod/caller -d service/resolver --sport 4000 --dport 53 --dst-nat 10.244.2.77:53',
    ),
    undo: on('node-a', 'conntrack -F'),
    ...{ code: 'stale-conntrack-entry', cause: /the cause is on node-a$/ },
  },
  {
    name: 'externalTrafficPolicy Local on a node without a pod',
    ...{ from: 'client', to: 'http://172.18.0.2:30082/', code: 'external-policy-local' },
    cause: /the cause is in Service default\/far-external, spec\.externalTrafficPolicy$/,
  },
]

/** All others: the full suite makes them. */
export const others: readonly FaultClass[] = [
  {
    name: 'no endpoint: a workload without pods',
    ...{ from: 'caller', to: 'http://service/resting/', code: 'workload-without-pods' },
    cause: /the cause is in Deployment default\/resting, spec\.replicas$/,
  },
  {
    name: 'a targetPort by a name that no container port has',
    ...{ from: 'caller', to: 'http://service/named-target/', code: 'targetport-name-unknown' },
    cause: /the cause is in Service default\/named-target, spec\.ports\[0\]\.targetPort$/,
  },
  {
    name: 'internalTrafficPolicy Local on a node without a pod',
    ...{ from: 'caller', to: 'http://service/far-internal/', code: 'internal-policy-local' },
    cause: /the cause is in Service default\/far-internal, spec\.internalTrafficPolicy$/,
  },
  {
    name: 'source ranges',
    ...{ from: 'client', to: 'http://outside/for-others/', code: 'source-range' },
    cause: /the cause is in Service default\/for-others, spec\.loadBalancerSourceRanges$/,
  },
  {
    name: 'a port that the Service does not have',
    ...{ from: 'caller', to: 'http://service/far:81/', code: 'service-port-absent' },
    cause: /the cause is the request$/,
  },
  {
    name: 'a cluster IP from outside',
    ...{ from: 'client', to: 'http://service/far/', code: 'cluster-ip-from-outside' },
    cause: /the cause is the request$/,
  },
  {
    name: 'the policy of FORWARD, as ufw sets it',
    ...far,
    make: on('node-b', rulesOf('ufw')),
    undo: on('node-b', restored),
    ...{ code: 'forward-policy-drop', cause: /the cause is on node-b$/ },
  },
  {
    name: 'rules of both backends at once',
    ...far,
    make: on('node-a', 'iptables-legacy -I FORWARD -d pod/far -j DROP'),
    undo: on('node-a', 'iptables-legacy -F FORWARD'),
    ...{ code: 'foreign-rule', cause: /the cause is on node-a$/ },
  },
  {
    name: 'a rule of table raw that drops the answer',
    ...far,
    make: on('node-b', 'iptables -t raw -I PREROUTING -s pod/far -j DROP'),
    undo: on('node-b', 'iptables -t raw -F'),
    ...{ code: 'foreign-rule', cause: /the cause is on node-b$/ },
  },
  {
    name: 'rules of kube-proxy that are missing',
    ...far,
    make: on('node-a', 'iptables -t nat -F KUBE-SERVICES'),
    undo: on('node-a', 'conntrack -F'),
    ...{ code: 'rules-missing', cause: /the cause is on node-a$/ },
  },
  {
    name: 'rules of kube-proxy that do not masquerade',
    ...throughNodeA,
    make: on('node-a', 'iptables -t nat -F KUBE-POSTROUTING; conntrack -F'),
    ...{ code: 'rules-missing', cause: /the cause is on node-a$/ },
  },
  {
    name: 'bridge-nf-call-iptables that is off',
    ...{ from: 'caller', to: 'http://service/near/' },
    make: on('node-a', 'sysctl -qw net.bridge.bridge-nf-call-iptables=0'),
    undo: on('node-a', 'sysctl -qw net.bridge.bridge-nf-call-iptables=1'),
    ...{ code: 'bridge-nf-off', cause: /the cause is on node-a$/ },
  },
  {
    name: 'forwarding that is off',
    ...far,
    make: on('node-a', 'sysctl -qw net.ipv4.ip_forward=0'),
    undo: on('node-a', 'sysctl -qw net.ipv4.ip_forward=1'),
    ...{ code: 'ip-forward-off', cause: /the cause is on node-a$/ },
  },
  {
    name: 'a route to pods that is missing',
    ...far,
    make: on('node-a', 'ip route del 10.244.2.0/24'),
    undo: on('node-a', 'ip route replace 10.244.2.0/24 via 172.18.0.3'),
    ...{ code: 'route-missing', cause: /the cause is on node-a$/ },
  },
  {
    name: 'a rule of policy routing',
    ...far,
    make: on(
      'node-a',
      'ip link add vpn0 type bridge; ip link set vpn0 up; ip route add default dev vpn0 table 7; ip rule add to 10.244.2.0/24 lookup 7 priority 900',
    ),
    undo: on('node-a', 'ip link del vpn0'),
    ...{ code: 'policy-routing', cause: /the cause is on node-a$/ },
  },
  {
    name: 'hairpin that is off',
    ...{ from: 'caller', to: 'http://service/caller/' },
    make: on(
      'node-a',
      'for port in $(ip -o link show master cni0 | sed "s/^[0-9]*: \\([^@]*\\)@.*/\\1/"); do bridge link set dev $port hairpin off; done',
    ),
    undo: on(
      'node-a',
      'for port in $(ip -o link show master cni0 | sed "s/^[0-9]*: \\([^@]*\\)@.*/\\1/"); do bridge link set dev $port hairpin on; done',
    ),
    ...{ code: 'hairpin-off', cause: /the cause is on node-a$/ },
  },
  {
    name: 'a Service for UDP in front of a TCP server',
    ...{ from: 'caller', to: 'http://service/as-udp/', code: 'protocol-mismatch' },
    cause: /the cause is in Service default\/as-udp, spec\.ports\[0\]\.protocol$/,
  },
  {
    name: 'a Service for TCP in front of a UDP server',
    ...{ from: 'caller', to: 'service/as-tcp:53', options: ['--udp'] },
    probe: ['sh', '-c', 'echo x | nc -u -w 1 service/as-tcp 53'],
    ...{
      code: 'protocol-mismatch',
      cause: /the cause is in Service default\/as-tcp, spec\.ports\[0\]\.protocol$/,
    },
  },
  {
    name: 'the health check of a node without a pod',
    ...{ from: 'client', to: 'http://172.18.0.3:30090/', code: 'health-check-fails' },
    cause: /the cause is in Service default\/near-balanced, spec\.externalTrafficPolicy$/,
  },
  {
    name: 'a bridge on a node whose range overlaps the pods of another node',
    ...far,
    make: on(
      'node-a',
      'ip link add docker1 type bridge; ip addr add 10.244.2.126/25 dev docker1; ip link set docker1 up',
    ),
    undo: on('node-a', 'ip link del docker1'),
    ...{ code: 'overlapping-range', cause: /the cause is on node-a$/ },
  },
  {
    name: 'half of a connection on a node, which drops what is invalid',
    ...{ from: 'client', to: 'http://pod/far/' },
    make: [
      ...on('node-a', 'sysctl -qw net.ipv4.conf.all.send_redirects=0 net.ipv4.conf.eth0.send_redirects=0'),
      ...on('client', 'ip route add 10.244.2.0/24 via 172.18.0.2'),
    ],
    undo: on('client', 'ip route del 10.244.2.0/24'),
    ...{ code: 'asymmetric-path', cause: /the cause is on client$/ },
  },
]
