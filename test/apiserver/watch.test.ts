import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { startApiServer, type ApiServer } from '../../src/host/kubeApi/server.js'
import { createStore } from '../../src/apiserver/store.js'
import { ask, tableFirst, watch, type OpenWatch, type WatchedEvent } from './client.js'
import { manualClock } from './manualClock.js'
import { lab, pod, service, web } from './objects.js'
import { serve } from './serve.js'

const names = (events: readonly WatchedEvent[]) =>
  events.map(({ type, object }) => `${type} ${object.metadata.name}`)

void t.test('bookmarks are sent periodically, and the stream ends at its timeout', async (t) => {
  const clock = manualClock('2026-11-21T00:00:00Z')
  const { store, server } = await serve(t, undefined, { clock, bookmarkSeconds: 60 })
  const from = store.resourceVersion
  const path = `/api/v1/services?resourceVersion=${from}&timeoutSeconds=150&watch=true`
  const [marked, plain] = [await watch(server, `${path}&allowWatchBookmarks=true`), await watch(server, path)]
  store.apply(pod('another', 'node-a'))
  clock.advance(60_000)
  await marked.count(1)
  t.equal(
    marked.lines[0],
    `{"type":"BOOKMARK","object":{"kind":"Service","apiVersion":"v1","metadata":{"resourceVersion":"${from + 1}"},"spec":{},"status":{"loadBalancer":{}}}}`,
  )
  clock.advance(60_000)
  await marked.count(2)
  store.apply(pod('last', 'node-a'))
  clock.advance(30_000)
  t.equal(await marked.ended, true)
  t.equal(await plain.ended, true)
  t.equal(marked.lines.length, 3)
  t.equal(
    marked.events.at(-1)?.object.metadata.resourceVersion,
    String(from + 2),
    'the end says up to where it went',
  )
  t.same(plain.lines, [])
})

void t.test('no event is sent to a watch after its end', async (t) => {
  const clock = manualClock('2026-11-21T00:00:00Z')
  const { store, server } = await serve(t, undefined, { clock })
  const path = `/api/v1/services?allowWatchBookmarks=true&resourceVersion=${store.resourceVersion}&watch=1`
  const short = await watch(server, `${path}&timeoutSeconds=5`)
  const unnamed = await watch(server, path)
  clock.advance(5_000)
  t.equal(await short.ended, true)
  store.apply(service('late'))
  await unnamed.count(1)
  t.same(names(unnamed.events), ['ADDED late'])
  t.notOk(short.events.some(({ type }) => type === 'ADDED'))
  clock.advance(1_800_000)
  t.equal(await unnamed.ended, true, 'a watch without a timeout gets one')
})

void t.test('close ends every watch as chunked encoding ends', async (t) => {
  const store = createStore(lab)
  const server = await startApiServer(store, { host: '127.0.0.1', port: 0 })
  const watches = await Promise.all([1, 2, 3].map(() => watch(server, '/api/v1/services?watch=true')))
  await Promise.all(watches.map((open) => open.count(3)))
  store.apply(service('last'))
  await server.close()
  t.same(await Promise.all(watches.map((open) => open.ended)), [true, true, true])
  for (const open of watches) t.equal(open.events.at(-1)?.object.metadata.name, 'last')
  await t.rejects(ask(server, '/healthz'), { code: 'ECONNREFUSED' })
})

void t.test('where a watch starts', async (t) => {
  const { store, server } = await serve(t)
  const initial = ['ADDED db', 'ADDED elsewhere', 'ADDED web']
  const v = store.resourceVersion
  const begins: readonly (readonly [string, readonly string[]])[] = [
    ['', initial],
    ['&resourceVersion=', initial],
    ['&resourceVersion=0', initial],
    [`&resourceVersion=${v}`, []],
    [`&resourceVersion=${v}&allowWatchBookmarks=true`, []],
    ['&sendInitialEvents=true&resourceVersionMatch=NotOlderThan', initial],
    [
      '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
      [...initial, 'BOOKMARK undefined'],
    ],
    [`&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=${v}`, initial],
    ['&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=1', initial],
    ['&sendInitialEvents=false&resourceVersionMatch=NotOlderThan', []],
    ['&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0', []],
  ]
  const watches = await Promise.all(
    begins.map(([query]) => watch(server, `/api/v1/services?watch=true${query}`)),
  )
  store.apply(service('next'))
  for (const [index, open] of watches.entries()) {
    const [query, expected] = begins[index] ?? ['', []]
    await open.until(({ object }) => object.metadata.name === 'next')
    t.same(names(open.events), [...expected, 'ADDED next'], `?watch=true${query}`)
  }
})

