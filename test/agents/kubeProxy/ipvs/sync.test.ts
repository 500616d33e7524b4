import t from 'tap'
import type { FoundIpvs } from '../../../../src/agents/kubeProxy/ipvs/found.js'
import { buildIpvs } from '../../../../src/agents/kubeProxy/ipvs/state.js'
import { ipvsSync } from '../../../../src/agents/kubeProxy/ipvs/sync.js'
import { ipvsCases } from './goldenIpvs.js'
import { existing } from './existing.js'

const memory = { draining: new Set<string>(), first: false, excludeCIDRs: [] }
const cases = ipvsCases()
const nothing: FoundIpvs = {
  ...{ servers: [], sets: new Map(), device: false, bound: [], elsewhere: [], tables: [] },
}

t.test('nothing runs if the state is correct', (t) => {
  for (const { name, input } of cases)
    for (const family of ['IPv4', 'IPv6'] as const) {
      const state = buildIpvs(input, family)
      t.same(ipvsSync(existing(state), state, memory).commands, [], `${name} ${family}`)
    }
  t.end()
})

t.test('an empty node gets everything, sets before the rules that match them', (t) => {
  const input = cases.find(({ name }) => name === 'loadbalancer-source-ranges')?.input
  if (input === undefined) throw new Error('no such recording')
  const { commands } = ipvsSync(nothing, buildIpvs(input, 'IPv4'), { ...memory, first: true })
  t.same(
    commands.map(({ argv }) => argv.join(' ')),
    [
      'ipset restore',
      'ipvsadm --restore',
      'ip -force -batch -',
      'iptables-restore -w 5 --noflush --counters',
    ],
  )
  t.match(commands[2]?.input, /^link add kube-ipvs0 type dummy\naddress add /)
  t.equal(commands[0]?.input.match(/^create /gm)?.length, 17)
  t.end()
})

t.test('one more endpoint is a line for each virtual server, and no rule', (t) => {
  const of = (name: string) => {
    const input = cases.find((one) => one.name === name)?.input
    if (input === undefined) throw new Error(`no recording ${name}`)
    return buildIpvs(input, 'IPv4')
  }
  const { commands } = ipvsSync(existing(of('clusterip-one-endpoint')), of('clusterip-one-endpoint'), memory)
  t.same(commands, [])
  const grown = ipvsSync(
    existing(of('clusterip-two-endpoints')),
    {
      ...of('clusterip-two-endpoints'),
      virtualServers: of('clusterip-two-endpoints').virtualServers.map((server) => ({
        ...server,
        realServers: [...server.realServers, '10.244.3.3:8080'],
      })),
    },
    memory,
  )
  t.match(grown.commands, [
    { argv: ['ipvsadm', '--restore'], input: /^-a -t 10\.96\.0\.\d+:80 -r 10\.244\.3\.3:8080 -m -w 1\n$/ },
  ])
  t.equal(grown.commands.length, 1)
  t.end()
})

t.test('unused parts are deleted after the rules', (t) => {
  const input = cases.find(({ name }) => name === 'nodeport-basic')?.input
  if (input === undefined) throw new Error('no such recording')
  const { commands } = ipvsSync(
    existing(buildIpvs(input, 'IPv4')),
    buildIpvs({ ...input, services: [] }, 'IPv4'),
    memory,
  )
  t.same(
    commands.map(({ argv }) => argv[0]),
    ['ipset', 'iptables-restore', 'ip', 'ipvsadm'],
  )
  t.match(commands[2]?.input, /^(address del \S+\/32 dev kube-ipvs0\n)+$/)
  t.match(commands[3]?.input, /^(-D -t \S+\n)+$/)
  t.notMatch(commands[1]?.input, /^-I /m, 'the jumps stand')
  t.end()
})

t.test('a deleted jump is added again', (t) => {
  const input = cases.find(({ name }) => name === 'clusterip-one-endpoint')?.input
  if (input === undefined) throw new Error('no such recording')
  const state = buildIpvs(input, 'IPv6')
  const found = existing(state)
  const tables = found.tables.map((table) => ({
    ...table,
    rules: table.rules.filter(({ chain }) => chain !== 'PREROUTING'),
  }))
  const { commands } = ipvsSync({ ...found, tables }, state, memory)
  t.equal(commands.length, 1)
  t.equal(commands[0]?.argv[0], 'ip6tables-restore')
  t.same(commands[0]?.input.match(/^-I .*/gm), [
    '-I PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
  ])
  t.end()
})
