import t from 'tap'
import { resources } from '../../src/apiserver/resources.js'
import { ask, tableFirst } from './client.js'
import { manualClock } from './manualClock.js'
import { service } from './objects.js'
import { serve } from './serve.js'

const aggregated = {
  Accept:
    'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json',
}

interface Table {
  kind: string
  metadata: { resourceVersion: string; continue?: string }
  columnDefinitions: { name: string; type: string; format: string; description: string; priority: number }[]
  rows: { cells: unknown[]; object: { kind: string; metadata: { name: string }; spec?: unknown } | null }[]
}

void t.test('aggregated discovery', async (t) => {
  const { server } = await serve(t)
  const core = await ask(server, '/api', { headers: aggregated })
  t.equal(
    core.headers['content-type'],
    'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  )
  const { kind, apiVersion, items } = core.json as { kind: string; apiVersion: string; items: Group[] }
  t.same([kind, apiVersion], ['APIGroupDiscoveryList', 'apidiscovery.k8s.io/v2'])
  const find = (groups: Group[], resource: string) =>
    groups
      .flatMap(({ versions }) => versions.flatMap(({ resources }) => resources))
      .find((one) => one.resource === resource)
  t.same(find(items, 'services'), {
    resource: 'services',
    responseKind: { group: '', version: 'v1', kind: 'Service' },
    scope: 'Namespaced',
    singularResource: 'service',
    verbs: ['get', 'list', 'watch'],
    shortNames: ['svc'],
    categories: ['all'],
  })
  const groups = ((await ask(server, '/apis', { headers: aggregated })).json as { items: Group[] }).items
  const named = resources.map(({ group }) => group).filter((group) => group !== '')
  t.same(
    groups.map(({ metadata }) => metadata.name),
    [...new Set(named)],
    'each group once, without the core group',
  )
  t.match(find(groups, 'deployments'), { shortNames: ['deploy'], categories: ['all'] })
  t.match(find(groups, 'servicecidrs'), { scope: 'Cluster', verbs: ['get', 'list', 'watch'] })
  const beta = { Accept: 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList' }
  t.match((await ask(server, '/apis', { headers: beta })).json, { apiVersion: 'apidiscovery.k8s.io/v2beta1' })
})

interface Group {
  metadata: { name?: string }
  versions: { version: string; resources: { resource: string }[] }[]
}

void t.test('discovery group by group', async (t) => {
  const { server } = await serve(t)
  const plain = async (path: string) =>
    (await ask(server, path, { headers: { Accept: 'application/json' } })).json
  t.match(await plain('/api'), { kind: 'APIVersions', versions: ['v1'] })
  const { groups } = (await plain('/apis')) as {
    groups: { name: string; versions: { groupVersion: string }[] }[]
  }
  t.match(groups[0], { name: 'apps', preferredVersion: { groupVersion: 'apps/v1', version: 'v1' } })
  t.match(await plain('/apis/apps'), { kind: 'APIGroup', name: 'apps' })
  for (const groupVersion of [
    'v1',
    ...groups.flatMap(({ versions }) => versions.map((one) => one.groupVersion)),
  ]) {
    const path = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`
    t.match(await plain(path), { kind: 'APIResourceList', groupVersion }, path)
  }
  const { resources } = (await plain('/api/v1')) as { resources: { name: string }[] }
  t.same(
    resources.find(({ name }) => name === 'pods'),
    {
      name: 'pods',
      singularName: 'pod',
      namespaced: true,
      kind: 'Pod',
      verbs: ['get', 'list', 'watch'],
      shortNames: ['po'],
      categories: ['all'],
    },
  )
})

void t.test('a Table of Services', async (t) => {
  const clock = manualClock('2026-11-21T00:00:00Z')
  const { server, store } = await serve(t, undefined, { clock })
  clock.advance(200_000)
  const { json, headers } = await ask(server, '/api/v1/services?limit=500', { headers: tableFirst })
  const table = json as Table
  t.equal(headers['content-type'], 'application/json')
  t.match(table, { kind: 'Table', apiVersion: 'meta.k8s.io/v1' })
  t.equal(table.metadata.resourceVersion, String(store.resourceVersion))
  t.same(
    table.columnDefinitions.map(({ name, priority }) => `${name} ${priority}`),
    ['Name 0', 'Type 0', 'Cluster-IP 0', 'External-IP 0', 'Port(s) 0', 'Age 0', 'Selector 1'],
  )
  t.match(table.columnDefinitions[0], { name: 'Name', type: 'string', format: 'name', priority: 0 })
  t.ok(
    table.columnDefinitions.every(
      ({ description, format }) => description !== '' && typeof format === 'string',
    ),
  )
  const web = table.rows.find(({ cells }) => cells[0] === 'web')
  t.same(web?.cells, ['web', 'NodePort', '10.96.0.10', '<none>', '80:30080/TCP', '3m20s', 'app=web'])
  t.match(web?.object, {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { name: 'web' },
  })
  t.notOk(web?.object?.spec)
})

void t.test('a Table of one object, of none, and with more or less of the object', async (t) => {
  const { server } = await serve(t)
  const table = async (path: string) => (await ask(server, path, { headers: tableFirst })).json as Table
  const one = await table('/api/v1/namespaces/lab/services/web')
  t.same(
    one.rows.map(({ cells }) => cells[0]),
    ['web'],
  )
  const none = await table('/api/v1/events')
  t.same(none.rows, [])
  t.equal(none.columnDefinitions[0]?.name, 'Last Seen')
  t.same(
    (await table('/api/v1/services?includeObject=None')).rows.map(({ object }) => object),
    [null, null, null],
  )
  t.match((await table('/api/v1/services?includeObject=Object')).rows[2]?.object, {
    kind: 'Service',
    spec: {},
  })
  const wrong = await ask(server, '/api/v1/services?includeObject=Some', { headers: tableFirst })
  t.equal(wrong.code, 400)
})

void t.test('every resource has a Table', async (t) => {
  const { server } = await serve(t)
  const { resources } = (await ask(server, '/api/v1')).json as { resources: { name: string }[] }
  const paths = resources.map(({ name }) => `/api/v1/${name}`)
  const more = ['apps/v1/deployments', 'apps/v1/replicasets', 'discovery.k8s.io/v1/endpointslices']
  const last = [
    'networking.k8s.io/v1/servicecidrs',
    'networking.k8s.io/v1/ipaddresses',
    'events.k8s.io/v1/events',
  ]
  for (const path of [...paths, ...[...more, ...last].map((path) => `/apis/${path}`)]) {
    const { code, json } = await ask(server, path, { headers: tableFirst })
    t.equal(code, 200, path)
    const { columnDefinitions, rows } = json as Table
    t.ok(columnDefinitions.length >= 2)
    t.ok(rows.every(({ cells }) => cells.length === columnDefinitions.length))
  }
})

void t.test('pages of Tables', async (t) => {
  const { server } = await serve(
    t,
    ['a', 'b', 'c'].map((name) => service(name)),
  )
  const page = async (query: string) =>
    (await ask(server, `/api/v1/services?limit=2${query}`, { headers: tableFirst })).json as Table
  const first = await page('')
  t.same(
    first.rows.map(({ cells }) => cells[0]),
    ['a', 'b'],
  )
  const second = await page(`&continue=${first.metadata.continue}`)
  t.same(
    second.rows.map(({ cells }) => cells[0]),
    ['c'],
  )
})

void t.test('metadata alone', async (t) => {
  const { server } = await serve(t)
  const headers = {
    Accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
  }
  t.match((await ask(server, '/api/v1/nodes', { headers })).json, {
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    items: [{ kind: 'PartialObjectMetadata', metadata: { name: 'node-a' } }, {}],
  })
  const one = { Accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' }
  const { json } = await ask(server, '/api/v1/nodes/node-a', { headers: one })
  t.same(Object.keys(json as object), ['kind', 'apiVersion', 'metadata'])
})