void t.test('invalid options of watches and lists', async (t) => {
  const { store, server } = await serve(t)
  const v = store.resourceVersion
  const wrong: readonly (readonly [string, number, string])[] = [
    [
      'watch=true&sendInitialEvents=true',
      422,
      'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      'watch=true&sendInitialEvents=true&resourceVersionMatch=Exact',
      422,
      'resourceVersionMatch: Unsupported value: "Exact"',
    ],
    [
      'watch=true&resourceVersionMatch=NotOlderThan',
      422,
      'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
    ['sendInitialEvents=true', 422, 'sendInitialEvents is forbidden for list'],
    [
      'resourceVersionMatch=Exact',
      422,
      'resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    ['resourceVersionMatch=Exact&resourceVersion=0', 422, '"exact" is forbidden for resourceVersion "0"'],
    ['resourceVersion=abc', 400, 'resourceVersion: Invalid value: "abc"'],
    ['watch=true&resourceVersion=-1', 400, 'resourceVersion: Invalid value: "-1"'],
    ['watch=true&timeoutSeconds=soon', 400, 'timeoutSeconds: Invalid value: "soon"'],
    ['limit=few', 400, 'limit: Invalid value: "few"'],
    ['watch=true&labelSelector=a+b', 400, 'unable to parse requirement'],
    ['watch=true&fieldSelector=spec.ports%3D80', 400, 'field label not supported: spec.ports'],
    [
      `watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=${v + 1}`,
      504,
      `Too large resource version: ${v + 1}, current: ${v}`,
    ],
    [`resourceVersion=${v + 1}`, 504, 'Too large resource version'],
    ['continue=nonsense', 400, 'continue key is not valid'],
  ]
  for (const [query, code, message] of wrong) {
    const { code: answered, json } = await ask(server, `/api/v1/services?${query}`)
    const status = json as { kind: string; message: string; code: number }
    t.equal(answered, code, query)
    t.match(status, { kind: 'Status', code })
    t.ok(status.message.includes(message), status.message)
  }
  const { json } = await ask(server, `/api/v1/services?resourceVersion=${v + 1}`)
  t.match(
    json,
    { details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } },
    'the cause that client-go looks for',
  )
})

void t.test('a watch from a future resourceVersion starts there', async (t) => {
  const { store, server } = await serve(t)
  const path = `/api/v1/services?watch=true&resourceVersion=${store.resourceVersion + 2}`
  const open = await watch(server, path)
  for (const name of ['first', 'second', 'third']) store.apply(service(name))
  await open.count(1)
  t.same(names(open.events), ['ADDED third'])
})

void t.test('a watch that is cut unsubscribes from the store', async (t) => {
  let listeners = 0
  const store = createStore(lab)
  const counting = Object.assign(Object.create(store) as typeof store, {
    subscribe(listener: Parameters<typeof store.subscribe>[0]) {
      listeners += 1
      const end = store.subscribe(listener)
      return () => {
        listeners -= 1
        end()
      }
    },
  })
  const server = await startApiServer(counting, { host: '127.0.0.1', port: 0 })
  t.teardown(() => server.close())
  const watches = await Promise.all([1, 2, 3].map(() => watch(server, '/api/v1/services?watch=true')))
  t.equal(listeners, 3)
  for (const open of watches.slice(1)) open.cut()
  // The server notices some requests later.
  for (let requests = 0; listeners > 1 && requests < 1000; requests++) await ask(server, '/healthz')
  t.equal(listeners, 1)
})

const large = (name: string) => service(name, { externalName: 'x'.repeat(2 ** 18) })
const limit = { maxUnreadBytes: 4 * 2 ** 20 }

void t.test('an initial state of any size is sent', async (t) => {
  const objects = Array.from({ length: 96 }, (_, index) => large(`state-${index}`))
  const { store, server } = await serve(t, objects, limit)
  const open = await watch(server, '/api/v1/services?watch=true')
  // While most of the state is still unread.
  store.apply(service('more'))
  await open.count(97)
  t.equal(open.events.at(-1)?.object.metadata.name, 'more')
})

void t.test('a client that stops reading is disconnected', async (t) => {
  const { store, server } = await serve(t, lab, limit)
  const socket = connect(server.port, server.address)
  let [received, start] = [0, '']
  const first = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      received += chunk.length
      if (start === '') socket.pause()
      start ||= chunk.toString().slice(0, 15)
      resolve()
    })
  })
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.write('GET /api/v1/services?watch=true HTTP/1.1\r\nHost: x\r\n\r\n')
  await first
  const changes = 160
  for (let index = 0; index < changes; index++) store.apply(large(`more-${index}`))
  socket.resume()
  await closed
  t.equal(start, 'HTTP/1.1 200 OK')
  t.ok(received < changes * 2 ** 18, `disconnected after ${received} bytes`)
})

