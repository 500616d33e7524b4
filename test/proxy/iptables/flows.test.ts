import t, { type Test } from 'tap'
import type { IpFamily, ServiceSpec } from '../../../src/cluster/types.js'
import { defaultConfiguration, type KubeProxyConfiguration } from '../../../src/proxy/config.js'
import { buildRuleset } from '../../../src/proxy/iptables/ruleset.js'
import type { ProxyInput } from '../../../src/proxy/input.js'
import { endpoint, input, service, slice, type Condition } from '../objects.js'
import { trace } from './tracer.js'

// The packet-flow tables of the specification, section 8.2; a row is: name, source, protocol, destination, result, masquerade.
type Row = readonly [string, string, string, string, string, boolean]

const pod = '10.0.0.2'
const outside = '203.0.113.2'
const nodeIP = '192.168.0.2'

function check(t: Test, rows: readonly Row[], from: ProxyInput, family: IpFamily = 'IPv4'): void {
  const ruleset = buildRuleset(from, family)
  for (const [name, source, protocol, to, result, masquerade] of rows) {
    const [, address = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(to) ?? []
    t.same(
      trace(ruleset, source, protocol, address, Number(port)),
      { result, masquerade },
      `${name}: ${source} → ${to} (${protocol})`,
    )
  }
  t.end()
}

const loadBalancer: ServiceSpec = {
  type: 'LoadBalancer',
  clusterIP: '172.30.0.41',
  ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 3001 }],
}

t.test('A: a LoadBalancer without endpoints', (t) => {
  const rows: Row[] = [
    ['A1', pod, 'tcp', '172.30.0.41:80', 'REJECT', false],
    ['A2', outside, 'tcp', '192.168.99.11:80', 'REJECT', false],
    ['A3', pod, 'tcp', `${nodeIP}:3001`, 'REJECT', false],
    ['A4', outside, 'tcp', `${nodeIP}:3001`, 'REJECT', false],
    ['A5', pod, 'tcp', '1.2.3.4:80', 'REJECT', false],
    ['A6', outside, 'tcp', '1.2.3.4:80', 'REJECT', false],
  ]
  check(
    t,
    rows,
    input([service('svc1', { ...loadBalancer, externalIPs: ['192.168.99.11'] }, ['1.2.3.4'])], []),
  )
})

t.test('B: ClusterIP', (t) => {
  const svc2: ServiceSpec = {
    clusterIP: '172.30.0.42',
    ports: [
      { name: 'http', port: 80, protocol: 'TCP' },
      { name: 'https', port: 443, protocol: 'TCP', targetPort: 8443 },
      { name: 'dns-udp', port: 53, protocol: 'UDP' },
      { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 5353 },
      { name: 'dns-sctp', port: 53, protocol: 'SCTP' },
    ],
  }
  const both = [endpoint('10.180.0.1', 'remote'), endpoint('10.180.2.1', 'remote')]
  const rows: Row[] = [
    ['B1', '10.180.0.2', 'tcp', '172.30.0.41:80', '10.180.0.1:80', false],
    ['B2', '10.180.0.1', 'tcp', '172.30.0.41:80', '10.180.0.1:80', true],
    ['B3', '10.180.0.2', 'tcp', '172.30.0.42:80', '10.180.0.1:80, 10.180.2.1:80', false],
    ['B4', '10.180.0.2', 'tcp', '172.30.0.42:443', '10.180.0.1:8443, 10.180.2.1:8443', false],
    ['B5', '10.180.0.2', 'tcp', '172.30.0.42:53', '10.180.0.1:5353, 10.180.2.1:5353', false],
    ['B6', '10.180.0.2', 'udp', '172.30.0.42:53', '10.180.0.1:53, 10.180.2.1:53', false],
    ['B7', '10.180.0.2', 'sctp', '172.30.0.42:53', '10.180.0.1:53, 10.180.2.1:53', false],
    ['B8', '10.180.0.2', 'udp', '172.30.0.42:80', '', false],
    ['B9', '10.180.0.2', 'tcp', '172.30.0.41:443', '', false],
  ]
  const slices = [
    slice('svc1', [endpoint('10.180.0.1', 'remote')]),
    slice('svc2', both, [
      ['http', 80],
      ['https', 8443],
      ['dns-udp', 53, 'UDP'],
      ['dns-tcp', 5353],
      ['dns-sctp', 53, 'SCTP'],
    ]),
  ]
  check(t, rows, input([service('svc1', { clusterIP: '172.30.0.41' }), service('svc2', svc2)], slices))
})

