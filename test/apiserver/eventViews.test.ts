import t from 'tap'
import type { StoreEvent } from '../../src/apiserver/history.js'
import { resources } from '../../src/apiserver/resources.js'
import { createStore } from '../../src/apiserver/store.js'
import { tableOf } from '../../src/apiserver/table.js'
import { watchEvent } from '../../src/apiserver/watchEvent.js'
import type { KubeObject } from '../../src/cluster/types.js'

const inGroup = (wanted: string) => {
  const found = resources.find(({ group, plural }) => group === wanted && plural === 'events')
  if (found === undefined) throw new Error(`no events in the group ${wanted}`)
  return found
}
const [core, newer] = [inGroup(''), inGroup('events.k8s.io')]

const started = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'web.1', namespace: 'lab' },
  involvedObject: { kind: 'Pod', namespace: 'lab', name: 'web-a', fieldPath: 'spec.containers{web}' },
  reason: 'Started',
  message: 'Container started',
  source: { component: 'kubelet', host: 'node-a' },
  firstTimestamp: '2026-11-26T00:00:00Z',
  lastTimestamp: '2026-11-26T00:01:00Z',
  count: 2,
  type: 'Normal',
  eventTime: null,
  reportingComponent: 'kubelet',
  reportingInstance: 'node-a',
} as KubeObject

// the names of k8s.io/api/events/v1
const asNewer = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  regarding: { kind: 'Pod', namespace: 'lab', name: 'web-a', fieldPath: 'spec.containers{web}' },
  reason: 'Started',
  note: 'Container started',
  deprecatedSource: { component: 'kubelet', host: 'node-a' },
  deprecatedFirstTimestamp: '2026-11-26T00:00:00Z',
  deprecatedLastTimestamp: '2026-11-26T00:01:00Z',
  deprecatedCount: 2,
  type: 'Normal',
  eventTime: null,
  reportingController: 'kubelet',
  reportingInstance: 'node-a',
}

t.test('both groups have the same events', (t) => {
  const store = createStore([started])
  const [inCore] = store.list(core)
  const { metadata, ...fields } = store.list(newer)[0] ?? { metadata: undefined }
  t.strictSame(metadata, inCore?.metadata, 'with one uid and one resourceVersion')
  t.strictSame(fields, asNewer)
  t.match(store.get(newer, 'lab', 'web.1'), asNewer)
  t.equal(store.get(newer, 'lab', 'web.2'), undefined)

  const { resourceVersion } = store
  store.apply({ ...started, message: 'Container started again' } as KubeObject)
  t.match(store.listAt(newer, resourceVersion), [{ note: 'Container started' }])
  t.match(store.list(newer), [{ note: 'Container started again' }])
  t.end()
})

t.test('a watch of each has every change', (t) => {
  const store = createStore([])
  const changes: StoreEvent[] = []
  store.subscribe((change) => changes.push(change))
  store.apply(started)
  store.remove('Event', 'lab', 'web.1')
  for (const [resource, expected] of [
    [core, started],
    [newer, asNewer],
  ] as const) {
    const seen = changes.map((change) => watchEvent(change, resource, () => true))
    t.match(seen, [
      { type: 'ADDED', object: expected },
      { type: 'DELETED', object: expected },
    ])
  }
  const isOther = (object: KubeObject) =>
    (object as { reportingController?: string }).reportingController === 'x'
  t.strictSame(
    changes.map((change) => watchEvent(change, newer, isOther)),
    [undefined, undefined],
    'selectors see the names of the group',
  )
  t.end()
})

t.test('both print the same table', (t) => {
  const store = createStore([started])
  const form = { version: 'v1', include: 'None', now: () => new Date('2026-11-26T00:02:00Z') } as const
  const rows = [core, newer].map((resource) => {
    const { rows } = tableOf(store.list(resource), {}, { ...form, resource }, true) as {
      rows: { cells: unknown[] }[]
    }
    return rows[0]?.cells
  })
  t.strictSame(rows[0], rows[1])
  t.match(rows[0], ['60s', 'Normal', 'Started', 'pod/web-a', 'spec.containers{web}', 'kubelet, node-a'])
  t.end()
})
