import t from 'tap'
import type { ServiceSpec } from '../../../../src/cluster/types.js'
import { defaultConfiguration } from '../../../../src/agents/kubeProxy/configDefaults.js'
import type { ProxyInput } from '../../../../src/agents/kubeProxy/input.js'
import { restoreRule } from '../../../../src/agents/kubeProxy/iptables/restoreRule.js'
import { buildRuleset } from '../../../../src/agents/kubeProxy/iptables/ruleset.js'
import { tableRules } from '../../../../src/agents/kubeProxy/iptables/tableRules.js'
import { endpoint, input, service, slice } from '../objects.js'

const lines = (from: ProxyInput, table: 'nat' | 'filter', chain: string) =>
  tableRules(buildRuleset(from, 'IPv4'), table)
    .filter((rule) => rule.chain === chain)
    .map((rule) => restoreRule(rule, '-A'))

function cluster(
  services: number,
  endpoints: number,
  spec: (index: number) => ServiceSpec,
  vip = false,
): ProxyInput {
  const indexes = Array.from({ length: services }, (_, index) => index)
  return input(
    indexes.map((index) => service(`svc${index}`, spec(index), vip ? [`1.2.3.${index}`] : [])),
    indexes.map((index) =>
      slice(
        `svc${index}`,
        Array.from({ length: endpoints }, (_, n) => endpoint(`10.0.${index}.${n}`, 'remote')),
      ),
    ),
  )
}

const counts = (from: ProxyInput) => {
  const ruleset = buildRuleset(from, 'IPv4')
  return `${tableRules(ruleset, 'filter').length}/${tableRules(ruleset, 'nat').length}`
}

t.test('how many rules ClusterIP Services have', (t) => {
  for (const [services, endpoints, expected] of [
    [0, 0, '4/5'],
    [1, 0, '5/5'],
    [1, 1, '4/10'],
    [1, 2, '4/13'],
    [1, 10, '4/37'],
    [10, 0, '14/5'],
    [10, 1, '4/55'],
    [10, 2, '4/85'],
    [10, 10, '4/325'],
  ] as const) {
    const from = cluster(services, endpoints, (index) => ({ clusterIP: `172.30.0.${index}` }))
    t.equal(counts(from), expected, `${services} Services with ${endpoints} endpoints`)
  }
  t.end()
})

t.test('how many rules LoadBalancers have', (t) => {
  for (const [services, endpoints, expected] of [
    [1, 0, '8/5'],
    [1, 1, '5/18'],
    [1, 2, '5/21'],
    [1, 10, '5/45'],
    [10, 0, '44/5'],
    [10, 1, '14/135'],
    [10, 2, '14/165'],
    [10, 10, '14/405'],
  ] as const) {
    const spec = (index: number): ServiceSpec => ({
      type: 'LoadBalancer',
      clusterIP: `172.30.0.${index}`,
      externalIPs: [`192.168.99.${index}`],
      loadBalancerSourceRanges: ['203.0.113.0/25'],
      ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 30000 + index }],
    })
    t.equal(
      counts(cluster(services, endpoints, spec, true)),
      expected,
      `${services} Services with ${endpoints} endpoints`,
    )
  }
  t.end()
})

t.test('invalid packets are dropped first, unless conntrack is liberal', (t) => {
  const first = (change: Partial<ProxyInput>) =>
    lines({ ...input([], []), ...change }, 'filter', 'KUBE-FORWARD')[0]
  t.equal(first({ nfacct: false }), '-A KUBE-FORWARD -m conntrack --ctstate INVALID -j DROP')
  t.equal(
    first({ nfacct: true }),
    '-A KUBE-FORWARD -m conntrack --ctstate INVALID -m nfacct --nfacct-name ct_state_invalid_dropped_pkts -j DROP',
  )
  const forward =
    '-A KUBE-FORWARD -m comment --comment "kubernetes forwarding rules" -m mark --mark 0x00004000/0x00004000 -j ACCEPT'
  t.equal(first({ conntrackBeLiberal: true }), forward)
  const conntrack = { ...defaultConfiguration.conntrack, tcpBeLiberal: true }
  t.equal(first({ config: { ...defaultConfiguration, conntrack } }), forward)
  t.end()
})

t.test('--random-fully where iptables knows it', (t) => {
  const last = (randomFully: boolean) =>
    lines({ ...input([], []), randomFully }, 'nat', 'KUBE-POSTROUTING').at(-1)
  const rule =
    '-A KUBE-POSTROUTING -m comment --comment "kubernetes service traffic requiring SNAT" -j MASQUERADE'
  t.equal(last(false), rule)
  t.equal(last(true), `${rule} --random-fully`)
  t.end()
})

