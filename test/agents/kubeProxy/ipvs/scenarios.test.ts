import t from 'tap'
import type { EndpointSlice, Service, ServiceSpec } from '../../../../src/cluster/types.js'
import { restoreRule } from '../../../../src/agents/kubeProxy/iptables/restoreRule.js'
import { ipvsadmLines } from '../../../../src/agents/kubeProxy/ipvs/ipvsadm.js'
import { buildIpvs } from '../../../../src/agents/kubeProxy/ipvs/state.js'
import { nameInFamily, setNames } from '../../../../src/agents/kubeProxy/ipvs/sets.js'
import type { IpvsState } from '../../../../src/agents/kubeProxy/ipvs/types.js'
import { endpoint, input, service, slice } from '../objects.js'

// The scenarios that upstream tests its IPVS proxier with; the node has 192.168.0.2, 192.168.1.2 and 192.168.99.11.

const ipv4 = (
  services: readonly Service[],
  slices: readonly EndpointSlice[],
  config: Parameters<typeof input>[2] = {},
) => buildIpvs(input([...services], [...slices], config), 'IPv4')

const servers = (state: IpvsState) =>
  state.virtualServers.map(({ address, port, realServers }) =>
    `${address}:${port} > ${realServers.join(' ')}`.trimEnd(),
  )

const filled = (state: IpvsState) =>
  Object.fromEntries(Object.entries(state.sets).filter(([, entries]) => entries.length > 0))

const chain = (state: IpvsState, table: 'nat' | 'filter', name: string) =>
  state[table].rules.filter((rule) => rule.chain === name).map((rule) => restoreRule(rule, '-A'))

const targets = (state: IpvsState, table: 'nat' | 'filter', name: string) =>
  chain(state, table, name).map((rule) => rule.slice(rule.indexOf(' -j ') + 4))

t.test('a UDP node port on every address', (t) => {
  const state = ipv4(
    [
      service('svc', {
        type: 'NodePort',
        clusterIP: '10.20.30.41',
        ports: [{ name: 'http', port: 80, protocol: 'UDP', nodePort: 3001 }],
      }),
    ],
    [slice('svc', [endpoint('10.180.0.1', 'remote')], [['http', 80, 'UDP']])],
    { nodePortAddresses: ['0.0.0.0/0'] },
  )
  t.same(state.sets['KUBE-NODE-PORT-UDP'], ['3001'])
  t.same(targets(state, 'nat', 'KUBE-SERVICES'), ['RETURN', 'KUBE-MARK-MASQ', 'KUBE-NODE-PORT', 'ACCEPT'])
  t.match(ipvsadmLines(state.virtualServers)[0], /^-A -u 10\.20\.30\.41:80 -s rr$/)
  t.end()
})

t.test('virtual servers exist even without endpoints', (t) => {
  const state = ipv4(
    [
      service('svc', {
        type: 'NodePort',
        clusterIP: '10.20.30.41',
        externalIPs: ['50.60.70.81'],
        ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 3001 }],
      }),
    ],
    [],
    { nodePortAddresses: ['192.168.0.0/24'] },
  )
  t.same(servers(state), ['10.20.30.41:80 >', '50.60.70.81:80 >', '192.168.0.2:3001 >'])
  t.same(state.addresses, ['10.20.30.41', '50.60.70.81'])
  t.end()
})

t.test('SCTP node ports are in sets with the address, Local ones in two', (t) => {
  const state = ipv4(
    [
      service('svc', {
        type: 'NodePort',
        clusterIP: '10.20.30.41',
        externalTrafficPolicy: 'Local',
        ports: [{ name: 'sctp', port: 80, protocol: 'SCTP', nodePort: 3001 }],
      }),
    ],
    [
      slice(
        'svc',
        [endpoint('10.180.0.1', 'local'), endpoint('10.180.1.1', 'remote')],
        [['sctp', 80, 'SCTP']],
      ),
    ],
  )
  const nodePorts = ['192.168.0.2', '192.168.1.2', '192.168.99.11']
  t.same(servers(state), [
    '10.20.30.41:80 > 10.180.0.1:80 10.180.1.1:80',
    ...nodePorts.map((address) => `${address}:3001 > 10.180.0.1:80`),
  ])
  const entries = nodePorts.map((address) => `${address},sctp:3001`)
  t.same(state.sets['KUBE-NODE-PORT-SCTP-HASH'], entries)
  t.same(state.sets['KUBE-NODE-PORT-LOCAL-SCTP-HASH'], entries)
  t.same(targets(state, 'nat', 'KUBE-NODE-PORT'), ['RETURN', 'KUBE-MARK-MASQ'])
  t.match(ipvsadmLines(state.virtualServers)[0], /^-A --sctp-service 10\.20\.30\.41:80/)
  t.end()
})

t.test('each family has its own', (t) => {
  const services = [
    service('four', { clusterIP: '10.20.30.41', ipFamilies: ['IPv4'], clusterIPs: ['10.20.30.41'] }),
    service('six', { clusterIP: '1002:ab8::2:1', ipFamilies: ['IPv6'], clusterIPs: ['1002:ab8::2:1'] }),
  ]
  const address = (family: 'IPv4' | 'IPv6') => buildIpvs(input(services, []), family).addresses
  t.same(address('IPv4'), ['10.20.30.41'])
  t.same(address('IPv6'), ['1002:ab8::2:1'])
  t.end()
})

