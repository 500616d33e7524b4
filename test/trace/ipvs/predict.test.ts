import t from 'tap'
import { planSnapshot } from '../../../src/lab/plan/planSnapshot.js'
import { serversIn } from '../../../src/snapshot/readings/readPlace.js'
import { whyRequest } from '../../../src/diagnose/why/whyRequest.js'
import type { TracedServer } from '../../../src/snapshot/model/balancing.js'
import { onePort } from '../../../src/snapshot/model/packet.js'
import type { TraceState } from '../../../src/snapshot/model/state.js'
import type { Path } from '../../../src/trace/model/steps.js'
import { loadIpsets } from '../../../src/snapshot/rules/ipsets.js'
import { hopTexts, tracedTo, type Asked } from '../tracedTo.js'

const web = { lab: 'ipvs-schedulers', from: 'caller', to: 'http://{web}/' }
const nodeport = {
  lab: 'nodeport',
  from: 'client',
  to: 'http://{node-a}:30080/',
  options: { mode: 'ipvs' },
} as const

/** The receivers with their probabilities. */
function shares(asked: Asked): Readonly<Record<string, string | undefined>> {
  const { paths } = tracedTo(asked)
  return Object.fromEntries(
    paths.map(({ receiver, end, choices }) => [
      receiver?.name ?? end.kind,
      choices.every(({ kind }) => kind === 'random')
        ? choices.reduce((product, { probability = 1 }) => product * probability, 1).toFixed(3)
        : undefined,
    ]),
  )
}

/** The virtual servers of all nodes, changed. */
function withServers(edit: (server: TracedServer) => TracedServer) {
  return (state: TraceState): TraceState => ({
    ...state,
    servers: new Map([...(state.servers ?? [])].map(([place, own]) => [place, own.map(edit)])),
  })
}

const scheduled = (scheduler: string) => withServers((server) => ({ ...server, scheduler }))

t.test(
  'a node port: the packet passes INPUT, IPVS, OUTPUT and POSTROUTING, and the answer FORWARD',
  async (t) => {
    const { paths, complete } = tracedTo(nodeport)
    t.ok(complete)
    t.strictSame(
      paths.map(({ probability, end }) => [probability, end.kind]),
      [
        [0.5, 'answered'],
        [0.5, 'answered'],
      ],
    )
    const far = paths.find(({ receiver }) => receiver?.socket.address === '10.244.2.2')
    t.match(far && hopTexts(far), [
      'client: 172.18.1.2:* → 172.18.0.2:30080',
      'node-a: 172.18.1.2:* → 172.18.0.2:30080 ⇒ 172.18.0.2:* → 10.244.2.2:80',
      'node-b: 172.18.0.2:* → 10.244.2.2:80',
      /^my-app-/,
      /^my-app-/,
      'node-b: 10.244.2.2:80 → 172.18.0.2:*',
      'node-a: 10.244.2.2:80 → 172.18.0.2:* ⇒ 172.18.0.2:30080 → 172.18.1.2:*',
      'client: 172.18.0.2:30080 → 172.18.1.2:*',
    ])
    const hops = far?.hops.filter(({ place }) => place === 'node-a') ?? []
    t.strictSame(hops.map(hooksOf), [
      ['prerouting nat', 'input filter', 'input ipvs', 'output filter', 'postrouting nat'],
      ['forward filter', 'forward ipvs'],
    ])
    t.match(hops[0]?.steps, [
      { kind: 'conntrack', state: 'NEW' },
      ...Array<object>(hops[0]?.steps.length ? hops[0].steps.length - 1 : 0).fill({}),
    ])
    const balance = hops[0]?.steps.find(({ kind }) => kind === 'balance')
    t.match(balance, {
      server: '172.18.0.2:30080/TCP',
      scheduler: 'rr',
      probability: 0.5,
      object: { name: /my-nodeport/ },
    })
    const entry = hops[0]?.steps.find((step) => step.kind === 'entry')
    t.match(entry, { reply: { source: { address: '10.244.2.2' }, destination: { address: '172.18.0.2' } } })
    const set = hops[0]?.steps.find((step) => step.kind === 'rule' && step.element === '30080')
    t.match(set, {
      chain: 'KUBE-NODE-PORT',
      why: /^spec\.ports\[\]\.nodePort/,
      object: { name: /my-nodeport/ },
    })
  },
)

/** Hooks and tables that a packet meets, each once. */
function hooksOf({ steps }: Path['hops'][number]): string[] {
  const named = steps.flatMap((step) =>
    step.kind === 'rule'
      ? [`${step.hook} ${step.table}`]
      : step.kind === 'balance'
        ? [`${step.hook} ipvs`]
        : [],
  )
  return [...new Set(named)]
}

