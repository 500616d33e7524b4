import t from 'tap'
import { ownServiceObjects } from '../../src/apiserver/ownService.js'
import { createStore } from '../../src/apiserver/store.js'
import { kinds } from '../../src/cluster/kinds/index.js'
import type { Service } from '../../src/cluster/types.js'
import { handlesService } from '../../src/agents/kubeProxy/servicePort.js'
import { writableLab } from './writableLab.js'
import { service } from '../cluster/lab.js'

for (const own of [
  { address: '172.18.0.1', port: 6444, serviceRange: '10.96.0.0/16', first: '10.96.0.1' },
  { address: 'fd00:18::1', port: 6444, serviceRange: 'fd00:96::/112', first: 'fd00:96::1' },
])
  t.test(`the Service of the API server at ${own.address}`, (t) => {
    const objects = ownServiceObjects(own)
    t.same(
      objects.map(({ kind, metadata }) => [kind, metadata.namespace, metadata.name]),
      [
        ...['Service', 'EndpointSlice', 'Endpoints'].map((kind) => [kind, 'default', 'kubernetes']),
        ['IPAddress', undefined, own.first],
      ],
    )
    for (const object of objects)
      t.same(kinds.find(({ kind }) => kind === object.kind)?.validate(object) ?? [], [], object.kind)
    const made = objects[0] as Service
    t.equal(made.spec.clusterIP, own.first)
    t.match(objects[1], { endpoints: [{ addresses: [own.address] }], ports: [{ name: 'https', port: 6444 }] })
    t.notOk(handlesService(made), 'kube-proxy leaves it alone')
    const { 'service.kubernetes.io/service-proxy-name': _left, ...labels } = made.metadata.labels ?? {}
    t.ok(handlesService({ ...made, metadata: { ...made.metadata, labels } }), 'because of the label alone')
    t.end()
  })

t.test('the Service of the API server cannot be changed or deleted', async (t) => {
  const lab = await writableLab(t, service('web'))
  const store = createStore([], {
    builtIn: ownServiceObjects({ address: '172.18.0.1', port: 6444, serviceRange: '10.96.0.0/16' }),
  })
  for (const resource of ['Service', 'EndpointSlice']) {
    const own = kinds.find(({ kind }) => kind === resource)
    const object = own && store.get(own, 'default', 'kubernetes')
    if (object !== undefined) lab.store.apply(object)
  }
  const path = '/api/v1/namespaces/default/services'
  const why = /services "kubernetes" is forbidden: the API server of the lab keeps it for itself/
  t.match((await lab.send('DELETE', `${path}/kubernetes`)).json, { code: 403, message: why })
  const patch = { spec: { sessionAffinity: 'ClientIP' } }
  t.match((await lab.send('PATCH', `${path}/kubernetes`, patch, 'application/merge-patch+json')).json, {
    code: 403,
    message: why,
  })
  const again = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kubernetes' },
    spec: { ports: [{ port: 1 }] },
  }
  t.match((await lab.send('POST', path, again)).json, { code: 409, reason: 'AlreadyExists' })
  t.match((await lab.send('DELETE', `${path}/absent`)).json, { code: 404 })
})
