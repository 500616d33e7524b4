import t from 'tap'
import { endpointsMap } from '../../../src/agents/kubeProxy/endpoints.js'
import { endpoint, slice } from './objects.js'

const key = 'ns1/svc:http/TCP'
const texts = (...slices: ReturnType<typeof slice>[]) =>
  endpointsMap(slices, 'IPv4', 'test-node')
    .get(key)
    ?.map(({ text }) => text)

t.test('endpoints are in lexical order', (t) => {
  const addresses = ['10.0.0.1', '10.0.0.10', '10.0.0.2', '10.0.0.9']
  const found = texts(
    slice(
      'svc',
      addresses.map((address) => endpoint(address, 'remote')),
    ),
  )
  t.same(found, ['10.0.0.10:80', '10.0.0.1:80', '10.0.0.2:80', '10.0.0.9:80'])
  t.same(
    texts(slice('svc', [endpoint('10.2.2.2', 'remote'), endpoint('10.2.2.22', 'remote')], [['http', 22]])),
    ['10.2.2.22:22', '10.2.2.2:22'],
  )
  t.end()
})

t.test('a duplicate counts once, and one that terminates never hides one that does not', (t) => {
  const one = slice('svc', [endpoint('10.0.0.1', 'remote')], undefined, { name: 'svc-1' })
  const other = slice('svc', [endpoint('10.0.0.1', 'local', 'T')], undefined, { name: 'svc-2' })
  for (const slices of [
    [one, other],
    [other, one],
  ]) {
    const found = endpointsMap(slices, 'IPv4', 'test-node').get(key)
    t.equal(found?.length, 1)
    t.match(found?.[0], { ready: true, terminating: false, local: false })
  }
  t.end()
})

t.test('conditions that are not set mean ready, serving, not terminating', (t) => {
  const found = endpointsMap([slice('svc', [{ addresses: ['10.0.0.1'] }])], 'IPv4', 'test-node').get(key)
  t.match(found?.[0], { ready: true, serving: true, terminating: false, local: false })
  t.end()
})

t.test('slices that kube-proxy ignores', (t) => {
  const good = slice('svc', [endpoint('10.0.0.1', 'remote')])
  const labels = { ...good.metadata.labels, 'service.kubernetes.io/headless': '' }
  t.same(texts(good), ['10.0.0.1:80'], 'this one it heeds')
  t.equal(texts({ ...good, addressType: 'FQDN' }), undefined, 'FQDN')
  t.equal(texts({ ...good, addressType: 'IPv6' }), undefined, 'the other family')
  t.equal(texts({ ...good, metadata: { ...good.metadata, labels: {} } }), undefined, 'no Service named')
  t.equal(texts({ ...good, metadata: { ...good.metadata, labels } }), undefined, 'headless')
  t.equal(texts({ ...good, ports: [{ port: 80 }] }), undefined, 'a port without name')
  t.equal(texts({ ...good, ports: [{ name: 'http' }] }), undefined, 'a port without number')
  t.same(texts({ ...good, endpoints: [{ addresses: [] }] }), [], 'an endpoint without address')
  t.end()
})

t.test('addresses are written in canonical form', (t) => {
  t.same(texts(slice('svc', [endpoint('10.180.00.001', 'remote')])), ['10.180.0.1:80'])
  const six = slice('svc', [endpoint('FD00:0:0::0001', 'remote')], undefined, { family: 'IPv6' })
  t.same(
    endpointsMap([six], 'IPv6', '')
      .get(key)
      ?.map(({ text }) => text),
    ['[fd00::1]:80'],
  )
  t.end()
})
