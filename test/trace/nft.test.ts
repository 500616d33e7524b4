import t from 'tap'
import { elementsOf, readElement } from '../../src/netfilter/nft/elements.js'
import { parseNftRule } from '../../src/netfilter/nft/statements.js'
import type { NftRuleset } from '../../src/snapshot/model/nft.js'
import type { TraceState } from '../../src/snapshot/model/state.js'
import type { Path, RuleStep } from '../../src/trace/model/steps.js'
import { listedNft } from '../../src/snapshot/rules/listedNft.js'
import { parseReference, withoutRule } from '../../src/trace/rules/without.js'
import { chainsHit, hopTexts, tracedTo } from './tracedTo.js'

const options = { mode: 'nftables' } as const
const nodeport = { lab: 'nodeport', from: 'client', to: 'http://{node-a}:30080/', options }

function rulesOn(path: Path | undefined, place: string): readonly RuleStep[] {
  const hop = path?.hops.find((one) => one.place === place && one.packet === 'request')
  return (hop?.steps ?? []).filter((step) => step.kind === 'rule')
}

/** Adds a table to a node of a state, the newest one. */
function withTable(text: string, place = 'node-a') {
  return (state: TraceState): TraceState => {
    const own: NftRuleset = state.nft.get(place) ?? { tables: [], order: [] }
    const { tables, order } = listedNft(text)
    const both = { tables: [...own.tables, ...tables], order: [...own.order, ...order] }
    return { ...state, nft: new Map(state.nft).set(place, both) }
  }
}

t.test('a node port in mode nftables: the paths of mode iptables, by other rules', async (t) => {
  const { paths } = tracedTo(nodeport)
  const iptables = tracedTo({ ...nodeport, options: {} }).paths
  t.strictSame(
    paths.map(({ probability, end }) => [probability, end.kind]),
    [
      [0.5, 'answered'],
      [0.5, 'answered'],
    ],
  )
  t.strictSame(paths.map(hopTexts), iptables.map(hopTexts))
  const hop = paths[0]?.hops[1]
  t.match(hop && chainsHit(hop), [
    ...['filter-prerouting-pre-dnat', 'nat-prerouting', 'services'],
    ...[/^external-/, /^service-/, 'filter-forward', 'nat-postrouting', 'masquerading'],
  ])
  t.match(
    rulesOn(paths[0], 'node-a').find(({ chain, holds }) => chain === 'services' && holds === 'yes'),
    {
      ...{ table: 'ip kube-proxy', hook: 'prerouting', number: 3, element: 'tcp . 30080' },
      ...{ object: { name: 'my-nodeport-service' }, why: /^spec\.ports\[\]\.nodePort/ },
    },
  )
})

t.test('IPv6 has a table of its own', async (t) => {
  const { paths } = tracedTo({ ...nodeport, options: { ...options, families: ['IPv6'] } })
  t.strictSame(
    paths.map(({ end }) => end.kind),
    ['answered', 'answered'],
  )
  t.ok(rulesOn(paths[0], 'node-a').every(({ table }) => table === 'ip6 kube-proxy'))
})

t.test('a Service without endpoints is rejected by the map; a wrong port of a cluster IP too', async (t) => {
  const { paths } = tracedTo({ lab: 'no-endpoints', from: 'caller', to: 'http://{empty}/', options })
  t.match(paths, [
    { end: { kind: 'rejected', caller: 'connection refused', rule: { chain: 'reject-chain' } } },
  ])
  const wrong = tracedTo({ lab: 'clusterip', from: 'caller', to: '{shop}:81', options })
  t.match(wrong.paths, [{ end: { kind: 'rejected', rule: { chain: 'cluster-ips-check', number: 1 } } }])
})

t.test('without a rule', async (t) => {
  const reference = parseReference('node-a masquerading 1')
  if (reference === undefined) throw new Error('not read')
  const { paths } = tracedTo({ ...nodeport, change: (state) => withoutRule(state, reference) })
  t.strictSame(
    paths.map(({ end }) => end.kind),
    ['answered', 'misrouted'],
    'the pod of the other node answers the client directly',
  )
})

const firewall = (rules: string, policy = 'accept', priority = 'filter') => `table inet firewall {
	set blocked {
		type ipv4_addr
		flags interval
		elements = { 10.0.0.0/8, 172.18.1.1-172.18.1.9 }
	}

	chain other {
		return
	}

	chain forward {
		type filter hook forward priority ${priority}; policy ${policy};
		${rules}
	}
}
`

const ends = (rules: string, policy?: string) =>
  tracedTo({ ...nodeport, change: withTable(firewall(rules, policy)) }).paths.map(
    ({ end, probability }) => `${end.kind} ${probability}`,
  )
const passed = ['answered 0.5', 'answered 0.5']
const dropped = ['dropped 0.5', 'dropped 0.5']

