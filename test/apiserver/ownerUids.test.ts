import t from 'tap'
import { createStore } from '../../src/apiserver/store.js'
import { findResource } from '../../src/apiserver/resources.js'
import { backOff } from '../../src/cluster/events/podEvents.js'
import type { KubeObject, Pod } from '../../src/cluster/types.js'
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

t.test('messages of kubelet about a container that fails have the uid of the pod', async (t) => {
  const made = pod('web', 'node-a')
  const waiting = {
    reason: 'CrashLoopBackOff',
    message: 'back-off 10s restarting failed container=a pod=web_lab',
  }
  const failing: Pod = {
    ...made,
    status: { ...made.status, containerStatuses: [{ name: 'a', restartCount: 1, state: { waiting } }] },
  }
  const { message, reason, type } = backOff(made, 'a')
  const involvedObject = { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'lab' }
  const event = {
    ...{ apiVersion: 'v1', kind: 'Event', metadata: { name: 'web.1', namespace: 'lab' } },
    ...{ type, reason, message, involvedObject },
  }
  const store = createStore([failing, event])
  const pods = findResource('', 'v1', 'pods')
  const events = findResource('', 'v1', 'events')
  if (pods === undefined || events === undefined) throw new Error('not served')
  const [stored] = store.list(pods) as Pod[]
  const uid = stored?.metadata.uid ?? ''
  t.match(uid, /^[0-9a-f-]{36}$/)
  t.equal(
    stored?.status?.containerStatuses?.[0]?.state?.waiting?.message,
    `back-off 10s restarting failed container=a pod=web_lab(${uid})`,
  )
  t.match(store.list(events)[0], {
    message: `Back-off restarting failed container a in pod web_lab(${uid})`,
    involvedObject: { uid },
  })
})