t.test('C: loadBalancerSourceRanges', (t) => {
  const ranges = { ...loadBalancer, loadBalancerSourceRanges: [' 192.168.0.0/24', '203.0.113.0/25'] }
  const only = '10.180.0.1:80'
  const rows: Row[] = [
    ['C1', pod, 'tcp', '172.30.0.41:80', only, false],
    ['C2', outside, 'tcp', `${nodeIP}:3001`, only, true],
    ['C3', '203.0.113.130', 'tcp', `${nodeIP}:3001`, only, true],
    ['C4', outside, 'tcp', '1.2.3.4:80', only, true],
    ['C5', outside, 'tcp', '5.6.7.8:80', only, true],
    ['C6', '203.0.113.130', 'tcp', '1.2.3.4:80', 'DROP', false],
    ['C7', '203.0.113.130', 'tcp', '5.6.7.8:80', 'DROP', false],
    ['C8', pod, 'tcp', '1.2.3.4:80', 'DROP', false],
    ['C9', pod, 'tcp', '5.6.7.8:80', 'DROP', false],
    ['C10', nodeIP, 'tcp', '1.2.3.4:80', only, true],
    ['C11', nodeIP, 'tcp', '5.6.7.8:80', only, true],
    ['C12', '1.2.3.4', 'tcp', '1.2.3.4:80', only, true],
    ['C13', '5.6.7.8', 'tcp', '5.6.7.8:80', only, true],
  ]
  const services = [service('svc1', ranges, ['1.2.3.4', '5.6.7.8'])]
  check(t, rows, input(services, [slice('svc1', [endpoint('10.180.0.1', 'remote')])]))
})

const noLocalhost = { iptables: { ...defaultConfiguration.iptables, localhostNodePorts: false } }
const nodePortCases: readonly {
  readonly name: string
  readonly family: IpFamily
  readonly config: Partial<KubeProxyConfiguration>
  readonly localhost: boolean
  readonly secondary: boolean
}[] = [
  { name: 'T5: IPv4, localhostNodePorts', family: 'IPv4', config: {}, localhost: true, secondary: true },
  {
    name: 'T6: IPv4, no localhostNodePorts',
    family: 'IPv4',
    config: noLocalhost,
    localhost: false,
    secondary: true,
  },
  {
    name: 'T7: IPv4, no localhostNodePorts, loopback listed',
    family: 'IPv4',
    config: { ...noLocalhost, nodePortAddresses: ['192.168.0.0/24', '127.0.0.1/32'] },
    localhost: false,
    secondary: false,
  },
  {
    name: 'T8: IPv4, several CIDRs',
    family: 'IPv4',
    config: { nodePortAddresses: ['192.168.0.0/24', '192.168.1.0/24', '2001:db8::/64'] },
    localhost: false,
    secondary: true,
  },
  { name: 'T9: IPv6', family: 'IPv6', config: {}, localhost: false, secondary: true },
  {
    name: 'T9: IPv6, several CIDRs',
    family: 'IPv6',
    config: { nodePortAddresses: ['192.168.0.0/24', '192.168.1.0/24', '2001:db8::/64'] },
    localhost: false,
    secondary: false,
  },
]

for (const { name, family, config, localhost, secondary } of nodePortCases) {
  t.test(`D: node ports, ${name}`, (t) => {
    const v4 = family === 'IPv4'
    const spec: ServiceSpec = {
      type: 'NodePort',
      ipFamilies: [family],
      clusterIPs: [v4 ? '172.30.0.41' : 'fd00:172:30::41'],
      ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 3001 }],
    }
    const addresses = v4 ? ['10.180.0.1', '10.180.2.1'] : ['fd00:10:180::1', 'fd00:10:180::2:1']
    const E = v4 ? '10.180.0.1:80, 10.180.2.1:80' : '[fd00:10:180::1]:80, [fd00:10:180::2:1]:80'
    const [node, other, loopback, client, aPod, clusterIP] = v4
      ? [nodeIP, '192.168.1.2', '127.0.0.1', outside, pod, '172.30.0.41']
      : ['2001:db8::1', '2001:db8:1::2', '::1', '2600:5200::1', 'fd00:10::2', 'fd00:172:30::41']
    const at = (address: string, port: number) => (v4 ? `${address}:${port}` : `[${address}]:${port}`)
    const rows: Row[] = [
      ['D1', aPod, 'tcp', at(clusterIP, 80), E, false],
      ['D2', client, 'tcp', at(node, 3001), E, true],
      ['D3', node, 'tcp', at(node, 3001), E, true],
      ['D4/D5', loopback, 'tcp', at(loopback, 3001), localhost ? E : '', localhost],
      ['D6/D7', client, 'tcp', at(other, 3001), secondary ? E : '', secondary],
    ]
    const endpoints = addresses.map((address) => endpoint(address, 'remote'))
    check(
      t,
      rows,
      input([service('svc1', spec)], [slice('svc1', endpoints, undefined, { family })], config),
      family,
    )
  })
}

