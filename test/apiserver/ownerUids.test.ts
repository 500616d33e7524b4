import t from 'tap'
import { createStore } from '../../src/apiserver/store.js'
import { findResource } from '../../src/apiserver/resources.js'
import type { KubeObject } from '../../src/cluster/types.js'
import { pod, service } from './objects.js'

const owned = (name: string): KubeObject => {
  const made = pod('web', 'node-a')
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Service', name, controller: true }]
  return { ...made, metadata: { ...made.metadata, ownerReferences } }
}

t.test('owner references have the uid of the owner', (t) => {
  const pods = findResource('', 'v1', 'pods')
  const services = findResource('', 'v1', 'services')
  if (pods === undefined || services === undefined) throw new Error('not served')
  const owner = service('owner', {})
  const store = createStore([owned('owner'), owner])
  const uid = () => store.list(pods)[0]?.metadata.ownerReferences?.[0]?.uid
  const first = store.list(services)[0]?.metadata.uid
  t.ok(first)
  t.equal(uid(), first, 'also when the owner comes later')
  const version = store.resourceVersion
  store.replace([owned('owner'), owner])
  t.equal(store.resourceVersion, version, 'the same objects change nothing')
  store.replace([owned('owner')])
  t.equal(uid(), first, 'the owner is gone')
  store.replace([owned('owner'), owner])
  t.not(store.list(services)[0]?.metadata.uid, first)
  t.equal(uid(), store.list(services)[0]?.metadata.uid, 'a new owner of that name')
  store.replace([owned('none')])
  t.equal(uid(), undefined)
  t.end()
})
