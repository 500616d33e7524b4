import t from 'tap'
import { describeObject, neededResources } from '../../../src/apiserver/describe/describeObject.js'
import type { DescribedEvent } from '../../../src/apiserver/describe/eventSection.js'
import type { KubeObject } from '../../../src/cluster/types.js'
import { cluster, service } from '../../cluster/lab.js'

const now = new Date('2026-11-21T00:10:00Z')

t.test('the events of an object, the oldest first', async (t) => {
  const [object] = cluster(service('web')).services
  const at = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()
  const event = (fields: Partial<DescribedEvent>): DescribedEvent => ({
    ...{ apiVersion: 'v1', kind: 'Event', metadata: { name: 'x' }, source: { component: 'controller' } },
    ...fields,
  })
  const events = [
    event({
      ...{ type: 'Warning', reason: 'Wrong', message: 'no\u001b[2J', count: 3 },
      ...{ lastTimestamp: at(5), firstTimestamp: at(90) },
    }),
    event({ type: 'Normal', reason: 'Sync', message: 'served', lastTimestamp: at(300) }),
  ]
  t.strictSame(
    describeObject(object as KubeObject, {}, events, now)
      .split('\n')
      .slice(-5),
    [
      '  Type     Reason  Age               From        Message',
      '  ----     ------  ---               ----        -------',
      '  Normal   Sync    5m                controller  served',
      '  Warning  Wrong   5s (x3 over 90s)  controller  no\\x1b[2J',
      '',
    ],
  )
})

t.test('an object of any other kind with its spec', async (t) => {
  const [object] = cluster(service('web')).services
  const text = describeObject(object as KubeObject, {}, [], now)
  t.match(
    text,
    /^Name: {9}web\nNamespace: {4}default\nLabels: {7}<none>\nAnnotations: {2}<none>\nSpec:\n {2}selector:\n {4}app: web\n/,
  )
  t.match(text, /\nEvents: {2}<none>\n$/)
  t.same(neededResources('Service'), [])
})

t.test('a Secret without what it holds', async (t) => {
  const secret: KubeObject & { type: string; data: Record<string, string> } = {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', namespace: 'lab' } },
    ...{ type: 'Opaque', data: { password: 'c2VjcmV0' } },
  }
  t.strictSame(describeObject(secret, {}, [], now).split('\n').slice(4, 9), [
    'Type:         Opaque',
    'Data:',
    '  Key       Size',
    '  ---       ----',
    '  password  6 bytes',
  ])
})