for (const policy of ['Local', 'Cluster'] as const) {
  t.test(`E/F: externalTrafficPolicy ${policy}`, (t) => {
    const spec: ServiceSpec = {
      ...loadBalancer,
      externalIPs: ['192.168.99.11'],
      externalTrafficPolicy: policy,
    }
    const both = '10.180.0.1:80, 10.180.2.1:80'
    const local = policy === 'Local'
    const rows: Row[] = [['pod → clusterIP', pod, 'tcp', '172.30.0.41:80', both, false]]
    for (const [what, to] of [
      ['external IP', '192.168.99.11:80'],
      ['VIP', '1.2.3.4:80'],
      ['node port', `${nodeIP}:3001`],
    ] as const) {
      rows.push([`pod → ${what}`, pod, 'tcp', to, both, !local])
      rows.push([`client → ${what}`, outside, 'tcp', to, local ? '10.180.2.1:80' : both, !local])
    }
    const endpoints = [endpoint('10.180.0.1', 'remote'), endpoint('10.180.2.1', 'local')]
    check(t, rows, input([service('svc1', spec, ['1.2.3.4'])], [slice('svc1', endpoints)]))
  })
}

type Placed = readonly [number, Condition, 'local' | 'remote']
const G: readonly [string, ServiceSpec, readonly Placed[], [string, boolean], [string, boolean]?][] = [
  [
    'G1',
    { externalTrafficPolicy: 'Local' },
    [
      [1, 'R', 'local'],
      [2, 'R', 'local'],
      [3, 'T', 'local'],
      [4, 'X', 'local'],
      [5, 'R', 'remote'],
    ],
    ['1 2 5', false],
    ['1 2', false],
  ],
  [
    'G2',
    { externalTrafficPolicy: 'Local' },
    [
      [2, 'T', 'local'],
      [3, 'T', 'local'],
      [4, 'X', 'local'],
      [5, 'R', 'remote'],
    ],
    ['5', false],
    ['2 3', false],
  ],
  ['G3', { externalTrafficPolicy: 'Local' }, [[5, 'T', 'remote']], ['5', false], ['DROP', false]],
  [
    'G4',
    { externalTrafficPolicy: 'Local' },
    [
      [5, 'X', 'local'],
      [5, 'X', 'remote'],
    ],
    ['REJECT', false],
    ['REJECT', false],
  ],
  [
    'G5',
    {},
    [
      [1, 'R', 'local'],
      [2, 'R', 'local'],
      [3, 'T', 'remote'],
      [4, 'X', 'remote'],
      [5, 'R', 'remote'],
    ],
    ['1 2 5', false],
    ['1 2 5', true],
  ],
  [
    'G6',
    {},
    [
      [2, 'T', 'local'],
      [3, 'T', 'local'],
      [4, 'X', 'remote'],
      [5, 'T', 'remote'],
    ],
    ['2 3 5', false],
    ['2 3 5', true],
  ],
  ['G7', {}, [[5, 'T', 'remote']], ['5', false], ['5', true]],
  [
    'G8',
    {},
    [
      [5, 'X', 'local'],
      [5, 'X', 'remote'],
    ],
    ['REJECT', false],
    ['REJECT', false],
  ],
  ['G9', { externalTrafficPolicy: 'Local' }, [], ['REJECT', false], ['REJECT', false]],
  [
    'G10',
    { type: 'ClusterIP' },
    [
      [1, 'R', 'local'],
      [2, 'R', 'remote'],
      [3, 'R', 'remote'],
    ],
    ['1 2 3', false],
  ],
  [
    'G11',
    { type: 'ClusterIP', internalTrafficPolicy: 'Local' },
    [
      [1, 'R', 'local'],
      [2, 'R', 'remote'],
      [3, 'R', 'remote'],
    ],
    ['1', false],
  ],
  [
    'G12',
    { type: 'ClusterIP', internalTrafficPolicy: 'Local' },
    [
      [1, 'R', 'local'],
      [2, 'R', 'local'],
      [3, 'R', 'remote'],
    ],
    ['1 2', false],
  ],
  [
    'G13',
    { type: 'ClusterIP', internalTrafficPolicy: 'Local' },
    [
      [1, 'R', 'remote'],
      [2, 'R', 'remote'],
      [3, 'R', 'remote'],
    ],
    ['DROP', false],
  ],
  ['G13, deleted', { type: 'ClusterIP', internalTrafficPolicy: 'Local' }, [], ['REJECT', false]],
]