void t.test('a watch of one namespace', async (t) => {
  const { store, server } = await serve(t)
  const path = `/api/v1/namespaces/lab/services?watch=true&resourceVersion=${store.resourceVersion}`
  const open = await watch(server, path)
  store.apply({ ...web, metadata: { name: 'web', namespace: 'other' } })
  store.apply(service('here'))
  await open.count(1)
  t.same(names(open.events), ['ADDED here'])
})

void t.test('kubectl get -w: a Table per event, the columns sent once', async (t) => {
  const { store, server } = await serve(t)
  const path = `/api/v1/services?resourceVersion=${store.resourceVersion}&watch=true`
  const open = await watch(server, path, tableFirst)
  store.apply(service('first', { clusterIP: '10.96.0.20', clusterIPs: ['10.96.0.20'] }))
  store.remove('Service', 'lab', 'first')
  await open.count(2)
  const [first, second] = open.events
  t.match(first, {
    type: 'ADDED',
    object: {
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      columnDefinitions: [{ name: 'Name' }, { name: 'Type' }],
      rows: [{ cells: ['first', 'ClusterIP', '10.96.0.20'], object: { kind: 'PartialObjectMetadata' } }],
    },
  })
  t.match(second, { type: 'DELETED', object: { columnDefinitions: null, rows: [{ cells: ['first'] }] } })
  t.equal(second?.object.metadata.resourceVersion, String(store.resourceVersion))
})

void t.test('bookmarks of every resource can be written as Tables', async (t) => {
  const { server } = await serve(t)
  const query =
    'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&fieldSelector=metadata.name%3Dnone'
  for (const path of [
    '/api/v1/pods',
    '/api/v1/nodes',
    '/apis/apps/v1/deployments',
    '/apis/apps/v1/replicasets',
  ]) {
    const open = await watch(server, `${path}?${query}`, tableFirst)
    await open.count(1)
    t.match(open.events[0], { type: 'BOOKMARK', object: { kind: 'Table' } }, path)
    open.cut()
  }
})

/** Starts watches whose clients do not read; resolves when all have a response. */
async function unreadWatches(t: Test, server: ApiServer, count: number): Promise<readonly Socket[]> {
  const open = async () => {
    const socket = connect(server.port, server.address)
    t.teardown(() => socket.destroy())
    socket.on('error', () => {})
    socket.write('GET /api/v1/services?watch=true HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'readable')
    return socket
  }
  return Promise.all(Array.from({ length: count }, open))
}

void t.test('watches that are not read share the memory of their events', async (t) => {
  const { store, server } = await serve(t, lab)
  const sockets = await unreadWatches(t, server, 60)
  const writes = 40
  const size = 200_000
  const value = (index: number) => service('large', { externalName: String(index).padStart(size, 'x') })
  const used = () => process.memoryUsage().external + process.memoryUsage().heapUsed
  const before = used()
  for (let index = 0; index < writes; index++) {
    store.apply(value(index))
    await ask(server, '/healthz')
  }
  const perWatch = (used() - before) / sockets.length
  t.ok(perWatch < (writes * size) / 8, `${Math.round(perWatch / 1024)} KiB for each watch`)
})

void t.test('a dropped watch that continues too late gets 410', async (t) => {
  const { store, server } = await serve(t, lab, { ...limit, historyLength: 8 })
  const { resourceVersion } = store
  const [socket] = await unreadWatches(t, server, 1)
  for (let index = 0; index < 100; index++) store.apply(large(`more-${index}`))
  await once(socket!.resume(), 'close')
  const again = await watch(server, `/api/v1/services?watch=true&resourceVersion=${resourceVersion}`)
  t.equal(await again.ended, true)
  t.match(again.events, [{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }])
})

void t.test('watches in other forms get other lines of one change', async (t) => {
  const { store, server } = await serve(t)
  const path = '/api/v1/services?watch=true&resourceVersion=' + store.resourceVersion
  const [object, again, table, named] = await Promise.all([
    watch(server, path),
    watch(server, path),
    watch(server, path, tableFirst),
    watch(server, `${path}&labelSelector=a%3Db`),
  ])
  store.apply({ ...service('new'), metadata: { name: 'new', namespace: 'lab', labels: { a: 'b' } } })
  store.apply({ ...service('new'), metadata: { name: 'new', namespace: 'lab' } })
  store.remove('Service', 'lab', 'new')
  await Promise.all([object.count(3), again.count(3), table.count(3), named.count(2)])
  t.same(object.lines, again.lines)
  const kinds = (open: OpenWatch) => open.events.map(({ type, object: { kind } }) => `${type} ${kind}`)
  t.same(kinds(object), ['ADDED Service', 'MODIFIED Service', 'DELETED Service'])
  t.same(kinds(table), ['ADDED Table', 'MODIFIED Table', 'DELETED Table'])
  t.same(kinds(named), ['ADDED Service', 'DELETED Service'])
})
