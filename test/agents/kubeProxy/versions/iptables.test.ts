import t from 'tap'
import type { EndpointSlice, Service } from '../../../../src/cluster/types.js'
import type { KubeProxyConfiguration } from '../../../../src/agents/kubeProxy/config.js'
import { renderFullRestore } from '../../../../src/agents/kubeProxy/iptables/restore.js'
import { buildRuleset } from '../../../../src/agents/kubeProxy/iptables/ruleset.js'
import type { IpFamily } from '../../../../src/net/ipFamily.js'
import { endpoint, input, service, slice } from '../objects.js'

// What real kube-proxies of these versions wrote: `npm run soak -- versions` compares with them.
const web = service(
  'web',
  {
    type: 'LoadBalancer',
    clusterIP: '172.30.0.41',
    externalTrafficPolicy: 'Local',
    loadBalancerSourceRanges: ['203.0.113.0/25', '192.168.0.0/24'],
    ports: [{ name: 'http', port: 80, nodePort: 3001 }],
  },
  ['1.2.3.4', '5.6.7.8'],
)

interface Written {
  readonly version: number
  readonly services?: readonly Service[]
  readonly slices?: readonly EndpointSlice[]
  readonly config?: Partial<KubeProxyConfiguration>
  readonly family?: IpFamily
  readonly nfacct?: boolean
}

function written({ version, services = [web], slices, config, family = 'IPv4', nfacct = false }: Written) {
  const made = input(services, slices ?? [slice('web', [endpoint('10.180.0.1', 'remote')])], {
    ...config,
    version,
  })
  return renderFullRestore(buildRuleset({ ...made, nfacct }, family))
    .split('\n')
    .filter((line) => /^-[AI] |^:KUBE-(MARK-DROP|PROXY-FIREWALL|FIREWALL) /.test(line))
}

/** The lines that match, without what does not matter here. */
function lines(all: readonly string[], pattern: RegExp): string[] {
  return all.filter((line) => pattern.test(line))
}

t.test('1.24 marks what no endpoint may get, for kubelet’s KUBE-FIREWALL', (t) => {
  const all = written({ version: 24 })
  t.strictSame(
    lines(all, /KUBE-MARK-DROP/),
    [
      ':KUBE-MARK-DROP - [0:0]',
      ...Array.from(
        { length: 2 },
        () =>
          '-A KUBE-FW-5BSWMRXSZ7HHK4RM -m comment --comment "ns1/web:http loadbalancer IP" -j KUBE-MARK-DROP',
      ),
      '-A KUBE-SVL-5BSWMRXSZ7HHK4RM -m comment --comment "ns1/web:http has no local endpoints" -j KUBE-MARK-DROP',
    ].map((line) => line.replaceAll('5BSWMRXSZ7HHK4RM', hashOf(all))),
  )
  // the node is in a range: each address of the balancer is allowed in its own part of the chain
  t.strictSame(
    lines(all, /^-A KUBE-FW-/).map((line) => /-s (\S+)/.exec(line)?.[1] ?? 'all'),
    [
      '203.0.113.0/25',
      '192.168.0.0/24',
      '1.2.3.4',
      'all',
      '203.0.113.0/25',
      '192.168.0.0/24',
      '5.6.7.8',
      'all',
    ],
  )
  t.strictSame(lines(all, /KUBE-PROXY-FIREWALL|no local endpoints.* DROP|-j KUBE-FIREWALL/), [])
  t.ok(lines(all, /^-A KUBE-EXT-\S+ -j KUBE-SVL-/).length, 'external traffic goes to the chain with the mark')
  t.end()
})

function hashOf(all: readonly string[]): string {
  return /KUBE-SVL-(\w+)/.exec(all.join('\n'))?.[1] ?? ''
}

t.test('since 1.25 it is dropped in table filter', (t) => {
  const all = written({ version: 25 })
  t.equal(lines(all, /KUBE-MARK-DROP/).length, 0)
  t.equal(lines(all, /^-A KUBE-PROXY-FIREWALL .*-j DROP$/).length, 2)
  t.equal(lines(all, /^-A KUBE-EXTERNAL-SERVICES .*has no local endpoints.*-j DROP$/).length, 3)
  t.strictSame(
    lines(all, /^-A KUBE-FW-/).map((line) => /-s (\S+)/.exec(line)?.[1] ?? 'all'),
    ['203.0.113.0/25', '192.168.0.0/24', '1.2.3.4', '5.6.7.8'],
  )
  t.end()
})

t.test('KUBE-FIREWALL and the comment about KUBE-PROXY-FIREWALL: since 1.27', (t) => {
  for (const [version, count] of [
    [26, 0],
    [27, 1],
  ] as const) {
    const all = written({ version })
    t.equal(
      lines(all, /other traffic to .* will be dropped by KUBE-PROXY-FIREWALL/).length,
      count,
      `1.${version}`,
    )
    t.equal(lines(all, /^-A KUBE-FIREWALL .*block incoming localnet connections/).length, count)
    t.equal(lines(all, /^-I (INPUT|OUTPUT) -j KUBE-FIREWALL$/).length, count * 2)
  }
  t.end()
})