t.test('an address of the node itself is not bound again', (t) => {
  const state = ipv4(
    [
      service('svc', {
        clusterIP: '10.20.30.41',
        externalIPs: ['192.168.99.11', '50.60.70.81', '127.0.0.1'],
      }),
    ],
    [],
  )
  t.same(state.addresses, ['10.20.30.41', '50.60.70.81'])
  t.equal(state.virtualServers.length, 4, 'and has its virtual server all the same (loopback too)')
  t.same(state.sets['KUBE-IPVS-IPS'], ['10.20.30.41', '50.60.70.81'])
  t.end()
})

t.test('a load balancer, and with externalTrafficPolicy Local', (t) => {
  const of = (externalTrafficPolicy: 'Cluster' | 'Local') =>
    ipv4(
      [
        service('svc', { type: 'LoadBalancer', clusterIP: '10.20.30.41', externalTrafficPolicy }, [
          '1.2.3.4',
        ]),
      ],
      [slice('svc', [endpoint('10.180.0.1', 'local'), endpoint('10.180.1.1', 'remote')])],
    )
  const cluster = of('Cluster')
  t.same(targets(cluster, 'nat', 'KUBE-SERVICES'), [
    'RETURN',
    'KUBE-LOAD-BALANCER',
    'KUBE-MARK-MASQ',
    'KUBE-NODE-PORT',
    'ACCEPT',
    'ACCEPT',
  ])
  t.same(targets(cluster, 'nat', 'KUBE-LOAD-BALANCER'), ['KUBE-MARK-MASQ'])
  const local = of('Local')
  t.same(servers(local).at(-1), '1.2.3.4:80 > 10.180.0.1:80')
  t.same(local.sets['KUBE-LOAD-BALANCER'], local.sets['KUBE-LOAD-BALANCER-LOCAL'])
  t.same(targets(local, 'nat', 'KUBE-LOAD-BALANCER'), ['RETURN', 'KUBE-MARK-MASQ'])
  t.end()
})

t.test('source ranges, and the node in one of them', (t) => {
  const of = (range: string) =>
    ipv4(
      [
        service(
          'svc',
          { type: 'LoadBalancer', clusterIP: '10.20.30.41', loadBalancerSourceRanges: [range] },
          ['1.2.3.4'],
        ),
      ],
      [],
    )
  const without = of('10.0.0.0/8')
  t.match(filled(without), {
    'KUBE-LOAD-BALANCER-FW': ['1.2.3.4,tcp:80'],
    'KUBE-LOAD-BALANCER-SOURCE-CIDR': ['1.2.3.4,tcp:80,10.0.0.0/8'],
    'KUBE-LOAD-BALANCER-SOURCE-IP': undefined,
  })
  t.same(targets(without, 'filter', 'KUBE-PROXY-FIREWALL'), ['KUBE-SOURCE-RANGES-FIREWALL'])
  t.same(targets(without, 'filter', 'KUBE-SOURCE-RANGES-FIREWALL'), ['RETURN', 'DROP'])
  t.same(chain(without, 'filter', 'KUBE-IPVS-OUT-FILTER'), [
    '-A KUBE-IPVS-OUT-FILTER -s 1.2.3.4 -m ipvs --vaddr 1.2.3.4 --vproto tcp --vport 80 -j DROP',
  ])
  const within = of('192.168.0.0/16')
  t.same(within.sets['KUBE-LOAD-BALANCER-SOURCE-IP'], ['1.2.3.4,tcp:80,1.2.3.4'])
  t.same(chain(within, 'filter', 'KUBE-IPVS-OUT-FILTER'), [])
  t.end()
})

t.test('health check ports, for externalTrafficPolicy Local only', (t) => {
  const balancer = (name: string, healthCheckNodePort: number, externalTrafficPolicy: 'Cluster' | 'Local') =>
    service(name, {
      type: 'LoadBalancer',
      clusterIP: '10.20.30.41',
      externalTrafficPolicy,
      healthCheckNodePort,
    })
  const state = ipv4(
    [balancer('a', 30000, 'Local'), balancer('b', 30001, 'Local'), balancer('c', 30002, 'Cluster')],
    [],
  )
  t.same(state.sets['KUBE-HEALTH-CHECK-NODE-PORT'], ['30000', '30001'])
  t.end()
})

