import t from 'tap'
import { ask, protobufFirst, watch, type WatchedEvent } from './client.js'
import { manualClock } from './manualClock.js'
import { service, slice, web } from './objects.js'
import { serve } from './serve.js'

const watchList =
  'allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeout=8m45s&timeoutSeconds=525&watch=true'
const isEnd = (event: WatchedEvent) =>
  event.type === 'BOOKMARK' && event.object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true'
const names = (events: readonly WatchedEvent[]) =>
  events.map(({ type, object }) => `${type} ${object.metadata.name}`)

void t.test('kube-proxy 1.36 watches, starting with the state', async (t) => {
  const clock = manualClock('2026-11-21T00:47:36Z')
  const { store, server } = await serve(t, undefined, { clock })

  const nodes = await watch(server, `/api/v1/nodes?fieldSelector=metadata.name%3Dnode-a&${watchList}`)
  t.equal(nodes.code, 200)
  t.equal(nodes.headers['content-type'], 'application/json')
  t.equal(nodes.headers['transfer-encoding'], 'chunked')
  await nodes.until(isEnd)
  t.same(names(nodes.events), ['ADDED node-a', 'BOOKMARK undefined'])

  const slices = await watch(
    server,
    `/apis/discovery.k8s.io/v1/endpointslices?labelSelector=%21service.kubernetes.io%2Fheadless&${watchList}`,
  )
  await slices.until(isEnd)
  t.same(names(slices.events), ['ADDED web-abcde', 'BOOKMARK undefined'])
  t.same(slices.events.at(-1)?.object, {
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1',
    metadata: {
      resourceVersion: String(store.resourceVersion),
      annotations: { 'k8s.io/initial-events-end': 'true' },
    },
    addressType: '',
    endpoints: null,
    ports: null,
  })

  const cidrs = await watch(server, `/apis/networking.k8s.io/v1/servicecidrs?${watchList}`)
  await cidrs.until(isEnd)
  t.same(cidrs.events[0]?.object['spec'], { cidrs: ['10.96.0.0/16'] })

  const services = await watch(
    server,
    `/api/v1/services?fieldSelector=spec.clusterIP%21%3DNone&labelSelector=%21service.kubernetes.io%2Fservice-proxy-name&${watchList}`,
  )
  await services.until(isEnd)
  const [added = '', end] = services.lines
  const { uid, resourceVersion } = (JSON.parse(added) as { object: { metadata: Record<string, string> } })
    .object.metadata
  t.match(uid, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  t.equal(
    added,
    `{"type":"ADDED","object":{"kind":"Service","apiVersion":"v1","metadata":{"name":"web","namespace":"lab","uid":"${uid}","resourceVersion":"${resourceVersion}","creationTimestamp":"2026-11-21T00:47:36Z"},"spec":{"ports":[{"protocol":"TCP","port":80,"targetPort":8080,"nodePort":30080}],"selector":{"app":"web"},"clusterIP":"10.96.0.10","clusterIPs":["10.96.0.10"],"type":"NodePort","sessionAffinity":"None","externalTrafficPolicy":"Cluster","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","internalTrafficPolicy":"Cluster"},"status":{"loadBalancer":{}}}}`,
    'an object is written as wire.md has it',
  )
  t.equal(
    end,
    `{"type":"BOOKMARK","object":{"kind":"Service","apiVersion":"v1","metadata":{"resourceVersion":"${store.resourceVersion}","annotations":{"k8s.io/initial-events-end":"true"}},"spec":{},"status":{"loadBalancer":{}}}}`,
    'so is the bookmark',
  )

  const posted = await ask(server, '/apis/events.k8s.io/v1/namespaces/default/events', {
    method: 'POST',
    headers: { ...protobufFirst, 'Content-Type': 'application/vnd.kubernetes.protobuf' },
    body: protobufEvent('node-a.18a1', 'default'),
  })
  t.equal(posted.code, 201)
  t.match(posted.json, {
    kind: 'Event',
    apiVersion: 'events.k8s.io/v1',
    metadata: { name: 'node-a.18a1', namespace: 'default' },
  })

  store.apply({ ...web, spec: { ...web.spec, externalIPs: ['192.0.2.7'] } })
  store.remove('Service', 'lab', 'elsewhere')
  store.apply(service('api', { clusterIP: '10.96.0.12' }))
  store.remove('Service', 'lab', 'web')
  await services.count(5)
  t.same(names(services.events.slice(2)), ['MODIFIED web', 'ADDED api', 'DELETED web'])
  const versions = services.events.map(({ object }) => Number(object.metadata.resourceVersion))
  t.same(
    versions,
    [...versions].sort((a, b) => a - b),
    'resourceVersions grow along a watch',
  )
  t.equal(nodes.lines.length, 2, 'other watches get no event')
})

void t.test('a 1.36 watch resumes where it was cut', async (t) => {
  const { store, server } = await serve(t)
  const path = `/api/v1/services?fieldSelector=spec.clusterIP%21%3DNone&${watchList}`
  const first = await watch(server, path)
  await first.until(isEnd)
  first.cut()
  t.equal(await first.ended, false)
  const seen = first.events.at(-1)?.object.metadata.resourceVersion
  store.apply(service('api', { clusterIP: '10.96.0.12' }))
  store.remove('Service', 'lab', 'web')
  const resumed = await watch(
    server,
    `/api/v1/services?allowWatchBookmarks=true&fieldSelector=spec.clusterIP%21%3DNone&resourceVersion=${seen}&timeoutSeconds=400&watch=true`,
  )
  store.remove('Service', 'lab', 'api')
  await resumed.count(3)
  t.same(names(resumed.events), ['ADDED api', 'DELETED web', 'DELETED api'])
})

void t.test('kube-proxy 1.30 lists, then watches', async (t) => {
  const { store, server } = await serve(t)
  const selector =
    'labelSelector=%21service.kubernetes.io%2Fheadless%2C%21service.kubernetes.io%2Fservice-proxy-name'
  const one = await ask(server, '/api/v1/nodes/node-a', { headers: protobufFirst })
  t.equal(one.headers['content-type'], 'application/json')
  t.match(one.json, { kind: 'Node', apiVersion: 'v1', metadata: { name: 'node-a' } })

  const lists = [
    ['/apis/discovery.k8s.io/v1/endpointslices', selector, 'EndpointSliceList', ['web-abcde']],
    ['/api/v1/services', selector, 'ServiceList', ['db', 'web']],
    ['/api/v1/nodes', 'fieldSelector=metadata.name%3Dnode-a', 'NodeList', ['node-a']],
  ] as const
  for (const [path, query, kind, items] of lists) {
    const { json } = await ask(server, `${path}?${query}&limit=500&resourceVersion=0`, {
      headers: protobufFirst,
    })
    const list = json as {
      kind: string
      metadata: { resourceVersion: string }
      items: WatchedEvent['object'][]
    }
    t.equal(list.kind, kind)
    t.same(
      list.items.map(({ metadata }) => metadata.name),
      items,
    )
    t.equal(list.metadata.resourceVersion, String(store.resourceVersion))
  }

  const after = `allowWatchBookmarks=true&resourceVersion=${store.resourceVersion}&timeout=6m&timeoutSeconds=360&watch=true`
  const [slices, services] = [
    await watch(server, `/apis/discovery.k8s.io/v1/endpointslices?${selector}&${after}`),
    await watch(server, `/api/v1/services?${selector}&${after}`),
  ]
  store.apply(slice('web-abcde', { 'kubernetes.io/service-name': 'web' }, ['10.244.1.3']))
  store.apply({
    ...web,
    metadata: { ...web.metadata, labels: { 'service.kubernetes.io/service-proxy-name': 'x' } },
  })
  await slices.count(1)
  await services.count(1)
  t.same(names(slices.events), ['MODIFIED web-abcde'])
  t.same(
    names(services.events),
    ['DELETED web'],
    'an object that leaves the selector is deleted to this watcher',
  )
  t.equal(services.events[0]?.object.metadata.resourceVersion, String(store.resourceVersion))
  store.apply(web)
  await services.count(2)
  t.same(names(services.events), ['DELETED web', 'ADDED web'], 'and added when it is selected again')
})

void t.test('a watch from an expired resourceVersion gets an ERROR event', async (t) => {
  const { store, server } = await serve(t, undefined, { historyLength: 4 })
  for (let port = 1; port <= 20; port++) store.apply(service('busy', { ports: [{ port }] }))
  const late = await watch(server, '/api/v1/services?resourceVersion=1&watch=true')
  t.equal(late.code, 200)
  t.equal(await late.ended, true)
  t.same(late.lines, [
    `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 1 (${store.oldest})","reason":"Expired","code":410}}`,
  ])
})

void t.test('missing objects are answered as in wire.md', async (t) => {
  const { server } = await serve(t)
  const { code, text } = await ask(server, '/api/v1/nodes/nope', { headers: protobufFirst })
  t.equal(code, 404)
  t.equal(
    text,
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"nodes \\"nope\\" not found","reason":"NotFound","details":{"name":"nope","kind":"nodes"},"code":404}\n',
  )
})

/** An Event as client-go posts it: the magic, then runtime.Unknown with the type and the raw object. */
function protobufEvent(name: string, namespace: string): Buffer {
  const field = (number: number, value: Buffer | string) => {
    const bytes = Buffer.from(value)
    const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >> 7]
    return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes])
  }
  const metadata = Buffer.concat([field(1, name), field(2, ''), field(3, namespace)])
  const event = Buffer.concat([
    field(1, metadata),
    field(4, 'kube-proxy'),
    field(7, 'Starting'),
    field(11, 'x'.repeat(200)),
  ])
  const type = Buffer.concat([field(1, 'events.k8s.io/v1'), field(2, 'Event')])
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, event), field(3, ''), field(4, '')])
}
