import t from 'tap'
import { threeWayMerge } from '../../../src/cluster/changes/threeWayMerge.js'
import { deploymentSchema } from '../../../src/cluster/schema/workload.js'
import { serviceSchema } from '../../../src/cluster/schema/service.js'
import type { Json } from '../../../src/cluster/yaml/json.js'

type Fields = Record<string, Json>

function service(last: Fields | undefined, live: Fields, written: Fields): Json {
  const versions = { last: last && { spec: last }, live: { spec: live }, written: { spec: written } }
  return threeWayMerge(versions, serviceSchema)['spec'] ?? null
}

t.test('what only the last manifest had is removed; what others added stays', (t) => {
  t.same(service({ a: 1, b: 1 }, { a: 1, b: 1, c: 1 }, { a: 2 }), { a: 2, c: 1 })
  t.same(service(undefined, { a: 1, c: 1 }, { a: 2 }), { a: 2, c: 1 })
  t.same(service({ a: 1 }, { a: 1, c: 1 }, { a: 1, c: null }), { a: 1 }, 'null removes a field')
  t.same(service({ selector: { a: '1' } }, { selector: { a: '1', b: '1' } }, { selector: { c: '1' } }), {
    selector: { b: '1', c: '1' },
  })
  t.end()
})

t.test('ports are merged by number and protocol, addresses are replaced', (t) => {
  const live = [{ port: 80, protocol: 'TCP', nodePort: 30080 }, { port: 53, protocol: 'UDP' }, { port: 53 }]
  t.same(
    service(
      { ports: [{ port: 80 }, { port: 53 }] },
      { ports: live },
      { ports: [{ port: 90 }, { port: 80 }] },
    ),
    {
      ports: [{ port: 53, protocol: 'UDP' }, { port: 90 }, { port: 80, protocol: 'TCP', nodePort: 30080 }],
    },
  )
  const ips = { externalIPs: ['192.0.2.1', '192.0.2.2'] }
  t.same(service({}, ips, {}), ips, 'added by others')
  t.same(service({ externalIPs: ['192.0.2.1'] }, ips, {}), {})
  t.same(service({ externalIPs: ['192.0.2.1'] }, ips, { externalIPs: ['192.0.2.1'] }), {
    externalIPs: ['192.0.2.1'],
  })
  t.end()
})

t.test('an item that others added stays behind the item before it', (t) => {
  const ports = (...numbers: number[]) => ({ ports: numbers.map((port) => ({ port })) })
  t.same(service(ports(1, 3), ports(1, 2, 3), ports(1, 3)), ports(1, 2, 3))
  t.same(service(ports(1, 3), ports(1, 2, 3), ports(3)), ports(2, 3))
  t.same(service(ports(1), ports(1, 2), ports(1, 5)), ports(1, 2, 5))
  t.end()
})

t.test('containers are merged by name; a volume and a strategy keep only their written fields', (t) => {
  const pod = (container: Fields, ...volumes: Json[]) => ({
    spec: { template: { spec: { containers: [{ name: 'web', ...container }], volumes } } },
  })
  const last = pod({ env: [{ name: 'A', value: '1' }] }, { name: 'data', emptyDir: {} })
  const live = pod(
    {
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
      image: 'nginx',
    },
    { name: 'data', emptyDir: {} },
  )
  const written = pod({ env: [{ name: 'A', value: '3' }] }, { name: 'data', configMap: { name: 'c' } })
  t.same(
    threeWayMerge({ last, live, written }, deploymentSchema),
    pod(
      {
        env: [
          { name: 'A', value: '3' },
          { name: 'B', value: '2' },
        ],
        image: 'nginx',
      },
      { name: 'data', configMap: { name: 'c' } },
    ),
  )
  const strategy = (fields: Fields) => ({ spec: { strategy: fields } })
  t.same(
    threeWayMerge(
      {
        last: undefined,
        live: strategy({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } }),
        written: strategy({ type: 'Recreate' }),
      },
      deploymentSchema,
    ),
    strategy({ type: 'Recreate' }),
  )
  t.end()
})