t.test('rules of other programs: sets, verdicts, policies', async (t) => {
  t.strictSame(ends('ip saddr @blocked drop'), dropped, 'an interval of a set')
  t.strictSame(ends('ip saddr != @blocked drop'), passed)
  t.strictSame(ends('accept', 'drop'), passed)
  t.strictSame(ends('jump other', 'drop'), dropped, 'return ends the chain, then the policy decides')
  t.strictSame(ends('goto other\n\t\taccept', 'drop'), dropped, 'goto does not come back')
  t.strictSame(ends('jump other\n\t\taccept', 'drop'), passed)
  t.strictSame(ends('ct state vmap { new : drop, established : accept }'), dropped)
  t.strictSame(ends('ct status dnat accept', 'drop'), passed)
  t.strictSame(ends('ip daddr . tcp dport { 10.244.0.0/16 . 80 } reject with tcp reset'), [
    'rejected 0.5',
    'rejected 0.5',
  ])
  t.strictSame(ends('tcp flags syn / syn,ack drop'), dropped)
  t.strictSame(ends('tcp flags & (fin | syn | rst | ack) == ack drop'), dropped, 'later packets')
  t.strictSame(ends('meta mark & 0x00004000 == 0x00004000 drop'), dropped)
  t.strictSame(ends('iifname "eth*" oifname "cni0" drop'), ['dropped 0.5', 'answered 0.5'])
  t.strictSame(ends('fib saddr type local drop'), passed)
  t.strictSame(ends('ct original proto-dst 30080 drop'), dropped)
  t.strictSame(ends('ip6 saddr ::/0 drop'), passed)
  t.strictSame(ends('udp dport 80 drop'), passed)
  t.strictSame(ends('meta nfproto ipv6 drop'), passed)
})

t.test('random numbers are branches with their shares', async (t) => {
  const share = (rule: string) =>
    tracedTo({ ...nodeport, change: withTable(firewall(`ct state new ${rule}`)) })
      .paths.filter(({ end }) => end.kind === 'dropped')
      .reduce((sum, { probability }) => sum + probability, 0)
  t.equal(share('numgen random mod 4 0 drop'), 0.25)
  t.equal(share('numgen random mod 10 < 3 drop').toFixed(6), '0.300000')
  t.equal(share('numgen random mod 10 offset 5 < 3 drop'), 0)
  t.equal(share('numgen random mod 4 vmap { 0-2 : drop, 3 : accept }'), 0.75)
  t.equal(share('numgen random mod 4 vmap { 0 : drop }'), 0.25)
})

t.test('what is not known is a branch with its name, never a guess', async (t) => {
  const { paths } = tracedTo({
    ...nodeport,
    change: withTable(firewall('ct state new limit rate over 5/minute drop')),
  })
  const unknown = paths.filter(({ choices }) => choices.some(({ kind }) => kind === 'unknown'))
  t.equal(unknown.length, 4)
  t.match(unknown[0]?.choices, [
    { kind: 'random' },
    {
      question:
        /^inet firewall forward 1: limit rate over 5\/minute \(how many packets it has counted is not known\)/,
    },
  ])
  t.strictSame(paths.map(({ end }) => end.kind).sort(), ['answered', 'answered', 'dropped', 'dropped'])
  const counted = tracedTo({ ...nodeport, change: withTable(firewall('limit rate 5/second counter')) })
  t.equal(counted.paths.length, 2, 'a rule that decides nothing is no branch')
  const opaque = tracedTo({ ...nodeport, change: withTable(firewall('queue num 1')) })
  t.match(opaque.paths, [{ end: { kind: 'untraceable' } }, { end: { kind: 'untraceable' } }])
  t.match(parseNftRule('jhash ip saddr mod 2 vmap { 0 : drop }'), [{ kind: 'unknown' }])
  t.match(
    ends('ct state new jhash ip saddr mod 2 vmap { 0 : drop }').filter((one) => one.startsWith('untraceable'))
      .length,
    2,
  )
})

t.test('what follows an unknown condition is a branch too: a reject, a rewrite', async (t) => {
  const conditions = [
    'limit rate over 1/hour burst 1 packets',
    'jhash ip saddr mod 1 0 counter',
    'rt mtu > 500 counter',
    'quota over 100 mbytes',
    'ip option ra exists',
    'add @meter { ip saddr limit rate over 1/hour }',
  ]
  const both = ['answered 0.5', 'answered 0.5', 'rejected 0.5', 'rejected 0.5']
  for (const condition of conditions)
    t.strictSame(ends(`tcp flags syn / syn,ack ${condition} reject`).sort(), both, condition)
})

t.test('a reject is for the packets that its error is for', async (t) => {
  const ping = { lab: 'nodeport', from: 'client', to: '{node-a}', protocol: 'icmp', options } as const
  const kinds = (rule: string) =>
    tracedTo({
      ...ping,
      change: withTable(firewall(rule).replace('hook forward', 'hook input')),
    }).paths.map(({ end }) => end.kind)
  t.strictSame(kinds('reject with tcp reset'), ['answered'], 'nft lists no condition on the protocol')
  t.strictSame(kinds('reject with icmpv6 addr-unreachable'), ['answered'])
  t.strictSame(kinds('reject with icmp host-unreachable'), ['rejected'])
  t.strictSame(kinds('reject with icmpx admin-prohibited'), ['rejected'])
})

