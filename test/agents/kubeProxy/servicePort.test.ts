import t from 'tap'
import type { Service, ServiceSpec } from '../../../src/cluster/types.js'
import { healthCheckNodePort, servicePorts } from '../../../src/agents/kubeProxy/servicePort.js'
import { service } from './objects.js'

const ports = (made: Service, family: 'IPv4' | 'IPv6' = 'IPv4') =>
  servicePorts(made, family, { externalIPs: true })
const one = (spec: ServiceSpec, vips: string[] = [], family: 'IPv4' | 'IPv6' = 'IPv4') =>
  ports(service('svc', spec, vips), family)[0]

t.test('one entry for each port of each Service', (t) => {
  const several: ServiceSpec = {
    clusterIP: '172.30.55.10',
    ports: [
      { name: 'dns', protocol: 'UDP', port: 53 },
      { name: 'dns-tcp', protocol: 'TCP', port: 53 },
      { name: '', protocol: 'SCTP', port: 7777 },
    ],
  }
  t.same(
    ports(service('svc', several)).map(({ name, protocolName }) => `${name} ${protocolName}`),
    ['ns1/svc:dns udp', 'ns1/svc:dns-tcp tcp', 'ns1/svc sctp'],
  )
  t.end()
})

t.test('headless and ExternalName Services, and those of another proxy, have none', (t) => {
  t.same(ports(service('svc', { clusterIP: 'None' })), [])
  t.same(ports(service('svc', { clusterIP: '' })), [])
  t.same(ports(service('svc', {})), [])
  t.same(ports(service('svc', { type: 'ExternalName', externalName: 'a.b', clusterIP: '172.30.0.1' })), [])
  const labelled = service('svc', { clusterIP: '172.30.0.1' })
  labelled.metadata.labels = { 'service.kubernetes.io/service-proxy-name': '' }
  t.same(ports(labelled), [])
  t.end()
})

t.test('the health check port follows the type', (t) => {
  const clusterIP: ServiceSpec = { clusterIP: '172.30.55.4', healthCheckNodePort: 345 }
  const balanced: ServiceSpec = { ...clusterIP, type: 'LoadBalancer', externalTrafficPolicy: 'Local' }
  t.equal(healthCheckNodePort(service('svc', clusterIP)), 0)
  t.equal(healthCheckNodePort(service('svc', balanced)), 345)
  t.equal(healthCheckNodePort(service('svc', { ...balanced, externalTrafficPolicy: 'Cluster' })), 0)
  t.end()
})

t.test('the address of each family', (t) => {
  const dual: ServiceSpec = {
    ipFamilies: ['IPv6', 'IPv4'],
    clusterIPs: ['fd00::1', '10.0.0.1'],
    clusterIP: 'fd00::1',
  }
  t.equal(one(dual)?.clusterIP, '10.0.0.1')
  t.equal(one(dual, [], 'IPv6')?.clusterIP, 'fd00::1')
  t.equal(one({ clusterIP: 'fd00::1' }), undefined)
  t.equal(one({ ipFamilies: ['IPv4', 'IPv6'], clusterIPs: ['10.0.0.1'] }, [], 'IPv6'), undefined)
  t.end()
})

t.test('ingress addresses count by ipMode, not by type', (t) => {
  const made = service('svc', { clusterIP: '10.0.0.1' })
  made.status = {
    loadBalancer: {
      ingress: [
        { ip: '1.1.1.1', ipMode: 'Proxy' },
        { ip: '2.2.2.2', ipMode: 'VIP' },
        { ip: '3.3.3.3' },
        { hostname: 'lb' },
      ],
    },
  }
  t.same(ports(made)[0]?.loadBalancerVIPs, ['2.2.2.2', '3.3.3.3'])
  t.equal(ports(made)[0]?.externallyAccessible, true)
  t.end()
})

t.test('addresses become canonical', (t) => {
  const found = one(
    {
      clusterIP: '172.30.0.041',
      externalIPs: ['192.168.099.022', 'nonsense'],
      loadBalancerSourceRanges: [' 203.0.113.000/025', '2001:db8::/32'],
    },
    ['1.2.3.004'],
  )
  t.match(found, { clusterIP: '172.30.0.41', externalIPs: ['192.168.99.22'], loadBalancerVIPs: ['1.2.3.4'] })
  t.same(
    found?.sourceRanges.map(({ text }) => text),
    ['203.0.113.0/25'],
  )
  t.end()
})

t.test('a source range that contains every address removes the restriction', (t) => {
  t.same(
    one({ clusterIP: '10.0.0.1', loadBalancerSourceRanges: ['10.0.0.0/8', '0.0.0.0/0'] })?.sourceRanges,
    [],
  )
  t.end()
})

t.test('externalTrafficPolicy Local applies only if external traffic is possible', (t) => {
  const local = { clusterIP: '10.0.0.1', externalTrafficPolicy: 'Local' } as const
  t.equal(one({ ...local, type: 'NodePort' })?.externalPolicyLocal, true)
  t.equal(one({ ...local, type: 'ClusterIP' })?.externalPolicyLocal, false)
  t.equal(
    one({ ...local, externalIPs: ['fd00::5'] })?.externalPolicyLocal,
    true,
    'external IPs of either family',
  )
  t.equal(one({ ...local, externalIPs: ['fd00::5'] })?.usesLocal, false, 'though none is of this one')
  t.end()
})

t.test('gate AllowServiceExternalIPs off: no external IPs, but accessible still', (t) => {
  const made = service('svc', { clusterIP: '10.0.0.1', externalIPs: ['192.0.2.1'] })
  const [found] = servicePorts(made, 'IPv4', { externalIPs: false })
  t.match(found, { externalIPs: [], externallyAccessible: true })
  t.end()
})

t.test('session affinity', (t) => {
  t.equal(one({ clusterIP: '10.0.0.1' })?.affinitySeconds, 0)
  t.equal(one({ clusterIP: '10.0.0.1', sessionAffinity: 'ClientIP' })?.affinitySeconds, 10800)
  const short = { clientIP: { timeoutSeconds: 60 } }
  t.equal(
    one({ clusterIP: '10.0.0.1', sessionAffinity: 'ClientIP', sessionAffinityConfig: short })
      ?.affinitySeconds,
    60,
  )
  t.end()
})
