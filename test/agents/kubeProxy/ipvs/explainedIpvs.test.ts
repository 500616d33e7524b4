import t from 'tap'
import type { ExplainedRuleset } from '../../../../src/agents/kubeProxy/iptables/explained/types.js'
import { explainIpvs } from '../../../../src/agents/kubeProxy/ipvs/explained/explainedIpvs.js'
import { readConnections, type FoundIpvs } from '../../../../src/agents/kubeProxy/ipvs/found.js'
import { buildIpvs } from '../../../../src/agents/kubeProxy/ipvs/state.js'
import { chainsOf, rulesOf } from '../explainedRules.js'
import { ipvsCases } from './goldenIpvs.js'
import { existing } from './existing.js'

const cases = ipvsCases()
const none: ReadonlyMap<string, number> = new Map()
const statesOf = (ruleset: ExplainedRuleset) =>
  chainsOf(ruleset).flatMap(({ chain, rules }) =>
    rules.flatMap(({ state, spec }) => (state === 'expected' ? [] : [`${state}: ${chain} ${spec}`])),
  )

function addressesOf({ node, localAddresses }: (typeof cases)[number]['input']): readonly string[] {
  return localAddresses ?? (node.status?.addresses ?? []).map(({ address }) => address)
}

/** What is found after loading a recording's objects, with its node's addresses. */
function loaded(name: string): {
  readonly input: (typeof cases)[number]['input']
  readonly found: FoundIpvs
} {
  const one = cases.find((other) => other.name === name)
  if (one === undefined) throw new Error(`no recording ${name}`)
  const elsewhere = addressesOf(one.input)
  return { input: one.input, found: { ...existing(buildIpvs(one.input, 'IPv4')), elsewhere } }
}

for (const family of ['IPv4', 'IPv6'] as const)
  t.test(`${family}: all that was recorded stands, and has its reason`, (t) => {
    const wrong: Record<string, unknown> = {}
    for (const { name, input, saved, ipvsadm, ipset } of cases) {
      const elsewhere = addressesOf(input)
      const found = { ...existing(buildIpvs(input, family)), elsewhere, tables: saved[family] }
      const explained = explainIpvs(input, family, found, none, 'en')
      const unclear = chainsOf(explained).filter(
        ({ about, rules }) => about === '' || rules.some(({ why }) => why === ''),
      )
      const explainedSpecs = new Set(
        chainsOf(explained).flatMap(({ chain, rules }) => rules.map(({ spec }) => `${chain} ${spec}`)),
      )
      const isOwn = (set: string) => set.startsWith('KUBE-6-') === (family === 'IPv6')
      const recorded = [
        ...ipset.flatMap((line) => {
          const [command, set = '', entry = ''] = line.split(' ')
          return command === 'add' && isOwn(set) ? [`${set} ${entry}`] : []
        }),
        ...ipvsadm.flatMap((line) => {
          const [, option, address = '', rest = ''] = /^-[Aa] (\S+) (\S+) (.*)$/.exec(line) ?? []
          if (address.startsWith('[') !== (family === 'IPv6')) return []
          return [`${address}/${{ '-t': 'TCP', '-u': 'UDP' }[option ?? ''] ?? 'SCTP'} ${rest}`]
        }),
      ]
      const unexplained = recorded.filter((text) => !explainedSpecs.has(text))
      const seen = { states: statesOf(explained), others: explained.others, unclear, unexplained }
      if (Object.values(seen).some((list) => list.length > 0)) wrong[name] = seen
    }
    t.ok(cases.length > 40, `${cases.length} recordings`)
    t.same(wrong, {}, 'recordings with entries that are not expected, not described or of other programs')
    t.end()
  })

