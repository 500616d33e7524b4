import t from 'tap'
import { podHosts, podResolvConf } from '../../../src/cluster/dns/podFiles.js'
import { dnsZone } from '../../../src/cluster/dns/records.js'
import type { EndpointSlice, Pod, Service } from '../../../src/cluster/types.js'

const none = { namespaces: [], pods: [], services: [], endpointSlices: [] }

function service(name: string, spec: Service['spec']): Service {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'default' }, spec }
}

function slice(of: string, endpoints: EndpointSlice['endpoints']): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${of}-x`, namespace: 'default', labels: { 'kubernetes.io/service-name': of } },
    addressType: 'IPv4',
    endpoints,
    ports: [{ name: 'https', protocol: 'TCP', port: 443 }],
  }
}

t.test('the examples of the specification: a Service with a cluster address', async (t) => {
  const kubernetes = service('kubernetes', {
    clusterIP: '10.3.0.1',
    clusterIPs: ['10.3.0.1', 'fd00::1'],
    ports: [{ name: 'https', port: 443, protocol: 'TCP' }, { port: 80 }],
  })
  const name = 'kubernetes.default.svc.cluster.local'
  t.same(dnsZone({ ...none, services: [kubernetes] }).records, [
    { name: 'dns-version.cluster.local', type: 'TXT', text: '1.1.0' },
    { name, type: 'A', address: '10.3.0.1' },
    { name: '1.0.3.10.in-addr.arpa', type: 'PTR', target: name },
    { name, type: 'AAAA', address: 'fd00::1' },
    { name: `1.${'0.'.repeat(27)}0.0.d.f.ip6.arpa`, type: 'PTR', target: name },
    { name: `_https._tcp.${name}`, type: 'SRV', port: 443, target: name },
  ])
})

t.test('a headless Service: ready endpoints, by host name or by address', async (t) => {
  const headless = service('headless', { clusterIP: 'None' })
  const endpoints = [
    { addresses: ['10.3.0.100'], hostname: 'my-pet', conditions: { ready: true } },
    { addresses: ['10.3.0.101'], conditions: { ready: true } },
    { addresses: ['10.3.0.102'], hostname: 'late', conditions: { ready: false } },
  ]
  const { records } = dnsZone({
    ...none,
    services: [headless],
    endpointSlices: [slice('headless', endpoints)],
  })
  const name = 'headless.default.svc.cluster.local'
  t.same(records.slice(1), [
    { name, type: 'A', address: '10.3.0.100' },
    { name: `my-pet.${name}`, type: 'A', address: '10.3.0.100' },
    { name: '100.0.3.10.in-addr.arpa', type: 'PTR', target: `my-pet.${name}` },
    { name: `_https._tcp.${name}`, type: 'SRV', port: 443, target: `my-pet.${name}` },
    { name, type: 'A', address: '10.3.0.101' },
    { name: `10-3-0-101.${name}`, type: 'A', address: '10.3.0.101' },
    { name: '101.0.3.10.in-addr.arpa', type: 'PTR', target: `10-3-0-101.${name}` },
    { name: `_https._tcp.${name}`, type: 'SRV', port: 443, target: `10-3-0-101.${name}` },
  ])
})

t.test('only an alias', async (t) => {
  const foo = service('foo', {
    type: 'ExternalName',
    externalName: 'WWW.example.com.',
    ports: [{ port: 80 }],
  })
  t.same(dnsZone({ ...none, services: [foo] }).records.slice(1), [
    { name: 'foo.default.svc.cluster.local', type: 'CNAME', target: 'www.example.com' },
  ])
})

t.test('the DNS configuration of a pod', async (t) => {
  const pod = (spec: Partial<Pod['spec']>): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-0', namespace: 'shop' },
    spec: { containers: [], ...spec },
    status: { podIPs: [{ ip: '10.244.1.2' }, { ip: 'fd00::2' }] },
  })
  const around = { clusterDns: ['10.96.0.10'], outside: ['172.18.1.2'] }
  const cluster =
    'search shop.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n'
  t.equal(podResolvConf(pod({}), around), cluster)
  t.equal(podResolvConf(pod({ hostNetwork: true }), around), 'nameserver 172.18.1.2\n')
  t.equal(podResolvConf(pod({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' }), around), cluster)
  t.equal(podResolvConf(pod({ dnsPolicy: 'Default' }), around), 'nameserver 172.18.1.2\n')
  const dnsConfig = {
    nameservers: ['1.2.3.4'],
    searches: ['a.b', 'x\nnameserver 6.6.6.6'],
    options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }],
  }
  t.equal(
    podResolvConf(pod({ dnsPolicy: 'None', dnsConfig }), around),
    'search a.b xnameserver6.6.6.6\nnameserver 1.2.3.4\noptions ndots:2 edns0\n',
  )
  t.match(podResolvConf(pod({ dnsConfig }), around), /^options ndots:2 edns0$/m, 'its own option comes first')
  t.match(
    podHosts(pod({ hostname: 'web-0', subdomain: 'web' })),
    '10.244.1.2\tweb-0.web.shop.svc.cluster.local\tweb-0\nfd00::2\tweb-0.web.shop.svc.cluster.local\tweb-0\n',
  )
})
