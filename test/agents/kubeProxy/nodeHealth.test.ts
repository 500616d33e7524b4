import t from 'tap'
import type { Node } from '../../../src/cluster/types.js'
import { healthServers, healthyNode } from '../../../src/agents/kubeProxy/nodeHealth.js'
import { healthServerConfig } from '../../../src/topology/healthServer.js'
import { endpoint, input, service, slice, testNode } from './objects.js'

const balanced = service('web', {
  type: 'LoadBalancer',
  clusterIP: '172.30.0.1',
  externalTrafficPolicy: 'Local',
  healthCheckNodePort: 31000,
})
const eps = slice('web', [
  endpoint('10.0.1.1', 'local'),
  endpoint('10.0.1.2', 'local'),
  endpoint('10.0.1.3', 'remote'),
])
const from = input([balanced], [eps])
const answersOf = (servers: ReturnType<typeof healthServers>) =>
  servers.flatMap(({ answers }) => answers.map(({ path = '*', status }) => `${path} ${status}`))

t.test('a Service with a healthCheckNodePort, and kube-proxy itself', (t) => {
  const [web, own] = healthServers(from, ['IPv4'], healthyNode)
  t.same(web, {
    listen: ['0.0.0.0:31000'],
    answers: [
      {
        status: 200,
        headers: {
          'Content-Type': 'application/json',
          'X-Content-Type-Options': 'nosniff',
          'X-Load-Balancing-Endpoint-Weight': '2',
        },
        body: '{"service":{"namespace":"ns1","name":"web"},"localEndpoints":2,"serviceProxyHealthy":true}',
      },
    ],
  })
  t.same(own?.listen, ['0.0.0.0:10256'])
  t.same(answersOf(own === undefined ? [] : [own]), ['/healthz 200', '/livez 200'])
  t.end()
})

t.test('without health checks nothing is served, unless requested', (t) => {
  const quiet = input([service('web', { clusterIP: '172.30.0.1' })], [eps])
  t.same(healthServers(quiet, ['IPv4'], healthyNode), [])
  t.same(answersOf(healthServers(quiet, ['IPv4'], { ...healthyNode, always: true })), [
    '/healthz 200',
    '/livez 200',
  ])
  const off = input([], [], { healthzBindAddress: '' })
  t.same(healthServers(off, ['IPv4'], { ...healthyNode, always: true }), [])
  t.end()
})

t.test('what causes a 503 response', (t) => {
  const ill = { ...healthyNode, healthy: { IPv4: false, IPv6: true } }
  t.same(answersOf(healthServers(from, ['IPv4'], ill)), ['* 503', '/healthz 503', '/livez 503'])
  const gone = { ...healthyNode, deleted: true }
  t.same(answersOf(healthServers(from, ['IPv4'], gone)), ['* 200', '/healthz 503', '/livez 200'])
  const taints = [{ key: 'ToBeDeletedByClusterAutoscaler', effect: 'NoSchedule' }]
  const tainted: Node = { ...testNode, spec: { taints } }
  t.same(answersOf(healthServers({ ...from, node: tainted }, ['IPv4'], healthyNode)), [
    '* 200',
    '/healthz 503',
    '/livez 200',
  ])
  const remote = input([balanced], [slice('web', [endpoint('10.0.1.3', 'remote')])])
  t.same(answersOf(healthServers(remote, ['IPv4'], healthyNode)), ['* 503', '/healthz 200', '/livez 200'])
  t.end()
})

t.test('nodePortAddresses limits the listen addresses', (t) => {
  const some = input([balanced], [eps], { nodePortAddresses: ['192.168.0.0/24'] })
  t.same(healthServers(some, ['IPv4'], healthyNode)[0]?.listen, ['192.168.0.2:31000'])
  t.end()
})

t.test('as nginx reads it', (t) => {
  const text = healthServerConfig(healthServers(from, ['IPv4'], healthyNode), '/run/x')
  t.match(text, '    listen 0.0.0.0:31000 reuseport;\n')
  t.match(text, '      add_header X-Load-Balancing-Endpoint-Weight 2 always;\n')
  t.match(text, '    location = /livez {\n')
  t.match(text, '"currentTime": "$time_iso8601"')
  t.match(text, '    location / { return 404; }\n', 'other paths of kube-proxy itself')
  const six = healthServerConfig([{ listen: ['[::]:31000'], answers: [] }], '/run/x')
  t.match(six, 'listen [::]:31000 reuseport ipv6only=on;')
  t.end()
})
