import t from 'tap'
import { nodeReady } from '../../src/cluster/changes/index.js'
import type { LoadBalancer } from '../../src/cluster/types.js'
import type { IpFamily } from '../../src/net/ipFamily.js'
import {
  balancerConfig,
  healthQuestions,
  proxiedAddresses,
  proxiedPorts,
} from '../../src/topology/proxyBalancer.js'
import { defaultRanges } from '../../src/net/addressRanges.js'
import { cluster, deployment, service } from '../cluster/lab.js'

const loadBalancer: LoadBalancer = { mode: 'proxy', ipMode: 'Proxy', ranges: defaultRanges.loadBalancers }
const always = () => true

function lab(spec: string, families: IpFamily[] = ['IPv4']) {
  return cluster(deployment('web', 2) + service('web', `type: LoadBalancer, ${spec}`), {
    loadBalancer,
    families,
  })
}

t.test('each port of each address goes to the node ports of all nodes, in its family', async (t) => {
  const built = lab('ipFamilyPolicy: PreferDualStack', ['IPv4', 'IPv6'])
  const nodePort = built.services[0]?.spec.ports?.[0]?.nodePort ?? 0
  t.same(proxiedAddresses(built), ['192.0.2.1', '2001:db8::1'])
  t.same(proxiedPorts(built, always), [
    {
      address: '192.0.2.1',
      port: 80,
      protocol: 'TCP',
      targets: [`172.18.0.2:${nodePort}`, `172.18.0.3:${nodePort}`],
    },
    {
      address: '2001:db8::1',
      port: 80,
      protocol: 'TCP',
      targets: [`[fd00:18::2]:${nodePort}`, `[fd00:18::3]:${nodePort}`],
    },
  ])
})

t.test('an unhealthy node gets no traffic; without nodes the port is closed', async (t) => {
  const built = lab('sessionAffinity: None')
  const down = nodeReady(built, 'node-a', false)
  t.match(
    proxiedPorts(down, always).map(({ targets }) => targets.join()),
    [/^172\.18\.0\.3:/],
  )
  t.same(proxiedPorts(nodeReady(down, 'node-b', false), always), [])
  t.same(
    proxiedPorts(lab('allocateLoadBalancerNodePorts: false'), always),
    [],
    'there is no node port to send to',
  )
})

t.test('with externalTrafficPolicy Local nodes get health checks', async (t) => {
  const built = lab('externalTrafficPolicy: Local, healthCheckNodePort: 32000')
  t.same(
    healthQuestions(built).map(({ node, url }) => [node, url]),
    [
      ['node-a', 'http://172.18.0.2:32000/healthz'],
      ['node-b', 'http://172.18.0.3:32000/healthz'],
    ],
  )
  const asked: string[] = []
  const [port] = proxiedPorts(built, (node, health) => {
    asked.push(`${node} ${health}`)
    return node === 'node-b'
  })
  t.match(port?.targets, [/^172\.18\.0\.3:/])
  t.same(asked, ['node-a 32000', 'node-b 32000'])
  t.same(healthQuestions(lab('externalTrafficPolicy: Cluster')), [])
})

t.test('the configuration of nginx', async (t) => {
  const text = balancerConfig(
    [
      { address: '192.0.2.1', port: 53, protocol: 'UDP', targets: ['172.18.0.2:30053'] },
      { address: '2001:db8::1', port: 80, protocol: 'TCP', targets: ['[fd00:18::2]:30080'] },
    ],
    '/run/x',
    { streamModule: '/m.so' },
  )
  t.match(text, /^load_module \/m\.so;\n/)
  t.match(text, '    listen 192.0.2.1:53 udp reuseport;\n    proxy_pass service_0;\n')
  t.match(text, '  upstream service_1 {\n    server [fd00:18::2]:30080;\n  }\n')
  t.match(text, '    listen [2001:db8::1]:80 reuseport;\n')
  t.notMatch(balancerConfig([], '/run/x', { streamModule: undefined }), 'load_module')
})
