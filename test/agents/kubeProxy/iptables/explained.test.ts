import t from 'tap'
import type { ServiceSpec } from '../../../../src/cluster/types.js'
import { renderSave } from '../../../../src/netfilter/renderSave.js'
import { parseSave, type SavedTable } from '../../../../src/netfilter/save.js'
import { explainRuleset } from '../../../../src/agents/kubeProxy/iptables/explained/explainedRuleset.js'
import type {
  ExplainedChain,
  ExplainedRuleset,
} from '../../../../src/agents/kubeProxy/iptables/explained/types.js'
import { buildRuleset } from '../../../../src/agents/kubeProxy/iptables/ruleset.js'
import { toSaved } from '../../../../src/agents/kubeProxy/iptables/saved.js'
import { whyWithoutRules } from '../../../../src/agents/kubeProxy/withoutRules.js'
import { goldenCases } from '../goldenCases.js'
import { endpoint, input, service, slice } from '../objects.js'

const ofServices = ({ services }: ExplainedRuleset) =>
  services.flatMap(({ ports }) => ports.flatMap(({ chains }) => chains))
const all = (explained: ExplainedRuleset): readonly ExplainedChain[] => [
  ...explained.first,
  ...ofServices(explained),
  ...explained.last,
  ...explained.others,
]
const states = (explained: ExplainedRuleset) => {
  const counts: Record<string, number> = {}
  for (const { rules } of all(explained))
    for (const { state } of rules) counts[state] = (counts[state] ?? 0) + 1
  return counts
}
const rulesIn = (saved: readonly SavedTable[]) =>
  saved.filter(({ table }) => table !== 'mangle').flatMap(({ rules }) => rules).length

t.test('of every recording, each rule is found once', (t) => {
  for (const { name, input: from, saved } of goldenCases()) {
    for (const family of ['IPv4', 'IPv6'] as const) {
      const explained = explainRuleset(buildRuleset({ ...from, nfacct: true }, family), saved[family], 'en')
      t.same(states(explained), { expected: rulesIn(saved[family]) }, `${name}, ${family}`)
    }
  }
  t.end()
})

const spec: ServiceSpec = {
  type: 'LoadBalancer',
  clusterIP: '172.30.0.1',
  externalTrafficPolicy: 'Local',
  loadBalancerSourceRanges: ['203.0.113.0/24'],
  ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30080 }],
}
const ruleset = buildRuleset(
  input(
    [service('svc', spec, ['1.2.3.4']), service('empty', { clusterIP: '172.30.0.2' })],
    [slice('svc', [endpoint('10.0.1.1', 'local'), endpoint('10.0.1.2', 'remote')])],
  ),
  'IPv4',
)
const text = renderSave(toSaved(ruleset))
const explainText = (changed: string) => explainRuleset(ruleset, parseSave(changed), 'en')

t.test('the chains of a Service are in the order of a packet’s path', (t) => {
  const explained = explainText(text)
  t.same(
    explained.services.map(({ name }) => name),
    ['empty', 'svc'],
  )
  const kinds = ofServices(explained).map(
    ({ table, chain }) => `${table} ${chain.replace(/-[A-Z2-7]{16}$/, '')}`,
  )
  t.same(kinds, [
    'filter KUBE-SERVICES',
    'nat KUBE-SERVICES',
    'nat KUBE-NODEPORTS',
    'nat KUBE-FW',
    'nat KUBE-EXT',
    'nat KUBE-SVC',
    'nat KUBE-SVL',
    'nat KUBE-SEP',
    'nat KUBE-SEP',
    'filter KUBE-PROXY-FIREWALL',
  ])
  t.match(
    explained.first.map(({ table, chain }) => `${table} ${chain}`),
    ['nat PREROUTING', 'nat OUTPUT', 'nat KUBE-SERVICES', 'nat KUBE-MARK-MASQ'],
  )
  t.equal(explained.last.at(-1)?.chain, 'KUBE-POSTROUTING')
  t.same(
    ofServices(explained).flatMap((chain) => chain.endpoint ?? []),
    ['10.0.1.1:80', '10.0.1.2:80'],
  )
  t.end()
})

t.test('counters are those of the text', (t) => {
  const counted = text.replace(/^(-A KUBE-NODEPORTS .*30080 -j)/m, '[7:420] $1')
  const [nodePorts] = ofServices(explainText(counted)).filter(({ chain }) => chain === 'KUBE-NODEPORTS')
  t.match(
    nodePorts?.rules.find(({ packets }) => packets !== undefined),
    { state: 'expected', packets: 7, bytes: 420, why: /spec\.ports\[\]\.nodePort/ },
  )
  t.end()
})

t.test('a missing rule is listed at its position, with its explanation', (t) => {
  const explained = explainText(text.replace(/^-A KUBE-EXT-.*route LOCAL.*\n/m, ''))
  t.equal(states(explained)['missing'], 1)
  const ext = ofServices(explained).find(({ chain }) => chain.startsWith('KUBE-EXT-'))
  t.same(
    ext?.rules.map(({ state }) => state),
    ['expected', 'expected', 'missing', 'expected'],
  )
  t.match(ext?.rules[2], { spec: /--src-type LOCAL -j KUBE-SVC-/, why: /from the node itself/ })
  t.notOk('packets' in (ext?.rules[2] ?? {}))
  t.end()
})

