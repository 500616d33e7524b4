import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { resourceOf } from '../../src/apiserver/resources.js'
import type { KubeObject } from '../../src/cluster/types.js'
import { ask, protobufFirst, watch, type OpenWatch, type WatchedEvent } from './client.js'
import { manualClock } from './manualClock.js'
import { pod, service } from './objects.js'
import { serve } from './serve.js'

interface List {
  metadata: { resourceVersion: string; continue?: string }
  items: KubeObject[]
}

/** The cache of an informer: object by name, with its resourceVersion. */
type Cache = Map<string, string>

const path = '/api/v1/namespaces/lab/services'
const services = resourceOf(service('any')) ?? fail()
const json = { headers: { Accept: 'application/json' } }

function fail(): never {
  throw new Error('Services are served')
}

const cached = (objects: readonly KubeObject[]): Cache =>
  new Map(objects.map(({ metadata }) => [metadata.name, metadata.resourceVersion ?? '']))

/** Applies the events of a watch as client-go's reflector does; returns the resourceVersion that it has reached. */
function follow(cache: Cache, events: readonly WatchedEvent[], from: string): string {
  let reached = from
  for (const { type, object } of events) {
    if (type === 'ERROR') break
    const { name, resourceVersion } = object.metadata
    reached = resourceVersion
    if (type === 'DELETED') cache.delete(name)
    else if (type !== 'BOOKMARK') cache.set(name, resourceVersion)
  }
  return reached
}

const watchFrom = (version: string) =>
  `${path}?allowWatchBookmarks=true&resourceVersion=${version}&timeoutSeconds=400&watch=true`

void t.test('an informer lists, watches, is cut, falls behind and lists again', async (t) => {
  const clock = manualClock('2026-11-21T00:00:00Z')
  const objects = ['a', 'b', 'c'].map((name) => service(name))
  const { store, server } = await serve(t, objects, { clock, bookmarkSeconds: 60, historyLength: 8 })
  const now = () => cached(store.list(services))

  const first = (await ask(server, `${path}?limit=500&resourceVersion=0`, json)).json as List
  t.equal(first.metadata.continue, undefined, 'resourceVersion=0 is not paged')
  const cache = cached(first.items)
  t.same(cache, now())

  const live = await watch(server, watchFrom(first.metadata.resourceVersion), protobufFirst)
  store.apply(service('d'))
  store.remove('Service', 'lab', 'a')
  await live.count(2)
  // Nothing happens to Services: only a bookmark moves the informer on.
  store.apply(pod('other', 'node-a'))
  clock.advance(60_000)
  await live.count(3)
  live.cut()
  const reached = follow(cache, live.events, first.metadata.resourceVersion)
  t.equal(reached, String(store.resourceVersion))
  t.same(cache, now())

  store.apply(service('b', { clusterIP: '10.96.0.9' }))
  const resumed = await watch(server, watchFrom(reached), protobufFirst)
  await resumed.count(1)
  t.same(
    resumed.events.map(({ type, object }) => `${type} ${object.metadata.name}`),
    ['MODIFIED b'],
  )
  const last = follow(cache, resumed.events, reached)
  resumed.cut()

  for (let index = 0; index < 30; index++) store.apply(service(`more-${index}`))
  const behind = await watch(server, watchFrom(last), protobufFirst)
  t.equal(await behind.ended, true)
  t.match(JSON.parse(behind.lines[0] ?? ''), {
    type: 'ERROR',
    object: {
      kind: 'Status',
      code: 410,
      reason: 'Expired',
      message: /^too old resource version: \d+ \(\d+\)$/,
    },
  })
  const fresh: KubeObject[] = []
  let token = ''
  do {
    const page = (await ask(server, `${path}?limit=10${token}`, json)).json as List
    fresh.push(...page.items)
    token = page.metadata.continue === undefined ? '' : `&continue=${page.metadata.continue}`
  } while (token !== '')
  t.same(cached(fresh), now())
})

void t.test('an informer with watch-lists gets the state as a stream', async (t) => {
  const { store, server } = await serve(t, [service('a'), service('b')])
  const query = 'allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&watch=true'
  const live = await watch(server, `${path}?${query}&timeoutSeconds=400`, protobufFirst)
  const end = await live.until(({ type }) => type === 'BOOKMARK')
  t.same(end.object.metadata.annotations, { 'k8s.io/initial-events-end': 'true' })
  t.equal(end.object.metadata.resourceVersion, String(store.resourceVersion))
  store.remove('Service', 'lab', 'b')
  await live.count(4)
  const cache: Cache = new Map()
  follow(cache, live.events, '')
  t.same(cache, cached(store.list(services)))
})

void t.test('watches stay ordered under 100 writers', async (t) => {
  const { store, server } = await serve(t, [service('shared')], { historyLength: 10_000 })
  const start = store.resourceVersion
  const written: string[] = []
  store.subscribe(({ type, object }) => {
    written.push(`${type} ${object.metadata.name} ${object.metadata.resourceVersion}`)
  })
  const watches: { readonly open: OpenWatch; readonly from: number }[] = []
  const startAt = async (from: number) =>
    watches.push({ open: await watch(server, watchFrom(String(from)), protobufFirst), from })
  await startAt(start)
  const write = async (writer: number) => {
    for (let round = 0; round < 10; round++) {
      store.apply(service(`own-${writer}`, { externalIPs: [`192.0.2.${round}`] }))
      await turn()
      store.apply(service('shared', { externalIPs: [`198.51.100.${writer}`] }))
      if (round % 3 === 2) store.remove('Service', 'lab', `own-${writer}`)
      await turn()
    }
  }
  const writers = Array.from({ length: 100 }, (_, writer) => write(writer))
  // Some watches start while the writers are at work, from states of the past.
  for (let late = 0; late < 20; late++) {
    await turn()
    await startAt(start + late * 10)
  }
  await Promise.all(writers)
  t.ok(written.length > 2000)
  for (const { open, from } of watches) {
    // Every change has the next resourceVersion.
    const expected = written.slice(from - start)
    await open.count(expected.length)
    t.same(
      open.events.map(
        ({ type, object }) => `${type} ${object.metadata.name} ${object.metadata.resourceVersion}`,
      ),
      expected,
    )
  }
})