t.test('flags: one of them, none of them, exactly these', async (t) => {
  t.strictSame(ends('tcp flags ! ack drop'), dropped, 'the first segment has no ACK')
  t.strictSame(ends('tcp flags ! syn,ack drop'), passed)
  t.strictSame(ends('tcp flags != syn drop'), dropped, 'the answer has SYN and ACK')
  t.strictSame(ends('tcp flags == syn drop'), dropped)
  t.strictSame(ends('tcp flags { syn | ack, rst } drop'), dropped, 'an element has all flags')
  t.strictSame(ends('tcp flags { ack, rst } drop'), passed)
  t.strictSame(ends('ct state ! established drop'), dropped)
  t.strictSame(ends('ct state != new | established drop'), dropped, 'no packet has two states')
  t.match(ends('tcp flags syn ct status == dnat drop').sort(), /^answered/, 'other flags are not known')
})

t.test('without a protocol, the bytes of ports are those of other headers', async (t) => {
  const ping = { lab: 'nodeport', from: 'client', to: '{node-a}', protocol: 'icmp' } as const
  const kinds = (rule: string) =>
    tracedTo({
      ...{ ...ping, options },
      change: withTable(firewall(rule).replace('hook forward', 'hook input')),
    }).paths.map(({ end }) => end.kind)
  t.strictSame(kinds('th dport != { 80 } drop'), ['dropped', 'answered'], 'a checksum that is not known')
  t.strictSame(kinds('th sport 2048 drop'), ['dropped'], 'the type of an echo request')
  t.strictSame(kinds('th sport != 2048 drop'), ['answered'])
  t.strictSame(kinds('tcp dport != 80 drop'), ['answered'])
})

t.test('priorities: chains of nftables and of iptables in the kernel’s order', async (t) => {
  const orderOf = (priority: string) => {
    const { paths } = tracedTo({ ...nodeport, change: withTable(firewall('counter', 'accept', priority)) })
    const rules = rulesOn(paths[0], 'node-a').filter(({ hook }) => hook === 'forward')
    return [...new Set(rules.map(({ table }) => table))]
  }
  t.strictSame(orderOf('filter - 1'), ['inet firewall', 'ip kube-proxy'])
  t.strictSame(orderOf('filter + 1'), ['ip kube-proxy', 'inet firewall'])
  t.strictSame(orderOf('filter'), ['inet firewall', 'ip kube-proxy'], 'the newer table first')
})

t.test('of two chains of type nat, those after the one that rewrites are not evaluated', async (t) => {
  const nat = (priority: string) => `table ip other {
	chain pre {
		type nat hook prerouting priority ${priority}; policy accept;
		tcp dport 30080 dnat to 10.244.2.2:80
	}
}
`
  const first = tracedTo({ ...nodeport, change: withTable(nat('-110')) })
  t.equal(first.paths.length, 1)
  t.notOk(rulesOn(first.paths[0], 'node-a').some(({ chain }) => chain === 'nat-prerouting'))
  const later = tracedTo({ ...nodeport, change: withTable(nat('-90')) })
  t.equal(later.paths.length, 2)
  t.notOk(rulesOn(later.paths[0], 'node-a').some(({ chain }) => chain === 'pre'))
})

t.test('session affinity: the set of an endpoint holds clients that have called it', async (t) => {
  const asked = { lab: 'session-affinity', from: 'client', to: 'http://{node-a}:30080/', options } as const
  const fresh = tracedTo(asked)
  t.ok(fresh.paths.length > 1, 'the first connection of a client is random')
  const chosen = rulesOn(fresh.paths.at(-1), 'node-a').find(({ effect }) => effect?.startsWith('update @'))
  t.match(
    chosen?.effect,
    /^update @affinity-.* \{ 172\.18\.1\.2 \}, DNAT|^update @affinity-.* \{ 172\.18\.1\.2 \}$/,
  )
  const set = chosen?.chain.replace('endpoint-', 'affinity-') ?? ''
  const { paths } = tracedTo({ ...asked, change: (state) => withElement(state, set, '172.18.1.2') })
  t.equal(paths.length, 1, 'the next one is not')
  t.strictSame(paths[0]?.receiver, fresh.paths.at(-1)?.receiver)
})

function withElement(state: TraceState, set: string, element: string): TraceState {
  const own = state.nft.get('node-a') ?? { tables: [], order: [] }
  const tables = own.tables.map((table) => {
    const elements = elementsOf([readElement(element)])
    return { ...table, sets: new Map(table.sets).set(set, { elements, meanings: new Map() }) }
  })
  return { ...state, nft: new Map(state.nft).set('node-a', { ...own, tables }) }
}
