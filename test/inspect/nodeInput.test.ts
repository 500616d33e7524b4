import { join } from 'node:path'
import t from 'tap'
import { modeOf } from '../../src/agents/kubeProxy/modes.js'
import { InputError } from '../../src/errors.js'
import { readNodeInput } from '../../src/inspect/nodeInput.js'

interface Addresses {
  readonly cluster?: string
  readonly external?: string
  readonly endpoint?: string
}

/** A Service and its EndpointSlice, which a cluster has stored if the Service has a cluster IP. */
function objects({ cluster, external = '192.0.2.10', endpoint = '10.244.1.7' }: Addresses): string {
  const allocated = cluster === undefined ? '' : `clusterIP: ${cluster}, clusterIPs: [${cluster}],`
  return `apiVersion: v1
kind: Node
metadata: { name: a }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: default }
spec: { type: ClusterIP, ${allocated} externalIPs: [${external}], ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-1, namespace: default, labels: { kubernetes.io/service-name: web } }
addressType: IPv4
endpoints: [{ addresses: ['${endpoint}'], conditions: { ready: true } }]
ports: [{ name: '', port: 8080, protocol: TCP }]
`
}

/** The rules of iptables that `render` prints for these objects. */
function rules(t: { testdir(files: Record<string, string>): string }, addresses: Addresses): string {
  const filename = [join(t.testdir({ 'objects.yaml': objects(addresses) }), 'objects.yaml')]
  const { input } = readNodeInput({ filename, ignore: [], node: 'a' })
  return modeOf('iptables').render(input, 'IPv4')
}

t.test('stored addresses with leading zeros are decimal numbers, as kube-proxy reads them', (t) => {
  const plain = rules(t, { cluster: '10.96.0.20' })
  for (const address of ['10.96.0.20', '192.0.2.10', '10.244.1.7:8080'])
    t.ok(plain.includes(address), address)
  const zeros = { cluster: '010.096.000.020', external: '192.000.002.010', endpoint: '010.244.001.007' }
  t.equal(rules(t, zeros), plain)
  t.end()
})

t.test('in objects that are to be created, the API server refuses them', (t) => {
  t.throws(() => rules(t, { external: '192.000.002.010' }), InputError)
  t.throws(() => rules(t, { endpoint: '010.244.001.007' }), InputError)
  t.doesNotThrow(() => rules(t, {}))
  t.end()
})
