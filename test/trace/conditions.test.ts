import t from 'tap'
import type { WrittenRequest } from '../../src/diagnose/writtenRequest.js'
import { loadIpsets } from '../../src/snapshot/rules/ipsets.js'
import { listedNft } from '../../src/snapshot/rules/listedNft.js'
import type { TraceState } from '../../src/snapshot/model/state.js'
import { tracedTo } from './tracedTo.js'
import { withRules } from './withRules.js'

const nodeport = { lab: 'nodeport', from: 'client', to: '{node-a}:80' } as const
type Facts = Partial<Pick<WrittenRequest, 'uid' | 'gid' | 'mark' | 'protocol'>>

/** Whether a rule drops a request to node-a where nothing listens: `yes`, `no`, or both where it is not known. */
const holds = (change: (state: TraceState) => TraceState, facts: Facts = {}) =>
  [...new Set(tracedTo({ ...nodeport, change, ...facts }).paths.map(({ end }) => end.kind))]
    .map((kind) => ({ dropped: 'yes', refused: 'no' })[kind as string] ?? kind)
    .sort()
    .join(' or ')

const sets = (state: TraceState): TraceState => {
  const own = loadIpsets([
    ...['create net hash:net family inet', 'add net 172.16.0.0/12', 'add net 172.18.1.0/24 nomatch'],
    ...['create ip hash:ip family inet timeout 30', 'add ip 172.18.1.2 timeout 29 comment "a nomatch"'],
    ...['create all list:set size 8', 'add all net', 'add all ip'],
  ])
  return { ...state, sets: new Map([...(state.sets ?? []), ['node-a', own]]) }
}

t.test('conditions of iptables', async (t) => {
  const answer = (condition: string, hook = 'INPUT', table = 'filter', place = 'node-a', facts: Facts = {}) =>
    holds((state) => sets(withRules(place, [`${table} -A ${hook} ${condition} -j DROP`])(state)), facts)
  const table: readonly (readonly [string, string])[] = [
    ['-m iprange --src-range 172.18.1.1-172.18.1.9', 'yes'],
    ['-m iprange --src-range 172.18.1.3-172.18.1.9', 'no'],
    ['-m iprange ! --dst-range 172.18.0.2-172.18.0.2', 'no'],
    ['-m addrtype --dst-type BROADCAST,LOCAL', 'yes'],
    ['-m addrtype --dst-type BROADCAST', 'no'],
    ['-m addrtype --src-type BLACKHOLE,UNREACHABLE', 'no'],
    ['-m pkttype --pkt-type unicast', 'yes'],
    ['-m pkttype --pkt-type broadcast', 'no'],
    ['-m conntrack --ctproto 6', 'yes'],
    ['-m conntrack --ctproto 17', 'no'],
    ['-m conntrack --ctorigdstport 80 --ctdir ORIGINAL', 'yes'],
    ['-m conntrack --ctorigdstport 81', 'no'],
    ['-m conntrack ! --ctstatus SEEN_REPLY', 'yes'],
    ['-m conntrack --ctstatus EXPECTED,ASSURED,CONFIRMED', 'no'],
    ['-m conntrack --ctstatus NONE', 'no'],
    ['-m conntrack --ctexpire 1:2', 'no or yes'],
    ['-m helper --helper ftp', 'no'],
    ['-m limit --limit 10/sec', 'yes'],
    ['-m limit --limit 5/min', 'no or yes'],
    [
      '-m hashlimit --hashlimit-above 10/sec --hashlimit-burst 5 --hashlimit-mode srcip --hashlimit-name x',
      'no',
    ],
    ['-m hashlimit --hashlimit-upto 1mb/s --hashlimit-burst 1mb --hashlimit-name x', 'no or yes'],
    ['-m quota --quota 10', 'no'],
    ['-m quota ! --quota 10', 'yes'],
    ['-m quota --quota 100000', 'no or yes'],
    ['-m connlimit --connlimit-above 0 --connlimit-mask 32 --connlimit-saddr', 'yes'],
    ['-m connlimit --connlimit-upto 5 --connlimit-mask 32 --connlimit-saddr', 'yes'],
    ['-m set --match-set net src', 'no'],
    ['-m set --match-set net dst', 'yes'],
    ['-m set --match-set ip src', 'yes'],
    ['-m set --match-set all src', 'yes'],
    ['-m set ! --match-set all dst', 'no'],
  ]
  for (const [condition, expected] of table) t.equal(answer(condition), expected, condition)
  t.equal(answer('', 'INPUT', 'security'), 'yes')
  const sent: readonly (readonly [string, Facts, string])[] = [
    ['-m owner --uid-owner 1000', {}, 'no or yes'],
    ['-m owner --uid-owner 1000', { uid: 1000 }, 'yes'],
    ['-m owner ! --uid-owner 0-99', { uid: 7 }, 'no'],
    ['-m owner --gid-owner 5', { uid: 7 }, 'no or yes'],
    ['-m owner --gid-owner 5', { gid: 5 }, 'yes'],
    ['-m owner --socket-exists', {}, 'yes'],
    ['-m mark --mark 0x7', {}, 'no'],
    ['-m mark --mark 0x7', { mark: 7 }, 'yes'],
  ]
  for (const [condition, facts, expected] of sent)
    t.equal(answer(condition, 'OUTPUT', 'filter', 'client', facts), expected, condition)
  const { paths } = tracedTo({
    ...nodeport,
    change: withRules('client', ['filter -A OUTPUT -m owner --uid-owner 1000 -j DROP']),
  })
  t.match(paths[0]?.choices, [{ question: /asks for the uid .*: state it with --uid N/ }])
})

