import t from 'tap'
import { resources, type Resource } from '../../src/apiserver/resources.js'
import { createStore, type Store } from '../../src/apiserver/store.js'
import type { StoreEvent } from '../../src/apiserver/history.js'
import { manualClock } from './manualClock.js'
import { node, service, web } from './objects.js'

const found = (plural: string): Resource => {
  const resource = resources.find((resource) => resource.plural === plural)
  if (resource === undefined) throw new Error(`no resource ${plural}`)
  return resource
}
const [services, nodes] = [found('services'), found('nodes')]

function eventsOf(store: Store): StoreEvent[] {
  const events: StoreEvent[] = []
  store.subscribe((event) => events.push(event))
  return events
}
const printed = (events: readonly StoreEvent[]) =>
  events.map(({ type, object, resourceVersion }) => `${resourceVersion} ${type} ${object.metadata.name}`)

void t.test('sets uid, resourceVersion and creationTimestamp, and keeps them', (t) => {
  const clock = manualClock('2026-11-21T00:00:00.750Z')
  const store = createStore([web], { now: clock.now })
  const before = store.get(services, 'lab', 'web')?.metadata
  t.equal(before?.creationTimestamp, '2026-11-21T00:00:00Z')
  t.equal(before?.resourceVersion, String(store.resourceVersion))
  clock.advance(60_000)
  store.apply({ ...web, spec: { ...web.spec, clusterIP: '10.96.0.99' } })
  const after = store.get(services, 'lab', 'web')?.metadata
  t.same({ ...after, resourceVersion: '' }, { ...before, resourceVersion: '' })
  t.equal(after?.resourceVersion, String(store.resourceVersion))
  t.end()
})

void t.test('uids depend on names alone, and differ when an object is created again', (t) => {
  const [one, other] = [createStore([web, service('api')]), createStore([service('api'), web])]
  const uid = (store: Store) => store.get(services, 'lab', 'web')?.metadata.uid
  t.equal(uid(one), uid(other))
  const first = uid(one)
  one.remove('Service', 'lab', 'web')
  one.apply(web)
  t.not(uid(one), first)
  t.end()
})

void t.test('keeps metadata that an object already has', (t) => {
  const given = { uid: '11111111-2222-4333-8444-555555555555', creationTimestamp: '2020-01-01T00:00:00Z' }
  const store = createStore([{ ...web, metadata: { ...web.metadata, ...given } }])
  t.match(store.get(services, 'lab', 'web')?.metadata, given)
  t.end()
})

void t.test('puts objects without a namespace into default, and those without namespaces into none', (t) => {
  const store = createStore([
    { ...web, metadata: { name: 'web' } },
    { ...node('a', '172.18.0.2'), metadata: { name: 'a', namespace: 'lab' } },
  ])
  t.equal(store.get(services, 'default', 'web')?.metadata.namespace, 'default')
  t.notOk(Object.hasOwn(store.get(nodes, undefined, 'a')?.metadata ?? {}, 'namespace'))
  t.end()
})

void t.test('an equal object changes nothing', (t) => {
  const store = createStore([web])
  const events = eventsOf(store)
  const version = store.resourceVersion
  store.apply(structuredClone(web))
  t.equal(store.resourceVersion, version)
  t.same(events, [])
  t.end()
})

void t.test('an object that takes the place of a deleted one is another object', (t) => {
  const ending = { ...web, metadata: { ...web.metadata, deletionTimestamp: '2026-11-21T00:00:00Z' } }
  const clock = manualClock('2026-11-21T00:00:00Z')
  const store = createStore([web], { now: clock.now })
  const before = store.get(services, 'lab', 'web')?.metadata
  store.replace([ending])
  t.equal(store.get(services, 'lab', 'web')?.metadata.uid, before?.uid)
  const events = eventsOf(store)
  clock.advance(60_000)
  store.replace([web])
  t.same(
    events.map(({ type }) => type),
    ['DELETED', 'ADDED'],
  )
  const after = store.get(services, 'lab', 'web')?.metadata
  t.not(after?.uid, before?.uid)
  t.equal(after?.creationTimestamp, '2026-11-21T00:01:00Z')
  t.end()
})

void t.test('replace notifies only of differences', (t) => {
  const store = createStore([web, service('api'), node('a', '172.18.0.2')])
  const events = eventsOf(store)
  const from = store.resourceVersion
  store.replace([web, service('api', { clusterIP: '10.96.0.5' }), service('new')])
  t.same(printed(events), [`${from + 1} DELETED a`, `${from + 2} MODIFIED api`, `${from + 3} ADDED new`])
  t.ok(store.get(found('servicecidrs'), undefined, 'kubernetes'))
  t.end()
})

void t.test('an unsubscribed listener is not called', (t) => {
  const store = createStore([])
  const events: StoreEvent[] = []
  const end = store.subscribe((event) => events.push(event))
  store.apply(web)
  end()
  store.remove('Service', 'lab', 'web')
  t.same(
    events.map(({ type }) => type),
    ['ADDED'],
  )
  t.end()
})

void t.test('keeps a limited history', (t) => {
  const store = createStore([], { historyLength: 8 })
  const start = store.resourceVersion
  t.same(store.since(start), [])
  for (let port = 1; port <= 40; port++) store.apply(service('web', { ports: [{ port }] }))
  t.equal(store.since(start), undefined)
  t.equal(store.listAt(services, start), undefined)
  t.ok(store.resourceVersion - store.oldest >= 8)
  for (let version = store.oldest; version <= store.resourceVersion; version++) {
    t.equal(store.since(version)?.length, store.resourceVersion - version)
    t.match(store.listAt(services, version), [{ spec: { ports: [{ port: version - start }] } }])
  }
  t.end()
})

void t.test('lists in the order of the keys', (t) => {
  const at = (namespace: string, name: string) => ({ ...web, metadata: { name, namespace } })
  const store = createStore([at('b', 'a'), at('a', 'b'), at('a-b', 'a'), at('a', 'a')])
  const keys = store.list(services).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
  t.same(keys, ['a-b/a', 'a/a', 'a/b', 'b/a'])
  t.end()
})

void t.test('rejects a kind that is not served', (t) => {
  const template = { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 's' } }
  t.throws(() => createStore([template]), /no resource serves v1 PodTemplate/)
  t.equal(createStore([]).remove('PodTemplate', 'lab', 's'), false)
  t.end()
})

void t.test('no two resources share a kind and version, or a path', (t) => {
  const distinct = (of: (resource: (typeof resources)[number]) => string) => new Set(resources.map(of)).size
  t.equal(
    distinct(({ group, kind }) => `${group}/${kind}`),
    resources.length,
  )
  t.equal(
    distinct(({ group, version, plural }) => `${group}/${version}/${plural}`),
    resources.length,
  )
  t.end()
})