t.test('what is missing, different, draining or unused', (t) => {
  const { input, found } = loaded('clusterip-two-endpoints')
  const [server] = found.servers
  if (server === undefined) throw new Error('no virtual server')
  const [first, second] = server.realServers
  if (first === undefined || second === undefined) throw new Error('no two real servers')
  const explain = (changed: Partial<FoundIpvs>) =>
    explainIpvs(input, 'IPv4', { ...found, ...changed }, none, 'en')
  const withReal = (realServers: typeof server.realServers, protocol = 'tcp') =>
    explain({ servers: [{ ...server, protocol, realServers }] })

  t.same(statesOf(explain({})), [])
  t.same(statesOf(explain({ bound: [] })), ['missing: kube-ipvs0 10.96.0.10'])
  t.same(statesOf(explain({ bound: [...found.bound, '10.9.9.9'] })), ['extra: kube-ipvs0 10.9.9.9'])
  t.same(statesOf(explain({ servers: [{ ...server, scheduler: 'lc' }] })), [
    'different: 10.96.0.10:80/TCP -s lc',
  ])
  t.same(statesOf(withReal([first])), [`missing: 10.96.0.10:80/TCP -r ${second.text} -m -w 1`])
  t.same(statesOf(withReal([first, { ...second, weight: 0 }])), [
    `different: 10.96.0.10:80/TCP -r ${second.text} -m -w 0`,
  ])
  const drains = { text: '10.244.9.9:8080', weight: 0, connections: 2 }
  const draining = withReal([first, second, drains])
  t.same(statesOf(draining), [])
  t.match(
    rulesOf(draining).find(({ spec }) => spec.includes(drains.text)),
    { why: /^no longer an endpoint: .* connections: 2$/ },
  )
  t.same(statesOf(withReal([first, second, { ...drains, weight: 1 }])), [
    'extra: 10.96.0.10:80/TCP -r 10.244.9.9:8080 -m -w 1',
  ])
  t.match(explain({ servers: [...found.servers, { ...server, address: '10.9.9.9' }] }).others, [
    { table: 'ipvs', chain: '10.9.9.9:80/TCP', rules: [{ state: 'extra', spec: '-s rr' }, {}, {}] },
  ])
  const sets = new Map([...found.sets, ['KUBE-CLUSTER-IP', new Set(['10.9.9.9,tcp:80'])]])
  t.same(statesOf(explain({ sets })), [
    'missing: KUBE-CLUSTER-IP 10.96.0.10,tcp:80',
    'extra: KUBE-CLUSTER-IP 10.9.9.9,tcp:80',
  ])
  t.ok(
    statesOf(explain({ tables: [] })).every((text) => text.startsWith('missing: ')),
    'without tables every rule is missing',
  )
  t.end()
})

t.test('a virtual server and its real servers have their connections', (t) => {
  const { input, found } = loaded('session-affinity')
  const stats = [
    'IP Virtual Server version 1.2.1 (size=4096)',
    'Prot LocalAddress:Port               Conns   InPkts  OutPkts  InBytes OutBytes',
    '  -> RemoteAddress:Port',
    'TCP  10.96.0.50:80                      90      540      360    35370    44550',
    '  -> 10.244.1.5:8080                    45      270      180    17685    22275',
    'TCP  [fd00::a]:80                        7       42       28     2751     3465',
  ].join('\n')
  const connections = readConnections(stats)
  t.same(
    [...connections],
    [
      ['10.96.0.50:80/TCP', 90],
      ['10.96.0.50:80/TCP/10.244.1.5:8080', 45],
      ['[fd00::a]:80/TCP', 7],
    ],
  )
  const server = chainsOf(explainIpvs(input, 'IPv4', found, connections, 'en')).find(
    ({ chain }) => chain === '10.96.0.50:80/TCP',
  )
  t.match(server, {
    about: 'spec.clusterIP',
    rules: [
      { spec: '-s rr -p 10800', packets: 90, why: /^rr picks round robin; sessionAffinity ClientIP/ },
      { spec: '-r 10.244.1.5:8080 -m -w 1', packets: 45 },
      { spec: '-r 10.244.2.7:8080 -m -w 1', packets: undefined },
    ],
  })
  t.end()
})