t.test('a changed rule is listed with what kube-proxy writes', (t) => {
  const explained = explainText(text.replace('--to-destination 10.0.1.1:80', '--to-destination 10.0.1.1:81'))
  t.same(states(explained)['different'], 1)
  const changed = all(explained).flatMap(({ rules }) => rules.filter(({ state }) => state === 'different'))
  t.match(changed, [{ spec: /10\.0\.1\.1:81$/, expected: /10\.0\.1\.1:80$/, why: /address and target port/ }])
  t.end()
})

t.test('extra rules are distinguished from other programs’ rules', (t) => {
  const changed = text
    .replace('-A KUBE-SERVICES', '-A KUBE-SERVICES -d 172.30.0.99/32 -j ACCEPT\n-A KUBE-SERVICES')
    .replace('-A PREROUTING', '-A PREROUTING -j MINE\n-A PREROUTING')
    .replace(':KUBE-SERVICES', ':MINE - [0:0]\n:KUBE-SVC-AAAAAAAAAAAAAAAA - [0:0]\n:KUBE-SERVICES')
    .replace(
      '-A KUBE-SERVICES',
      '-A MINE -j ACCEPT\n-A KUBE-SVC-AAAAAAAAAAAAAAAA -j ACCEPT\n-A KUBE-SERVICES',
    )
  const explained = explainText(changed)
  t.same(states(explained), { expected: rulesIn(toSaved(ruleset)), extra: 2, foreign: 2 })
  t.same(explained.others.map(({ chain }) => chain).sort(), ['KUBE-SVC-AAAAAAAAAAAAAAAA', 'MINE'])
  t.end()
})

t.test('rules of other programs in chains of the kernel are where a packet meets them', (t) => {
  const drop = '-s 10.32.0.0/12 -j DROP'
  const changed = text
    .replace(/^:FORWARD ACCEPT/gm, ':FORWARD DROP')
    .replace(/^-A FORWARD /m, `-A FORWARD ! ${drop}\n-A FORWARD `)
    .replace(
      /^\*nat$/m,
      '*mangle\n:PREROUTING ACCEPT [0:0]\n-A PREROUTING -j MARK --set-xmark 0x1/0x1\nCOMMIT\n*nat',
    )
  const { first, last, others } = explainText(changed)
  t.match(first[0], { table: 'mangle', chain: 'PREROUTING', rules: [{ state: 'foreign' }] })
  const forward = last.find(({ table, chain }) => table === 'filter' && chain === 'FORWARD')
  t.match(forward?.about, /; policy DROP$/)
  t.match(forward?.rules[0], { state: 'foreign', spec: `! ${drop}`, why: 'written by another program' })
  t.ok(forward?.rules.slice(1).every(({ state }) => state === 'expected'))
  t.strictSame(others, [])
  // a missing jump of kube-proxy's is no different rule of another program
  const without = explainText(changed.replace(/^-A FORWARD -m conntrack .*$/m, ''))
  t.match(states(without), { missing: 1, foreign: 2 })
  t.notOk(states(without)['different'])
  t.end()
})

t.test('a chain of a removed Service keeps its name', (t) => {
  const stale = '-A KUBE-SVC-AAAAAAAAAAAAAAAA -m comment --comment "ns1/gone:http -> 10.0.9.9:80" -j ACCEPT'
  const changed = text
    .replace(':KUBE-SERVICES', ':KUBE-SVC-AAAAAAAAAAAAAAAA - [0:0]\n:KUBE-SERVICES')
    .replace('-A KUBE-SERVICES', `${stale}\n-A KUBE-SERVICES`)
  const gone = explainText(changed).services.find(({ name }) => name === 'gone')
  t.match(gone?.ports, [{ name: 'ns1/gone:http', chains: [{ rules: [{ state: 'extra' }] }] }])
  t.notOk('port' in (gone?.ports[0] ?? {}))
  t.end()
})

t.test('where nothing was written, everything is missing', (t) => {
  t.same(states(explainRuleset(ruleset, [], 'en')), { missing: rulesIn(toSaved(ruleset)) })
  t.end()
})

t.test('over 1000 endpoints, comments on either side are no difference', (t) => {
  const stripped = text.replace(/^(-A KUBE-(?:SEP|SVC|SVL)-\S+)(.*?) -m comment --comment "[^"]*"/gm, '$1$2')
  t.not(stripped, text)
  t.same(Object.keys(states(explainText(stripped))), ['expected'])
  t.end()
})

t.test('why a Service has no rules', (t) => {
  const clusterIP = '172.30.0.1'
  t.equal(whyWithoutRules(service('a', { clusterIP }), 'IPv4', 'en'), undefined)
  t.match(whyWithoutRules(service('a', { clusterIP }), 'IPv6', 'en'), 'no IPv6 address')
  t.match(whyWithoutRules(service('a', { clusterIP: 'None' }), 'IPv4', 'en'), 'clusterIP None')
  t.match(whyWithoutRules(service('a', { clusterIP, ports: [] }), 'IPv4', 'en'), 'ports is empty')
  t.match(
    whyWithoutRules(service('a', { type: 'ExternalName', externalName: 'x' }), 'IPv4', 'en'),
    'ExternalName',
  )
  const labelled = service('a', { clusterIP })
  labelled.metadata.labels = { 'service.kubernetes.io/service-proxy-name': 'mine' }
  t.match(whyWithoutRules(labelled, 'IPv4', 'en'), 'another proxy')
  t.end()
})
