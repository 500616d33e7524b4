import t from 'tap'
import { ask } from './client.js'
import { service } from './objects.js'
import { serve } from './serve.js'

interface List {
  kind: string
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number }
  items: { kind?: string; metadata: { name: string } }[]
}

const many = Array.from({ length: 7 }, (_, index) =>
  service(`s${index}`, {}, { parity: index % 2 ? 'odd' : 'even' }),
)
const namesOf = ({ items }: List) => items.map(({ metadata }) => metadata.name)

void t.test('a list has one kind, which its items do not repeat', async (t) => {
  const { server, store } = await serve(t, many)
  const list = (await ask(server, '/api/v1/services')).json as List
  t.match(list, {
    kind: 'ServiceList',
    apiVersion: 'v1',
    metadata: { resourceVersion: String(store.resourceVersion) },
  })
  t.equal(list.items.length, 7)
  t.ok(list.items.every((item) => !Object.hasOwn(item, 'kind') && !Object.hasOwn(item, 'apiVersion')))
  const empty = (await ask(server, '/apis/apps/v1/deployments')).json
  t.match(empty, { kind: 'DeploymentList', apiVersion: 'apps/v1', items: [] })
})

void t.test('pages show the list as it was when the first one was read', async (t) => {
  const { server, store } = await serve(t, many)
  const first = (await ask(server, '/api/v1/services?limit=3')).json as List
  t.same(namesOf(first), ['s0', 's1', 's2'])
  t.equal(first.metadata.remainingItemCount, 4)
  store.remove('Service', 'lab', 's4')
  store.apply(service('s33'))
  const second = (await ask(server, `/api/v1/services?limit=3&continue=${first.metadata.continue}`))
    .json as List
  t.same(namesOf(second), ['s3', 's4', 's5'])
  t.equal(second.metadata.resourceVersion, first.metadata.resourceVersion)
  const third = (await ask(server, `/api/v1/services?limit=3&continue=${second.metadata.continue}`))
    .json as List
  t.same(namesOf(third), ['s6'])
  t.equal(third.metadata.continue, undefined)
  t.equal(third.metadata.remainingItemCount, undefined)
})

void t.test('pages of a selection are not counted', async (t) => {
  const { server } = await serve(t, many)
  const first = (await ask(server, '/api/v1/services?limit=3&labelSelector=parity%3Deven')).json as List
  t.same(namesOf(first), ['s0', 's2', 's4'])
  t.equal(first.metadata.remainingItemCount, undefined)
  t.type(first.metadata.continue, 'string')
})

void t.test('resourceVersion=0 is not paged', async (t) => {
  const { server } = await serve(t, many)
  t.equal(((await ask(server, '/api/v1/services?limit=3&resourceVersion=0')).json as List).items.length, 7)
})

void t.test('a continue token outlives its list, and is then exchanged', async (t) => {
  const { server, store } = await serve(t, many, { historyLength: 2 })
  const first = (await ask(server, '/api/v1/services?limit=3')).json as List
  for (let port = 1; port <= 10; port++) store.apply(service('s5', { ports: [{ port }] }))
  const expired = await ask(server, `/api/v1/services?limit=3&continue=${first.metadata.continue}`)
  t.equal(expired.code, 410)
  const status = expired.json as { reason: string; metadata: { continue: string } }
  t.equal(status.reason, 'Expired')
  const on = (await ask(server, `/api/v1/services?continue=${status.metadata.continue}`)).json as List
  t.same(namesOf(on), ['s3', 's4', 's5', 's6'])
  t.equal(on.metadata.resourceVersion, String(store.resourceVersion))
})

void t.test('an exact resourceVersion shows the past, an expired one is 410', async (t) => {
  const { server, store } = await serve(t, many, { historyLength: 4 })
  const then = store.resourceVersion
  store.remove('Service', 'lab', 's0')
  const exact = `/api/v1/services?resourceVersionMatch=Exact&resourceVersion=${then}`
  t.equal(((await ask(server, exact)).json as List).items.length, 7)
  const newer = `/api/v1/services?resourceVersionMatch=NotOlderThan&resourceVersion=${then}`
  t.equal(((await ask(server, newer)).json as List).items.length, 6)
  for (let port = 1; port <= 10; port++) store.apply(service('s5', { ports: [{ port }] }))
  t.equal((await ask(server, exact)).code, 410)
})
