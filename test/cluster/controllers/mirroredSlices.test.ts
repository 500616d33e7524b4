import t from 'tap'
import { reconcileLive } from '../../../src/cluster/changes/liveControllers.js'
import { mirrorEndpoints } from '../../../src/cluster/controllers/mirroredSlices.js'
import { repackSubsets } from '../../../src/cluster/endpointSubsets.js'
import type { Cluster } from '../../../src/cluster/types.js'
import { cluster, deployment, refusals, service, twoNodes, applies, written } from '../lab.js'

const db = `apiVersion: v1
kind: Service
metadata: { name: db }
spec: { ports: [{ port: 5432 }] }
---
`

function endpoints(subsets: string, metadata = 'name: db'): string {
  return `apiVersion: v1
kind: Endpoints
metadata: { ${metadata} }
subsets: ${subsets}
---
`
}

const two =
  '[{ addresses: [{ ip: 10.0.0.1 }], notReadyAddresses: [{ ip: 10.0.0.2 }], ports: [{ port: 5432 }] }]'

const now = '2026-01-02T03:04:05Z'

function live(text: string): Cluster {
  return reconcileLive({ ...cluster(text), now })
}

function applied(before: Cluster, text: string): Cluster {
  return reconcileLive(written(before, applies(text), { ...twoNodes, now }).cluster)
}

t.test('Endpoints of a Service without a selector get an EndpointSlice', (t) => {
  const labels =
    'labels: { tier: data }, annotations: { note: a, endpoints.kubernetes.io/last-change-trigger-time: b }'
  const made = live(db + endpoints(two, `name: db, ${labels}`))
  const [slice] = made.endpointSlices
  t.equal(made.endpointSlices.length, 1)
  t.match(slice?.metadata.name, /^db-[a-z0-9]{5}$/)
  t.strictSame(slice?.metadata.labels, {
    tier: 'data',
    'kubernetes.io/service-name': 'db',
    'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
  })
  t.strictSame(slice?.metadata.annotations, { note: 'a' })
  t.match(slice?.metadata.ownerReferences, [{ kind: 'Endpoints', name: 'db', controller: true }])
  t.strictSame(slice?.endpoints, [
    { addresses: ['10.0.0.1'], conditions: { ready: true } },
    { addresses: ['10.0.0.2'], conditions: { ready: false } },
  ])
  t.strictSame(slice?.ports, [{ name: '', port: 5432, protocol: 'TCP' }])
  t.equal(mirrorEndpoints(made), made, 'a second sync changes nothing')
  t.end()
})

t.test('each family and each set of ports has its slice', (t) => {
  const subsets =
    '[{ addresses: [{ ip: 10.0.0.1 }, { ip: "fd00::1" }], ports: [{ port: 1 }] }, { addresses: [{ ip: 10.0.0.3 }], ports: [{ port: 2 }] }]'
  const made = live(db + endpoints(subsets))
  const shown = made.endpointSlices.map(
    ({ addressType, endpoints, ports }) =>
      `${addressType} ${endpoints[0]?.addresses.join()} ${ports?.[0]?.port}`,
  )
  t.strictSame(shown.sort(), ['IPv4 10.0.0.1 1', 'IPv4 10.0.0.3 2', 'IPv6 fd00::1 1'])
  t.equal(new Set(made.endpointSlices.map(({ metadata }) => metadata.name)).size, 3)
  t.end()
})

t.test('what is not mirrored', (t) => {
  const skip = 'labels: { endpointslice.kubernetes.io/skip-mirror: "true" }'
  const leader = 'annotations: { control-plane.alpha.kubernetes.io/leader: x }'
  for (const [what, text] of [
    ['the Service does not exist', endpoints(two)],
    ['the label', db + endpoints(two, `name: db, ${skip}`)],
    ['a leader election', db + endpoints(two, `name: db, ${leader}`)],
    ['no addresses', db + endpoints('[]')],
  ] as const)
    t.strictSame(live(text).endpointSlices, [], what)
  const selected = live(service('web') + deployment('web', 1) + endpoints(two, 'name: web'))
  t.strictSame(selected.endpoints, [], 'the endpoints controller writes those of a selector')
  t.equal(selected.endpointSlices.length, 1)
  t.end()
})

t.test('slices follow Endpoints and Services', (t) => {
  const before = live(db + endpoints(two))
  const name = before.endpointSlices[0]?.metadata.name
  const other = applied(before, endpoints('[{ addresses: [{ ip: 10.0.0.9 }], ports: [{ port: 1 }] }]'))
  t.match(
    other.endpointSlices,
    [{ metadata: { name }, endpoints: [{ addresses: ['10.0.0.9'] }] }],
    'used again',
  )
  const [gone, none] = (['Service', 'Endpoints'] as const).map((kind) =>
    reconcileLive(
      written(
        before,
        { verb: 'delete', ref: { kind, name: 'db', namespace: 'default' } },
        { ...twoNodes, now },
      ).cluster,
    ),
  )
  t.strictSame([gone?.endpoints, gone?.endpointSlices], [[], []], 'Endpoints go with their Service')
  t.strictSame(none?.endpointSlices, [])
  t.equal(none?.services.length, 1)
  t.end()
})

t.test('Endpoints are validated as the API server does', (t) => {
  for (const [subsets, message] of [
    [
      '[{ ports: [{ port: 1 }] }]',
      'subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`',
    ],
    [
      '[{ addresses: [{ ip: 127.0.0.1 }] }]',
      'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
    [
      '[{ notReadyAddresses: [{ ip: 10.0.0.1, nodeName: A_B }] }]',
      'subsets[0].notReadyAddresses[0].nodeName: Invalid value: "A_B": a lowercase RFC 1123 subdomain',
    ],
    [
      '[{ addresses: [{ ip: 10.0.0.1, hostname: a_b }] }]',
      'subsets[0].addresses[0].hostname: Invalid value: "a_b": a lowercase RFC 1123 label',
    ],
    [
      '[{ addresses: [{ ip: 10.0.0.1 }], ports: [{ name: a, port: 1 }, { port: 2 }] }]',
      'subsets[0].ports[1].name: Required value',
    ],
    [
      '[{ addresses: [{ ip: 10.0.0.1 }], ports: [{ port: 70000 }] }]',
      'subsets[0].ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ],
    [
      '[{ addresses: [{ ip: 10.0.0.1 }], ports: [{ port: 1, protocol: ICMP }] }]',
      'subsets[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
    ],
  ] as const) {
    const [first = '', ...more] = refusals(() => live(db + endpoints(subsets)))
    t.strictSame(more, [])
    t.match(first, `The Endpoints "db" is invalid: ${message}`)
  }
  t.equal(
    refusals(() => live(db + endpoints('[{ addresses: [{ ip: x }] }]'))).length,
    2,
    'two rules look at an address that is none',
  )
  t.end()
})

t.test('subsets are stored with each port and address once', (t) => {
  const a = { ip: '10.0.0.1' }
  const b = { ip: '10.0.0.2' }
  t.strictSame(
    repackSubsets([
      { addresses: [b, a], ports: [{ port: 1 }] },
      { addresses: [a], notReadyAddresses: [b], ports: [{ port: 2 }] },
      { notReadyAddresses: [b], ports: [{ port: 1 }] },
    ]),
    [{ addresses: [a], notReadyAddresses: [b], ports: [{ port: 1 }, { port: 2 }] }],
    'an address that is also not ready is not ready',
  )
  t.strictSame(repackSubsets([{ addresses: [a] }, { ports: [{ port: 1 }] }]), [{ addresses: [a] }])
  t.end()
})
