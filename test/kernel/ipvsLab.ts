import { stringify } from 'yaml'

/**
 * A lab about what the kernel does in mode ipvs: what each of its schedulers picks, persistence, servers that drain, a
 * kube-proxy that starts among what others did, and what is left when a Service goes. `web-1` has a connection that is
 * held open from the third step on, so that schedulers that count connections differ from those that do not.
 */
export function ipvsLab(): { readonly lab: string; readonly manifests: string } {
  return {
    lab: stringify({
      title: 'What the kernel does in mode ipvs',
      summary: 'Run by a test where the kernel has ip_vs.',
      topology: { nodes: ['node-a', 'node-b'], clients: ['client'], families: ['IPv4'] },
      proxy: { mode: 'ipvs' },
      manifests: ['manifests'],
      steps: [
        ...schedulerSteps,
        ...persistenceSteps,
        ...drainSteps,
        ...restartSteps,
        ...arpSteps,
        ...goneSteps,
      ],
    }),
    manifests: [...pods, ...services, kubeProxyConfig({ scheduler: 'rr' })]
      .map((one) => stringify(one))
      .join('---\n'),
  }
}

const [tcp, udp] = ['10.96.0.80:80/TCP', '10.96.0.80:53/UDP']
const fromCaller = { from: 'caller', curl: 'http://{web}/' }
const sh = (text: string, output: object | string) => ({
  command: { argv: ['sh', '-c', text], timeout: '60s' },
  expect: { output },
})

function pod(name: string, node: string, labels: object) {
  const ports = [
    { name: 'http', containerPort: 80 },
    { name: 'dns', containerPort: 53, protocol: 'UDP' },
  ]
  return {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels } },
    spec: { nodeName: node, containers: [{ name: 'echo', image: 'nginx', ports }] },
  }
}

const pods = [
  pod('web-0', 'node-a', { app: 'web' }),
  pod('web-1', 'node-b', { app: 'web' }),
  pod('web-2', 'node-b', { app: 'web' }),
  pod('caller', 'node-a', { app: 'caller' }),
]

const services = [
  {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } },
    spec: {
      clusterIP: '10.96.0.80',
      selector: { app: 'web' },
      ports: [
        { name: 'http', port: 80 },
        { name: 'dns', port: 53, protocol: 'UDP' },
      ],
    },
  },
]

