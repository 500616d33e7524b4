import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parseManifests } from '../../src/cluster/manifests/manifests.js'
import { areStored } from '../../src/cluster/stored.js'
import { deployment, service } from './lab.js'

const stored = (...texts: string[]) =>
  areStored(parseManifests([{ path: 'a.yaml', text: texts.join('') }]).objects)
const slice = (name: string) => `apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: ${name}-x, labels: { kubernetes.io/service-name: ${name} } }
addressType: IPv4
endpoints: null
ports: null
---
`
const at = 'clusterIP: 10.96.0.9'

t.test('every recording was stored', (t) => {
  const folder = 'test/golden/kube-proxy-1.36'
  const not = readdirSync(folder).filter(
    (name) => !stored(readFileSync(join(folder, name, 'objects.yaml'), 'utf8')),
  )
  t.same(not, [])
  t.end()
})

t.test('a Service is recognised by its allocated values', (t) => {
  for (const [spec, expected] of [
    ['', false],
    [at, true],
    ['clusterIP: None', true],
    [`${at}, type: NodePort`, false],
    [`${at}, type: LoadBalancer`, false],
    [`${at}, type: LoadBalancer, allocateLoadBalancerNodePorts: false`, true],
    ['type: ExternalName, externalName: a.example', true],
  ] as const) {
    t.equal(stored(service('web', spec)), expected, spec)
  }
  const numbered = service('web', `${at}, type: NodePort`).replace('port: 80', 'port: 80, nodePort: 30080')
  t.equal(stored(numbered), true)
  t.end()
})

t.test('pods without EndpointSlices mean that no controller has run', (t) => {
  t.equal(stored(deployment('web', 2), service('web', at)), false)
  t.equal(stored(deployment('web', 2), service('web', at), slice('web')), true, 'an empty slice is one')
  t.equal(stored(deployment('web', 2), service('web', at), slice('other')), false, 'of another Service')
  t.equal(stored(deployment('web', 2)), true, 'no Service selects them')
  t.end()
})