t.test('a process of the node calls from the address of the Service, and is masqueraded', async (t) => {
  const { paths } = tracedTo({ ...web, from: 'node-a' })
  t.equal(paths.length, 3)
  for (const { hops, end } of paths) {
    t.equal(end.kind, 'answered')
    const [first] = hops
    t.match(first, { before: { source: { address: '10.96.0.80' }, destination: { address: '10.96.0.80' } } })
    t.match(first?.after.source.address, /^(172\.18\.0\.2|10\.244\.1\.1)$/)
    t.ok(first && hooksOf(first).includes('output ipvs'))
    t.ok(hops.at(-1)?.steps.some((step) => step.kind === 'balance' && step.hook === 'input'))
  }
})

t.test('schedulers: equal shares, weights, hashes, and the first', async (t) => {
  const third = { 'pod default/web-0': '0.333', 'pod default/web-1': '0.333', 'pod default/web-2': '0.333' }
  for (const scheduler of ['rr', 'wrr', 'lc', 'wlc', 'sed', 'nq', 'mh', 'twos'])
    t.strictSame(shares({ ...web, change: scheduled(scheduler) }), third, scheduler)
  // labs/ipvs-schedulers checks these on a kernel
  t.strictSame(shares({ ...web, change: scheduled('sh') }), { 'pod default/web-1': '1.000' })
  t.strictSame(shares({ ...web, from: 'web-0', change: scheduled('sh') }), { 'pod default/web-0': '1.000' })
  for (const from of ['caller', 'web-0', 'web-2'])
    t.strictSame(shares({ ...web, from, change: scheduled('dh') }), { 'pod default/web-1': '1.000' })
  t.strictSame(shares({ ...web, change: scheduled('fo') }), { 'pod default/web-2': '1.000' })
  const open = {
    'pod default/web-0': undefined,
    'pod default/web-1': undefined,
    'pod default/web-2': undefined,
  }
  for (const scheduler of ['lblc', 'lblcr', 'ovf', 'other'])
    t.strictSame(shares({ ...web, change: scheduled(scheduler) }), open, scheduler)
  t.strictSame(shares({ ...web, sourcePort: 40_000, change: scheduled('mh') }), open, 'mh with a known port')
})

t.test('weights: a real server of weight 0 gets no new connections', async (t) => {
  const weighted = (scheduler: string, weights: readonly number[]) =>
    withServers((server) => ({
      ...server,
      scheduler,
      realServers: server.realServers.map((real, index) => ({ ...real, weight: weights[index] ?? 1 })),
    }))
  const half = { 'pod default/web-0': '0.500', 'pod default/web-1': '0.500' }
  t.strictSame(shares({ ...web, change: weighted('rr', [0, 1, 1]) }), half)
  const shared = { 'pod default/web-0': '0.500', 'pod default/web-1': '0.125', 'pod default/web-2': '0.375' }
  t.strictSame(shares({ ...web, change: weighted('wrr', [3, 1, 4]) }), shared)
  t.strictSame(shares({ ...web, change: weighted('rr', [3, 1, 4]) }), {
    ...{ 'pod default/web-0': '0.333', 'pod default/web-1': '0.333', 'pod default/web-2': '0.333' },
  })
  // the kernel does not look for another one
  t.strictSame(shares({ ...web, change: weighted('sh', [1, 0, 1]) }), { rejected: '1.000' })
  const { paths } = tracedTo({ ...web, change: weighted('rr', [0, 0, 0]) })
  t.match(paths, [
    {
      end: {
        ...{ kind: 'rejected', place: 'node-a', caller: 'connection refused' },
        reason: /10\.96\.0\.80:80\/TCP has no real server for new connections/,
      },
    },
  ])
})

t.test('without net.ipv4.vs.conntrack nothing is masqueraded', async (t) => {
  const change = (state: TraceState): TraceState => {
    const own = { ...state.sysctls.get('node-a'), 'net.ipv4.vs.conntrack': 0 }
    return { ...state, sysctls: new Map(state.sysctls).set('node-a', own) }
  }
  const { paths } = tracedTo({ ...nodeport, change })
  for (const { hops } of paths) t.equal(hops[1]?.after.source.address, '172.18.1.2')
})