function kubeProxyConfig(ipvs: object) {
  const header = { apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration' }
  return {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kube-proxy', namespace: 'kube-system' } },
    data: { 'config.conf': stringify({ ...header, mode: 'ipvs', ipvs }) },
  }
}

/** kube-proxy reads its configuration as it starts. */
function configured(ipvs: { readonly scheduler: string }, added: string) {
  return [
    { name: `kube-proxy gets ${ipvs.scheduler}`, apply: kubeProxyConfig(ipvs) },
    {
      name: `And restarts: ${ipvs.scheduler}`,
      restart: { kubeProxy: 'node-a' },
      expect: { rules: { added: [{ chain: tcp, contains: added }], on: 'node-a' } },
    },
  ]
}

function scheduled(scheduler: string, expect: object, repeat = 9, added = `-s ${scheduler}`) {
  return [
    ...configured({ scheduler }, added),
    { name: `What ${scheduler} picks`, ...fromCaller, repeat, expect: { status: 200, ...expect } },
  ]
}

const get = String.raw`printf "GET / HTTP/1.1\r\nHost: web\r\n\r\n" >/run/asked`
const answers = `grep -c '"pod":"web-1"' /run/answers`
/** Asks once more over the connection that is held, and waits for the answer. */
const askAgain = `n=$(${answers}); ${get}; until [ "$(${answers})" -gt "$n" ]; do sleep 0.1; done; echo answered`

/** The server hangs up on those who are silent for a minute. */
const hold = [
  'mkfifo /run/asked; touch /run/answers',
  'sleep 900 >/run/asked 2>/dev/null &',
  'nc 10.96.0.80 80 </run/asked >/run/answers 2>/dev/null &',
  askAgain,
  `while sleep 20; do ${get}; done >/dev/null 2>&1 &`,
].join('\n')

const schedulerSteps = [
  { name: 'rr: in turn', ...fromCaller, repeat: 9, expect: { status: 200, inTurn: 'web' } },
  // bucket (10.244.1.3 * 0x61c88647) >> 24 of 256, which the servers have in turn, the latest one first
  ...scheduled('sh', { servedBy: 'web-1' }),
  { name: 'One stays connected', from: 'caller', ...sh(hold, 'answered') },
  // one connection that is open counts as many as 256 that have ended
  ...scheduled('lc', { servedBy: ['web-0', 'web-2'] }),
  ...scheduled('wlc', { servedBy: ['web-0', 'web-2'] }),
  // least connections for a destination that is new, and then that one for ever
  ...scheduled('lblc', { servedBy: ['web-0', 'web-2'], samePod: true }),
  // those that have ended do not count: the first one that is idle
  ...scheduled('sed', { servedBy: ['web-0', 'web-2'], samePod: true }),
  ...scheduled('nq', { servedBy: ['web-0', 'web-2'], samePod: true }),
  // the same hash as sh, of 10.96.0.80
  ...scheduled('dh', { samePod: true }),
  // kube-proxy asks for the source port to be hashed as well
  ...scheduled('mh', { share: 'web' }, 56, '-s mh -b mh-port'),
  ...scheduled('wrr', { inTurn: 'web' }),
  ...scheduled('rr', { inTurn: 'web' }),
]

const podOf = String.raw`sed -n 's/.*"pod":"\([^"]*\)".*/\1/p'`
const ask = `echo hi | nc -u -w 1 -W 1 10.96.0.80 53 | ${podOf}`
const forgotten = `until ! ipvsadm -L -n -c | grep -q 'UDP.*10.96.0.80:53'; do sleep 0.2; done`

// short on purpose: the lab waits until the affinity is over
const affinity = { sessionAffinityConfig: { clientIP: { timeoutSeconds: 2 } } }

const persistenceSteps = [
  {
    name: 'A client is to stay with its pod for two seconds',
    patch: { object: 'service/web', with: { spec: { sessionAffinity: 'ClientIP', ...affinity } } },
    expect: {
      rules: {
        added: [
          { chain: tcp, contains: '-s rr -p 2' },
          { chain: udp, contains: '-s rr -p 2' },
        ],
      },
    },
  },
  { name: 'And does', ...fromCaller, repeat: 6, expect: { status: 200, samePod: true } },
  {
    name: 'Over UDP no connection lasts longer than a second',
    from: 'node-a',
    ...sh('ipvsadm --set 0 0 1; ipvsadm -L --timeout', { matches: ' 1$' }),
  },
  {
    name: 'Three times another pod, once the kernel has forgotten the client',
    from: 'node-a',
    ...sh(`for i in 1 2 3; do ${ask}; ${forgotten}; done | sort -u`, 'web-0\nweb-1\nweb-2'),
  },
  {
    name: 'Within the two seconds the same',
    from: 'node-a',
    ...sh(`for i in 1 2 3; do ${ask}; done | uniq | wc -l`, '1'),
  },
  {
    name: 'No longer',
    patch: {
      object: 'service/web',
      with: { spec: { sessionAffinity: 'None', sessionAffinityConfig: null } },
    },
    expect: { rules: { removed: [{ chain: tcp, contains: '-p 2' }] } },
  },
]

const web1 = '10.244.2.2'

const drainSteps = [
  {
    name: 'web-1 leaves: over TCP it drains, over UDP it is gone at once',
    label: { objects: 'pod/web-1', set: { app: 'out' } },
    expect: {
      rules: {
        added: [{ chain: tcp, contains: `-r ${web1}:80 -m -w 0` }],
        removed: [{ chain: udp, contains: `-r ${web1}:53` }],
        on: 'node-a',
      },
    },
  },
  {
    name: 'Where nobody is connected, it is gone over TCP as well',
    from: 'node-b',
    ...sh(`ipvsadm -S -n | grep -c ${web1} || true`, '0'),
  },
  {
    name: 'New connections go elsewhere',
    ...fromCaller,
    repeat: 6,
    expect: { status: 200, inTurn: ['web-0', 'web-2'] },
  },
  {
    name: 'The one that is open lives',
    from: 'caller',
    ...sh(askAgain, 'answered'),
  },
  {
    name: 'web-1 comes back',
    label: { objects: 'pod/web-1', set: { app: 'web' } },
    expect: {
      rules: {
        added: [{ chain: tcp, contains: `-r ${web1}:80 -m -w 1` }],
        removed: [{ chain: tcp, contains: '-w 0' }],
        on: 'node-a',
      },
    },
  },
  { name: 'And has its turn', ...fromCaller, repeat: 9, expect: { status: 200, inTurn: 'web' } },
]

/** What somebody might do while no kube-proxy looks. */
const harm = [
  'ipvsadm -A -t 10.99.9.9:1 -s wlc',
  'ipvsadm -d -t 10.96.0.80:80 -r 10.244.1.2:80',
  'ipvsadm -e -t 10.96.0.80:80 -r 10.244.2.3:80 -m -w 0',
  'ipset del KUBE-CLUSTER-IP 10.96.0.80,tcp:80',
  'ip address add 10.99.9.9/32 dev kube-ipvs0',
  'ip address del 10.96.0.80/32 dev kube-ipvs0',
  'iptables -t nat -F KUBE-POSTROUTING',
  'echo done',
].join(' && ')

const restartSteps = [
  { name: 'Somebody changes this and that on node-a', from: 'node-a', ...sh(harm, 'done') },
  {
    name: 'A kube-proxy that starts finds it, and puts it right',
    restart: { kubeProxy: 'node-a' },
    expect: {
      rules: {
        removed: ['10.99.9.9:1/TCP', { chain: tcp, contains: '-r 10.244.2.3:80 -m -w 0' }],
        added: [
          { chain: tcp, contains: '-r 10.244.1.2:80 -m -w 1' },
          { chain: tcp, contains: '-r 10.244.2.3:80 -m -w 1' },
          { chain: 'KUBE-CLUSTER-IP', contains: '10.96.0.80,tcp:80' },
          { chain: 'KUBE-POSTROUTING', contains: 'MASQUERADE' },
        ],
        on: 'node-a',
      },
    },
  },
  {
    name: 'Addresses, too',
    from: 'node-a',
    ...sh('ip -brief address show dev kube-ipvs0', {
      matches: String.raw`^kube-ipvs0 +DOWN +10\.96\.0\.80/32\s*$`,
    }),
  },
  {
    name: 'The connection has lived through it',
    from: 'caller',
    ...sh(askAgain, 'answered'),
  },
  {
    name: 'Where all is as it should be, a start changes nothing',
    restart: 'kube-proxy',
    expect: { rules: { unchanged: true } },
  },
]

/** Counts those who say that they have the Service's address. */
const listen = [
  'nft add table arp announced',
  "nft 'add chain arp announced in {{ type filter hook input priority 0; }'",
  'nft add rule arp announced in arp operation reply arp saddr ip 10.96.0.80 counter',
  'ip route add 10.96.0.80 dev eth0',
  'echo done',
].join(' && ')
const announced = (count: number) => ({ contains: `counter packets ${count} bytes` })
const count = { from: 'client', command: ['nft', 'list', 'table', 'arp', 'announced'] }
const fromClient = { from: 'client', curl: { url: 'http://{web}/', timeout: '30s' } }

const arpSteps = [
  {
    name: 'Somebody beside the nodes takes the address for one of its own network',
    from: 'client',
    ...sh(listen, 'done'),
  },
  { name: 'It is answered', ...fromClient, expect: { status: 200 } },
  { name: 'Both nodes have announced the address', ...count, expect: { output: announced(2) } },
  { name: 'kube-proxy gets strictARP', apply: kubeProxyConfig({ scheduler: 'rr', strictARP: true }) },
  { name: 'And restarts: strictARP', restart: 'kube-proxy', expect: { rules: { unchanged: true } } },
  {
    name: 'The client forgets who has it',
    from: 'client',
    ...sh('ip neigh flush dev eth0 && echo done', 'done'),
  },
  { name: 'It finds nobody', ...fromClient, expect: { fails: ['unreachable', 'timeout'] } },
  { name: 'No node has announced anything since', ...count, expect: { output: announced(2) } },
]

const goneSteps = [
  {
    name: 'The Service goes, with connections or without',
    delete: 'service/web',
    expect: {
      rules: {
        removed: [tcp, udp, { chain: 'KUBE-IPVS-IPS', contains: '10.96.0.80' }],
        on: ['node-a', 'node-b'],
      },
    },
  },
  {
    name: 'And leaves neither server, entry nor address',
    from: 'node-a',
    ...sh("ipvsadm -S -n; ipset save | grep '^add' || true; ip -o -4 address show dev kube-ipvs0", ''),
  },
]
