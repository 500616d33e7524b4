import fc from 'fast-check'
import t from 'tap'
import type { EndpointSlice, Node, Service } from '../../../src/cluster/types.js'
import { changesBetween } from '../../../src/agents/kubeProxy/changes.js'
import { healthCheckBody, healthChecks } from '../../../src/agents/kubeProxy/healthChecks.js'
import { buildRuleset, updateRuleset } from '../../../src/agents/kubeProxy/iptables/ruleset.js'
import { renderFullRestore } from '../../../src/agents/kubeProxy/iptables/restore.js'
import { arbitraryInput } from './arbitraryInput.js'
import { endpoint, input, service, slice, testNode } from './objects.js'

const udpPort = [['u', 53, 'UDP']] as const
const svc: Service = service('svc', {
  clusterIP: '172.30.0.1',
  ports: [{ name: 'u', protocol: 'UDP', port: 53 }],
})
const other: Service = service('other', { clusterIP: '172.30.0.2' })
const eps: EndpointSlice = slice('svc', [endpoint('10.0.1.1', 'remote')], udpPort)
const start = input([svc, other], [eps])
const between = (services: Service[], slices: EndpointSlice[], node: Node = testNode) => {
  const { services: changed, ...rest } = changesBetween(
    start,
    { ...start, services, endpointSlices: slices, node },
    'IPv4',
  )
  return { services: [...changed].sort(), ...rest }
}
const nothing = { services: [], sync: false, full: false, cleanConntrack: false }

t.test('at the start everything is new', (t) => {
  t.same(changesBetween(undefined, start, 'IPv4'), {
    services: new Set(['ns1/svc', 'ns1/other']),
    sync: true,
    full: true,
    cleanConntrack: true,
  })
  t.equal(
    changesBetween(undefined, input([svc], []), 'IPv4').cleanConntrack,
    false,
    'no endpoints: no entries to look for',
  )
  t.end()
})

t.test('edits that affect no rule are no change', (t) => {
  const labelled = { ...svc, metadata: { ...svc.metadata, labels: { a: 'b' }, resourceVersion: '2' } }
  t.same(between([labelled, other], [eps]), nothing)
  t.same(between([structuredClone(svc), other], [structuredClone(eps)]), nothing)
  const moved: Node = { ...testNode, metadata: { ...testNode.metadata, labels: { team: 'x' } } }
  t.same(between([svc, other], [eps], moved), nothing)
  t.end()
})

t.test('a changed Service', (t) => {
  const local: Service = { ...other, spec: { ...other.spec, internalTrafficPolicy: 'Local' } }
  t.same(between([svc, local], [eps]), { ...nothing, services: ['ns1/other'], sync: true })
  t.same(between([svc], [eps]), { ...nothing, services: ['ns1/other'], sync: true }, 'gone')
  const hidden: Service = {
    ...other,
    metadata: { ...other.metadata, labels: { 'service.kubernetes.io/service-proxy-name': 'x' } },
  }
  t.same(
    between([svc, hidden], [eps]),
    { ...nothing, services: ['ns1/other'], sync: true },
    'handed to another proxy',
  )
  t.end()
})

t.test('a changed EndpointSlice', (t) => {
  const cleaned = { services: ['ns1/svc'], sync: true, full: false, cleanConntrack: true }
  t.same(between([svc, other], [slice('svc', [endpoint('10.0.1.2', 'remote')], udpPort)]), cleaned)
  t.same(between([svc, other], []), cleaned, 'gone')
  const touched = { ...eps, metadata: { ...eps.metadata, resourceVersion: '9' } }
  t.same(between([svc, other], [touched]), cleaned, 'any field counts')
  const tcp = slice('other', [endpoint('10.0.2.1', 'remote')])
  t.same(between([svc, other], [eps, tcp]), { ...nothing, services: ['ns1/other'], sync: true }, 'TCP alone')
  const six = slice('other', [endpoint('fd00::1', 'remote')], undefined, { family: 'IPv6' })
  t.same(between([svc, other], [eps, six]), nothing, 'the other family')
  t.end()
})

t.test('a node that moved to another zone', (t) => {
  const moved: Node = {
    ...testNode,
    metadata: { ...testNode.metadata, labels: { 'topology.kubernetes.io/zone': 'b' } },
  }
  t.same(between([svc, other], [eps], moved), { ...nothing, sync: true, full: true })
  t.end()
})

t.test('any two clusters: an update gives the same result as a full build', (t) => {
  fc.assert(
    fc.property(arbitraryInput, arbitraryInput, (before, later) => {
      const after = { ...later, config: before.config, nfacct: before.nfacct }
      const { services } = changesBetween(before, after, 'IPv4')
      const updated = updateRuleset(buildRuleset(before, 'IPv4'), after, services)
      return renderFullRestore(updated) === renderFullRestore(buildRuleset(after, 'IPv4'))
    }),
    { numRuns: 300 },
  )
  t.pass()
  t.end()
})

t.test('what the health check port answers', (t) => {
  const balanced = service('lb', {
    type: 'LoadBalancer',
    clusterIP: '172.30.0.9',
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 32000,
  })
  const answers = (endpoints: Parameters<typeof slice>[1]) =>
    healthChecks(input([balanced, svc], [slice('lb', endpoints)]), 'IPv4').map(({ port, localEndpoints }) => [
      port,
      localEndpoints,
    ])
  const place = ['10.0.1.1', '10.0.1.2', '10.0.1.3'] as const
  t.same(answers([...place.map((ip) => endpoint(ip, 'local')), endpoint('10.0.1.4', 'local', 'X')]), [
    [32000, 3],
  ])
  t.same(
    answers(place.map((ip) => endpoint(ip, 'local', 'T'))),
    [[32000, 0]],
    'terminating ones do not count',
  )
  t.same(answers([endpoint('10.0.1.1', 'remote')]), [[32000, 0]])
  t.equal(
    healthCheckBody({ namespace: 'ns1', service: 'lb', port: 32000, localEndpoints: 3 }, true),
    '{"service":{"namespace":"ns1","name":"lb"},"localEndpoints":3,"serviceProxyHealthy":true}',
  )
  t.end()
})