t.test('node ports on loopback addresses', (t) => {
  const jump = (version: number, family: IpFamily, localhostNodePorts = true) => {
    const iptables = { ...input([], []).config.iptables, localhostNodePorts }
    return lines(written({ version, family, config: { iptables } }), /-j KUBE-NODEPORTS$/).filter((line) =>
      line.startsWith('-A KUBE-SERVICES'),
    )[0]
  }
  t.match(jump(25, 'IPv6'), / --dst-type LOCAL -j/)
  t.match(jump(26, 'IPv6'), / ! -d ::1\/128 /)
  t.match(jump(25, 'IPv4', false), / --dst-type LOCAL -j/, 'no localhostNodePorts')
  t.match(jump(26, 'IPv4', false), / ! -d 127.0.0.0\/8 /)
  t.end()
})

t.test('node ports without an address that accepts them', (t) => {
  const rules = (version: number) =>
    lines(written({ version, config: { nodePortAddresses: ['203.0.113.0/24'] } }), /3001/).length
  t.equal(rules(26), 0)
  t.ok(rules(27) > 0)
  t.end()
})

t.test('conntrack and nfacct', (t) => {
  const conntrack = { ...input([], []).config.conntrack, tcpBeLiberal: true }
  const drops = (version: number) => lines(written({ version, config: { conntrack } }), /INVALID/).length
  t.strictSame([28, 29].map(drops), [1, 0])
  const counted = (version: number) => lines(written({ version, nfacct: true }), /nfacct/).length
  t.strictSame([30, 31].map(counted), [0, 2])
  t.end()
})

t.test('what Services mean', (t) => {
  const targets = (all: readonly string[]) =>
    lines(all, /-j DNAT/).map((line) => /--to-destination (\S+)/.exec(line)?.[1])
  const hinted = (version: number, annotations: Record<string, string> = {}) => {
    const one = service('web', { clusterIP: '172.30.0.41' })
    const named = { ...one, metadata: { ...one.metadata, annotations } }
    const zone = (name: string) => ({
      forZones: [{ name }],
      forNodes: [{ name: name === 'a' ? 'x' : 'test-node' }],
    })
    const slices = [
      slice('web', [
        endpoint('10.180.0.1', 'remote', 'R', zone('a')),
        endpoint('10.180.0.2', 'remote', 'R', zone('b')),
      ]),
    ]
    const made = input([named], slices, { version })
    const node = {
      ...made.node,
      metadata: { ...made.node.metadata, labels: { 'topology.kubernetes.io/zone': 'a' } },
    }
    const text = renderFullRestore(buildRuleset({ ...made, node }, 'IPv4')).split('\n')
    return targets(text).length === 2 ? 'both' : targets(text)[0]
  }
  const old = { 'service.kubernetes.io/topology-aware-hints': 'Auto' }
  t.equal(hinted(26), 'both')
  t.equal(hinted(26, old), '10.180.0.1:80')
  t.equal(hinted(26, { 'service.kubernetes.io/topology-mode': 'Auto' }), 'both')
  t.equal(hinted(27, { 'service.kubernetes.io/topology-mode': 'any' }), '10.180.0.1:80')
  t.equal(hinted(30), 'both')
  t.equal(hinted(31), '10.180.0.1:80', 'the zone')
  t.equal(hinted(33), '10.180.0.1:80')
  t.equal(hinted(34), '10.180.0.2:80', 'the node')

  const terminating = [slice('web', [endpoint('10.180.0.1', 'remote', 'T')])]
  const clusterIP = service('web', { clusterIP: '172.30.0.41' })
  const isUsed = (version: number) =>
    targets(written({ version, services: [clusterIP], slices: terminating })).length > 0
  t.strictSame([25, 26].map(isUsed), [false, true], 'endpoints that terminate')

  const proxied = {
    ...web,
    status: { loadBalancer: { ingress: [{ ip: '1.2.3.4', ipMode: 'Proxy' as const }] } },
  }
  const hasVIP = (version: number) =>
    lines(written({ version, services: [proxied] }), /1\.2\.3\.4/).length > 0
  t.strictSame([29, 30].map(hasVIP), [true, false], 'ipMode Proxy')

  const open = service(
    'web',
    { type: 'LoadBalancer', clusterIP: '172.30.0.41', loadBalancerSourceRanges: ['0.0.0.0/0'] },
    ['1.2.3.4'],
  )
  const hasFirewall = (version: number) =>
    lines(written({ version, services: [open] }), /KUBE-FW-/).length > 0
  t.strictSame([33, 34].map(hasFirewall), [true, false], 'a range of all addresses')

  const external = service('web', {
    clusterIP: '172.30.0.41',
    externalIPs: ['192.168.99.22'],
    externalTrafficPolicy: 'Local',
  })
  const isLocal = (version: number) =>
    lines(written({ version, services: [external] }), /has no local endpoints/).length > 0
  t.strictSame([28, 29].map(isLocal), [false, true], 'externalTrafficPolicy of a ClusterIP Service')
  t.end()
})
