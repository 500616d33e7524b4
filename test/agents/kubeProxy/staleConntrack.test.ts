import t from 'tap'
import type { ServiceSpec } from '../../../src/cluster/types.js'
import type { ConntrackEntry } from '../../../src/netfilter/types.js'
import { buildRuleset } from '../../../src/agents/kubeProxy/iptables/ruleset.js'
import { staleConntrackEntries } from '../../../src/agents/kubeProxy/staleConntrack.js'
import { endpoint, input, service, slice } from './objects.js'

// Two Services: one with a cluster IP, an external IP, an address of a load balancer and a node port, and one without endpoints.
const spec: ServiceSpec = {
  type: 'LoadBalancer',
  clusterIP: '172.30.1.1',
  externalIPs: ['192.168.99.100'],
  ports: [
    { name: 'u', protocol: 'UDP', port: 8000, nodePort: 32000 },
    { name: 't', protocol: 'TCP', port: 8000, nodePort: 32000 },
  ],
}
const services = [
  service('svc', spec, ['1.2.3.4']),
  service('idle', { clusterIP: '172.30.1.2', ports: [{ name: 'u', protocol: 'UDP', port: 8000 }] }),
]
const slices = [
  slice(
    'svc',
    [endpoint('10.240.0.4', 'remote'), endpoint('10.240.1.5', 'remote', 'X')],
    [
      ['u', 9090, 'UDP'],
      ['t', 9090, 'TCP'],
    ],
  ),
]
const { servicePorts } = buildRuleset(input(services, slices), 'IPv4')

function stale(destination: string, leadsTo: string, protocol = 'udp', version = 36): boolean {
  const socket = (text: string) => ({ address: text.split(':')[0] ?? '', port: Number(text.split(':')[1]) })
  const client = { address: '10.0.0.1', port: 5000 }
  const entry: ConntrackEntry = {
    protocol,
    original: { source: client, destination: socket(destination) },
    reply: { source: socket(leadsTo), destination: client },
    unreplied: false,
    assured: false,
  }
  return staleConntrackEntries([entry], servicePorts, version).length === 1
}

t.test('entries to an address of the Service', (t) => {
  for (const ip of ['172.30.1.1', '192.168.99.100', '1.2.3.4']) {
    t.notOk(stale(`${ip}:8000`, '10.240.0.4:9090'), 'leads to a serving endpoint')
    t.ok(stale(`${ip}:8000`, '10.240.0.4:8080'), 'the endpoint changed its port')
    t.ok(stale(`${ip}:8000`, '10.240.1.5:9090'), 'the endpoint does not serve')
    t.ok(stale(`${ip}:8000`, '10.240.2.6:9090'), 'the endpoint is gone')
    t.ok(stale(`${ip}:8000`, `${ip}:8000`), 'was never sent to an endpoint')
    t.notOk(stale(`${ip}:3000`, '10.240.2.6:9090'), 'not a port of the Service')
  }
  t.end()
})

t.test('entries to the node port, whichever address', (t) => {
  t.notOk(stale('172.18.0.2:32000', '10.240.0.4:9090'))
  t.ok(stale('172.18.0.2:32000', '10.240.2.6:9090'))
  t.end()
})

t.test('what is left alone', (t) => {
  for (const protocol of ['tcp', 'sctp']) {
    t.notOk(stale('172.30.1.1:8000', '10.240.2.6:9090', protocol))
    t.notOk(stale('172.18.0.2:32000', '10.240.2.6:9090', protocol))
  }
  t.end()
})

t.test('of a Service without endpoints, 1.32 to 1.36 keep the entries', (t) => {
  for (const [version, deleted] of [
    [31, true],
    [32, false],
    [36, false],
    [37, true],
  ] as const)
    t.equal(stale('172.30.1.2:8000', '10.240.2.6:9090', 'udp', version), deleted, `1.${version}`)
  t.end()
})