for (const [name, spec, placed, internal, external] of G) {
  t.test(`G: traffic policy and terminating endpoints, ${name}`, (t) => {
    const text = (result: string) => result.replace(/\d/g, '10.0.1.$&:80').replaceAll(' ', ', ')
    const rows: Row[] = [[name, pod, 'tcp', '172.30.1.1:80', text(internal[0]), internal[1]]]
    if (external) rows.push([name, outside, 'tcp', '1.2.3.4:80', text(external[0]), external[1]])
    const endpoints = placed.map(([last, condition, place]) => endpoint(`10.0.1.${last}`, place, condition))
    const full: ServiceSpec = { type: 'LoadBalancer', clusterIP: '172.30.1.1', ...spec }
    check(
      t,
      rows,
      input(
        [service('svc1', full, external ? ['1.2.3.4'] : [])],
        placed.length === 0 ? [] : [slice('svc1', endpoints)],
      ),
    )
  })
}

t.test('H: the health check node port', (t) => {
  const spec: ServiceSpec = { ...loadBalancer, externalTrafficPolicy: 'Local', healthCheckNodePort: 30000 }
  const config = { nodePortAddresses: ['127.0.0.0/8'] }
  t.test('of a Service', (t) =>
    check(
      t,
      [['H', '1.2.3.4', 'tcp', `${nodeIP}:30000`, 'ACCEPT', false]],
      input([service('svc1', spec)], [], config),
    ),
  )
  t.test('after the Service is gone', (t) =>
    check(t, [['H', '1.2.3.4', 'tcp', `${nodeIP}:30000`, '', false]], input([], [], config)),
  )
  t.end()
})

for (const detector of [true, false]) {
  for (const masqueradeAll of [false, true]) {
    t.test(
      `M: who is masqueraded, ${detector ? 'with' : 'without'} detector, masqueradeAll ${masqueradeAll}`,
      (t) => {
        const config: Partial<KubeProxyConfiguration> = {
          iptables: { ...defaultConfiguration.iptables, masqueradeAll },
          ...(detector ? {} : { clusterCIDR: '' }),
        }
        check(t, masqueradeRows(detector, masqueradeAll), masqueradeInput(config))
      },
    )
  }
}

function masqueradeRows(detector: boolean, masqueradeAll: boolean): Row[] {
  const l = (n: number) => `10.180.0.${n}:80`
  const both = (n: number) => `${l(n)}, 10.180.1.${n}:80`
  const toClusterIP = [both(1), both(2), l(3)]
  const fromNode = detector || masqueradeAll
  const rows: Row[] = []
  for (const n of [1, 2, 3]) {
    const clusterIP = `172.30.0.4${n}:80`
    const vip = ['1.2.3.4:80', '5.6.7.8:80', '9.10.11.12:80'][n - 1] ?? ''
    const nodePort = `${nodeIP}:300${n}`
    const eTPLocal = n === 2
    const podToExternal = eTPLocal && !detector ? l(2) : both(n)
    const outsideToExternal = eTPLocal ? l(2) : both(n)
    const add = (row: string, source: string, to: string, result: string, masquerade: boolean) =>
      rows.push([`${row} svc${n}`, source, 'tcp', to, result, masquerade])
    add('M1', pod, clusterIP, toClusterIP[n - 1] ?? '', masqueradeAll)
    add('M2', pod, nodePort, podToExternal, !eTPLocal)
    add('M3', pod, vip, podToExternal, !eTPLocal)
    add('M4', nodeIP, clusterIP, toClusterIP[n - 1] ?? '', fromNode)
    add('M5', nodeIP, nodePort, both(n), true)
    add('M6', '127.0.0.1', `127.0.0.1:300${n}`, both(n), true)
    add('M7', nodeIP, vip, both(n), true)
    add('M8', outside, clusterIP, toClusterIP[n - 1] ?? '', fromNode)
    add('M9', outside, nodePort, outsideToExternal, !eTPLocal)
    add('M10', outside, vip, outsideToExternal, !eTPLocal)
  }
  return rows
}

function masqueradeInput(config: Partial<KubeProxyConfiguration>): ProxyInput {
  const policies: ServiceSpec[] = [{}, { externalTrafficPolicy: 'Local' }, { internalTrafficPolicy: 'Local' }]
  const services = policies.map((policy, index) => {
    const n = index + 1
    const ports = [{ name: 'http', port: 80, protocol: 'TCP' as const, nodePort: 3000 + n }]
    const spec = { type: 'LoadBalancer' as const, clusterIP: `172.30.0.4${n}`, ports, ...policy }
    return service(`svc${n}`, spec, [['1.2.3.4', '5.6.7.8', '9.10.11.12'][index] ?? ''])
  })
  const slices = [1, 2, 3].map((n) =>
    slice(`svc${n}`, [endpoint(`10.180.0.${n}`, 'local'), endpoint(`10.180.1.${n}`, 'remote')]),
  )
  return input(services, slices, config)
}