t.test('no program has sent what a host forwards', async (t) => {
  const kinds = (condition: string) =>
    tracedTo({
      ...{ ...nodeport, to: '{node-a}:30080' },
      change: withRules('node-a', [`mangle -A POSTROUTING -m owner ${condition} -j DROP`]),
    }).paths.map(({ end }) => end.kind)
  t.strictSame(kinds('--uid-owner 0'), ['answered', 'answered'])
  t.strictSame(kinds('! --uid-owner 0'), ['dropped', 'dropped'])
})

const withTable =
  (text: string, place = 'node-a') =>
  (state: TraceState) => ({
    ...state,
    nft: new Map(state.nft).set(place, listedNft(text)),
  })
const chain = (hook: string, rule: string, family = 'inet', policy = 'accept') =>
  `table ${family} other {\n\tchain one {\n\t\ttype filter hook ${hook}; policy ${policy};\n\t\t${rule}\n\t}\n}\n`

t.test('conditions of nftables', async (t) => {
  const table: readonly (readonly [string, string])[] = [
    ['ct protocol tcp', 'yes'],
    ['ct l3proto ipv6', 'no'],
    ['ct status seen-reply', 'no'],
    ['ct original ip saddr 172.18.1.0/24', 'yes'],
    ['ct direction reply', 'no'],
    ['ct helper "ftp"', 'no'],
    ['ct zone 0', 'yes'],
    ['ct expiration 30s', 'no or yes'],
    ['limit rate 10/second burst 5 packets', 'yes'],
    ['limit rate over 10/second', 'no'],
    ['limit rate 5/minute', 'no or yes'],
    ['limit rate 10 mbytes/second', 'no or yes'],
    ['quota 10 bytes', 'no'],
    ['quota over 10 bytes', 'yes'],
    ['quota 10 mbytes', 'no or yes'],
    ['ct count over 0', 'yes'],
    ['ct count 5', 'yes'],
    ['meta pkttype { broadcast, multicast }', 'no'],
    ['meta pkttype host', 'yes'],
    ['meta skuid 0', 'no'],
    ['meta skuid != 0', 'no'],
    ['fib daddr . iif type { local, broadcast }', 'yes'],
    ['fib daddr type != local', 'no'],
    ['fib saddr . mark . iif oif != 0', 'yes'],
  ]
  for (const [condition, expected] of table)
    t.equal(holds(withTable(chain('input priority 0', `${condition} drop`))), expected, condition)
  const sent = (facts: Facts) =>
    holds(withTable(chain('output priority 0', 'meta skuid 1000 drop'), 'client'), facts)
  t.equal(sent({}), 'no or yes')
  t.equal(sent({ uid: 1000 }), 'yes')
  t.equal(sent({ uid: 0 }), 'no')
})

t.test('zones: an answer in another zone belongs to no connection', async (t) => {
  const kinds = (rules: readonly string[]) =>
    tracedTo({ ...{ ...nodeport, to: '{node-a}:30080' }, change: withRules('node-a', rules) }).paths.map(
      ({ end }) => end.kind,
    )
  const zone = (options: string, chain = 'PREROUTING') => `raw -A ${chain} ${options}`
  t.strictSame(kinds([zone('-j CT --zone 5')]), ['answered', 'answered'])
  t.strictSame(kinds([zone('-j CT --zone-orig 5')]), ['answered', 'answered'], 'answers are in zone 0')
  t.strictSame(kinds([zone('-i eth0 -s 172.18.1.0/24 -j CT --zone 5')]), ['misrouted', 'misrouted'])
  t.strictSame(
    kinds([zone('-j CT --zone 5'), zone('-m conntrack --ctstate NEW -j DROP')]),
    ['dropped'],
    'before connection tracking, the packet is new then',
  )
  const { paths } = tracedTo({
    ...{ ...nodeport, to: '{node-a}:30080' },
    change: withTable(chain('prerouting priority -300', 'ct zone set iifname map { "eth0" : 5 }')),
  })
  t.ok(paths.length > 0)
  t.notOk(paths.some(({ end }) => end.kind === 'untraceable'))
})

t.test('chains of interfaces are evaluated, and those of bridges and of ARP are named', async (t) => {
  const ends = (text: string, place = 'node-a') =>
    tracedTo({ ...nodeport, change: withTable(text, place) }).paths.map(({ end }) => end)
  const ingress = (rule: string, device = 'eth0') =>
    chain(`ingress device "${device}" priority 0`, rule, 'netdev')
  t.match(ends(ingress('ip saddr 172.18.1.2 drop')), [{ kind: 'dropped', rule: { table: 'netdev other' } }])
  t.match(ends(ingress('ip saddr 172.18.1.2 drop', 'cni0')), [{ kind: 'refused' }])
  t.match(ends(ingress('ip daddr 172.18.1.2 drop')), [{ kind: 'refused' }])
  t.match(ends(chain('egress device "eth0" priority 0', 'ip daddr 172.18.1.2 drop', 'netdev')), [
    { kind: 'dropped', caller: 'timeout', rule: { table: 'netdev other' } },
  ])
  t.match(ends(ingress('drop')), [{ kind: 'untraceable', reason: /table netdev other on node-a/ }], 'ARP too')
  t.match(ends(chain('input priority 0', 'drop', 'arp')), [
    { kind: 'untraceable', reason: /table arp other/ },
  ])
  t.match(ends(chain('input priority 0', 'counter', 'arp')), [{ kind: 'refused' }])
  const bridge = tracedTo({
    ...{ ...nodeport, to: '{node-a}:30080' },
    change: withTable(chain('forward priority 0', 'drop', 'bridge')),
  }).paths.map(({ end }) => end)
  t.match(bridge[0], { kind: 'untraceable', reason: /table bridge other on node-a/ })
})