t.test('a datagram continues the connection that IPVS has', async (t) => {
  const [client, virtual] = [
    { address: '172.18.1.2', port: onePort(4000) },
    { address: '172.18.0.2', port: onePort(30053) },
  ]
  const real = { address: '10.244.2.3', port: onePort(5353) }
  const change = (state: TraceState): TraceState => ({
    ...state,
    connections: [
      {
        ...{ place: 'node-a', protocol: 'udp', answered: true },
        original: { source: client, destination: virtual },
        reply: { source: real, destination: { address: '172.18.0.2', port: onePort(5000) } },
      },
    ],
  })
  const asked = { lab: 'ports-and-protocols', from: 'client', to: '{node-a}:30053', protocol: 'udp' } as const
  const { paths } = tracedTo({ ...asked, sourcePort: 4000, options: { mode: 'ipvs' }, change })
  t.equal(paths.length, 1)
  t.strictSame(paths[0]?.receiver?.socket, real)
  t.equal(paths[0]?.end.kind, 'answered')
})

t.test('why: the Service behind a virtual server, and behind a set', async (t) => {
  const ask = (lab: string, from: string, to: string) =>
    whyRequest(planSnapshot(lab, { mode: 'ipvs' }), { from, to, protocol: 'tcp' })
  t.match(ask('no-endpoints', 'client', 'http://{node-a}:30080/'), {
    outcome: 'fails',
    findings: [{ causes: [{ says: /app=nobody/, object: { name: 'empty', field: 'spec.selector' } }] }],
  })
  // without a local endpoint, those of other nodes
  t.match(ask('no-endpoints', 'caller', 'http://{local}/'), { outcome: 'passes' })
  t.match(ask('proxy-modes', 'caller', '{web}:81').findings, [
    {
      rule: { chain: 'KUBE-IPVS-FILTER', owner: 'kube-proxy' },
      causes: [{ says: /has no port 81\/TCP/, object: { name: 'web' } }],
    },
  ])
  t.match(ask('clusterip', 'caller', '{shop}:80'), { outcome: 'passes' })
})

t.test('why: source ranges, for a client and for the node itself', async (t) => {
  const ask = (from: string) =>
    whyRequest(planSnapshot('turned-away', { mode: 'ipvs' }), {
      from,
      to: '{shop.external}:80',
      protocol: 'tcp',
    })
  const field = { name: 'shop', field: 'spec.loadBalancerSourceRanges' }
  t.match(ask('branch'), {
    outcome: 'fails',
    findings: [
      {
        rule: { chain: 'KUBE-SOURCE-RANGES-FIREWALL', owner: 'kube-proxy' },
        causes: [{ says: /^198\.51\.100\.20 is in none of the ranges/, object: field }],
        changes: [{ share: 1 }],
      },
    ],
  })
  t.match(ask('node-a'), {
    outcome: 'fails',
    findings: [
      {
        rule: { chain: 'KUBE-IPVS-OUT-FILTER', owner: 'kube-proxy' },
        causes: [{ says: /^172\.18\.0\.2 is in none of the ranges/, object: field }],
        changes: [{ share: 1 }],
      },
    ],
  })
})

t.test('ipsets: exact entries, ranges, bitmaps, and what is not known', async (t) => {
  const sets = loadIpsets([
    'create a hash:ip,port family inet hashsize 1024',
    'add a 10.0.0.1,tcp:80',
    'create b list:set size 8',
    'create c hash:net family inet',
    'add c 10.0.0.0/8',
    'add c 10.1.0.0/16 nomatch',
    'create d hash:ip family inet netmask 24',
  ])
  t.strictSame([...(sets.get('a')?.entries ?? [])], ['10.0.0.1,tcp:80'])
  t.equal(sets.get('b')?.unknown, undefined)
  t.strictSame(sets.get('c')?.exceptions, ['10.1.0.0/16'])
  t.match(sets.get('d')?.unknown, /hash:ip/)
})

t.test('the virtual servers of a running lab, in the order of the kernel', async (t) => {
  const listed = [
    'IP Virtual Server version 1.2.1 (size=4096)',
    'Prot LocalAddress:Port Scheduler Flags',
    '  -> RemoteAddress:Port           Forward Weight ActiveConn InActConn',
    'TCP  10.96.0.80:80 sh persistent 600',
    '  -> 10.244.2.3:80                Masq    1      0          2',
    '  -> 10.244.2.2:80                Masq    0      1          2',
    '',
  ].join('\n')
  t.strictSame(serversIn(listed), [
    {
      ...{ address: '10.96.0.80', port: 80, protocol: 'tcp', scheduler: 'sh', persistence: 600 },
      realServers: [
        { address: '10.244.2.3', port: 80, weight: 1 },
        { address: '10.244.2.2', port: 80, weight: 0 },
      ],
    },
  ])
})