t.test('the mark is written with 8 digits, whichever bit it is', (t) => {
  for (const [masqueradeBit, text] of [
    [0, '0x00000001'],
    [14, '0x00004000'],
    [31, '0x80000000'],
  ] as const) {
    const iptables = { ...defaultConfiguration.iptables, masqueradeBit }
    t.same(lines(input([], [], { iptables }), 'nat', 'KUBE-MARK-MASQ'), [
      `-A KUBE-MARK-MASQ -j MARK --or-mark ${text}`,
    ])
  }
  t.end()
})

t.test('where node ports answer', (t) => {
  const off = { ...defaultConfiguration.iptables, localhostNodePorts: false }
  const note =
    '-A KUBE-SERVICES -m comment --comment "kubernetes service nodeports; NOTE: this must be the last rule in this chain"'
  const last = (config: Parameters<typeof input>[2]) => lines(input([], [], config), 'nat', 'KUBE-SERVICES')
  const firewall = (config: Parameters<typeof input>[2]) =>
    lines(input([], [], config), 'filter', 'KUBE-FIREWALL').length
  t.same(last({}), [`${note} -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS`])
  t.equal(firewall({}), 1)
  t.same(last({ iptables: off }), [`${note} -m addrtype --dst-type LOCAL ! -d 127.0.0.0/8 -j KUBE-NODEPORTS`])
  t.equal(firewall({ iptables: off }), 0)
  t.same(last({ nodePortAddresses: ['192.168.0.0/16', '127.0.0.0/8'] }), [
    `${note} -d 127.0.0.1 -j KUBE-NODEPORTS`,
    `${note} -d 192.168.0.2 -j KUBE-NODEPORTS`,
    `${note} -d 192.168.1.2 -j KUBE-NODEPORTS`,
    `${note} -d 192.168.99.11 -j KUBE-NODEPORTS`,
  ])
  t.same(last({ nodePortAddresses: ['192.168.0.0/24', '127.0.0.1/32'], iptables: off }), [
    `${note} -d 192.168.0.2 -j KUBE-NODEPORTS`,
  ])
  t.same(last({ nodePortAddresses: ['172.16.0.0/12'] }), [], 'no address of the node is in it')
  t.same(last({ nodePortAddresses: ['primary'] }), [`${note} -d 192.168.0.2 -j KUBE-NODEPORTS`])
  t.same(last({ nodePortAddresses: ['2001:db8::/64'] }), last({}), 'CIDRs of the other family only')
  t.same(last({ nodePortAddresses: ['64.0.0.0/2', '0.0.0.0/0'] }), last({}), 'one CIDR holds everything')
  t.equal(
    firewall({ nodePortAddresses: ['64.0.0.0/2'] }),
    1,
    'a CIDR that holds 127.0.0.0 leaves localhost in',
  )
  t.equal(firewall({ nodePortAddresses: ['192.168.0.0/16'] }), 0)
  t.end()
})

t.test('service ports are sorted by name, then protocol', (t) => {
  const services = ['b', 'a'].map((name) =>
    service(name, {
      clusterIP: `10.0.0.${name.charCodeAt(0)}`,
      ports: [
        { name: 'x', port: 53, protocol: 'UDP' },
        { name: 'w', port: 53, protocol: 'TCP' },
      ],
    }),
  )
  const names = (from: ProxyInput) => buildRuleset(from, 'IPv4').servicePorts.map(({ port }) => port.name)
  t.same(names(input(services, [])), ['ns1/a:w', 'ns1/a:x', 'ns1/b:w', 'ns1/b:x'])
  t.same(names(input([...services].reverse(), [])), names(input(services, [])))
  t.end()
})

t.test('over 1000 endpoints, rules of endpoints have no comments', (t) => {
  const dnat = (from: ProxyInput) =>
    tableRules(buildRuleset(from, 'IPv4'), 'nat').filter((rule) => rule.target?.kind === 'DNAT')
  const commented = (from: ProxyInput) =>
    dnat(from).filter((rule) => rule.matches.some((match) => match.kind === 'comment')).length
  const below = large(998)
  t.equal(dnat(below).length, 998)
  t.equal(commented(below), 998)
  t.equal(commented(large(1000)), 1000, 'exactly 1000 is not over')
  t.equal(dnat(large(1001)).length, 1001)
  t.equal(commented(large(1001)), 0)
  t.equal(commented(large(1000, 1)), 0, 'one that is not ready counts too')
  t.end()
})

function large(ready: number, unready = 0): ProxyInput {
  const endpoints = Array.from({ length: ready + unready }, (_, index) =>
    endpoint(`10.1.${index >> 8}.${index & 255}`, 'remote', index < ready ? 'R' : 'X'),
  )
  return input([service('svc', { clusterIP: '172.30.0.1' })], [slice('svc', endpoints)])
}

t.test('nfacct counters are named when they are used', (t) => {
  const names = ['ct_state_invalid_dropped_pkts', 'localhost_nps_accepted_pkts']
  t.same(buildRuleset(input([], []), 'IPv4').nfacctCounters, names)
  t.same(buildRuleset({ ...input([], []), nfacct: false }, 'IPv4').nfacctCounters, [])
  t.end()
})