t.test('the order of KUBE-SERVICES', (t) => {
  const state = ipv4(
    [
      service('a', { clusterIP: '10.20.30.41', externalIPs: ['50.60.70.81'] }),
      service('b', { type: 'LoadBalancer', clusterIP: '10.20.30.42' }, ['1.2.3.4']),
      service('c', {
        type: 'NodePort',
        clusterIP: '10.20.30.43',
        ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 3001 }],
      }),
    ],
    [],
  )
  t.same(
    chain(state, 'nat', 'KUBE-SERVICES').map((rule) => [
      /--match-set (\S+)/.exec(rule)?.[1] ?? '',
      rule.slice(rule.indexOf(' -j ') + 4),
    ]),
    [
      ['', 'RETURN'],
      ['KUBE-LOAD-BALANCER', 'KUBE-LOAD-BALANCER'],
      ['KUBE-CLUSTER-IP', 'KUBE-MARK-MASQ'],
      ['KUBE-EXTERNAL-IP', 'KUBE-MARK-MASQ'],
      ['KUBE-EXTERNAL-IP', 'ACCEPT'],
      ['KUBE-EXTERNAL-IP', 'ACCEPT'],
      ['', 'KUBE-NODE-PORT'],
      ['KUBE-CLUSTER-IP', 'ACCEPT'],
      ['KUBE-LOAD-BALANCER', 'ACCEPT'],
    ],
  )
  t.end()
})

t.test('session affinity makes every virtual server persistent; mh looks at ports too', (t) => {
  const services = [
    service('svc', {
      type: 'NodePort',
      clusterIP: '10.20.30.41',
      externalIPs: ['50.60.70.81'],
      sessionAffinity: 'ClientIP',
      ports: [{ name: 'http', port: 80, protocol: 'TCP', nodePort: 3001 }],
    }),
  ]
  const state = ipv4(services, [], { nodePortAddresses: ['192.168.0.0/24'] })
  t.same(ipvsadmLines(state.virtualServers), [
    '-A -t 10.20.30.41:80 -s rr -p 10800',
    '-A -t 192.168.0.2:3001 -s rr -p 10800',
    '-A -t 50.60.70.81:80 -s rr -p 10800',
  ])
  const ipvs = { ...input([], []).config.ipvs, scheduler: 'mh' }
  t.equal(
    ipvsadmLines(ipv4(services, [], { ipvs }).virtualServers)[0],
    '-A -t 10.20.30.41:80 -s mh -p 10800 -b mh-port',
  )
  t.end()
})

t.test('terminating endpoints, and no local one that is ready', (t) => {
  const spec = { clusterIP: '10.20.30.41', externalIPs: ['50.60.70.81'] }
  const first = [
    endpoint('10.0.1.1', 'local'),
    endpoint('10.0.1.2', 'local'),
    endpoint('10.0.1.3', 'local', 'T'),
    endpoint('10.0.1.4', 'local', 'X'),
    endpoint('10.0.1.5', 'remote'),
  ]
  const local = { ...spec, externalTrafficPolicy: 'Local' as const }
  t.same(servers(ipv4([service('svc', spec)], [slice('svc', first)])), [
    '10.20.30.41:80 > 10.0.1.1:80 10.0.1.2:80 10.0.1.5:80',
    '50.60.70.81:80 > 10.0.1.1:80 10.0.1.2:80 10.0.1.5:80',
  ])
  const kept = ipv4([service('svc', local)], [slice('svc', first)])
  t.equal(servers(kept)[1], '50.60.70.81:80 > 10.0.1.1:80 10.0.1.2:80')
  t.same(
    kept.sets['KUBE-LOOP-BACK'].map((entry) => entry.split(',')[0]),
    ['10.0.1.1', '10.0.1.2', '10.0.1.3', '10.0.1.4'],
    'the set for hairpins knows every local endpoint',
  )
  const second = [
    endpoint('10.0.1.1', 'local', 'T'),
    endpoint('10.0.1.2', 'local', 'T'),
    endpoint('10.0.1.3', 'local', 'X'),
    endpoint('10.0.1.4', 'remote', 'T'),
    endpoint('10.0.1.5', 'remote'),
  ]
  t.same(servers(ipv4([service('svc', local)], [slice('svc', second)])), [
    '10.20.30.41:80 > 10.0.1.5:80',
    '50.60.70.81:80 > 10.0.1.1:80 10.0.1.2:80',
  ])
  t.end()
})

t.test('without a local endpoint, externalTrafficPolicy Local falls back to those of other nodes', (t) => {
  const spec: ServiceSpec = {
    externalTrafficPolicy: 'Local',
    clusterIP: '10.20.30.41',
    externalIPs: ['50.60.70.81'],
  }
  const remote = [slice('svc', [endpoint('10.0.1.5', 'remote')])]
  t.equal(servers(ipv4([service('svc', spec)], remote))[1], '50.60.70.81:80 > 10.0.1.5:80')
  const internal = { clusterIP: '10.20.30.41', internalTrafficPolicy: 'Local' } as const
  t.same(
    servers(ipv4([service('svc', internal)], remote)),
    ['10.20.30.41:80 >'],
    'a cluster IP alone does not',
  )
  t.end()
})

t.test('names of sets in IPv6 are truncated to the kernel’s limit', (t) => {
  const names = setNames.map((name) => nameInFamily(name, 'IPv6'))
  t.equal(new Set(names).size, 17)
  t.equal(Math.max(...names.map((name) => name.length)), 31)
  t.ok(names.includes('KUBE-6-LOAD-BALANCER-SOURCE-CID'))
  t.end()
})
