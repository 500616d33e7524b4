import t from 'tap'
import { clusterObjects } from '../../../src/apiserver/clusterObjects.js'
import { createStore } from '../../../src/apiserver/store.js'
import { findResource } from '../../../src/apiserver/resources.js'
import { tableOf } from '../../../src/apiserver/table.js'
import { kindOf } from '../../../src/cluster/kinds/index.js'
import { parseManifests } from '../../../src/cluster/manifests/manifests.js'
import { cluster, refusals } from '../lab.js'

const since = new Date('2026-11-21T00:00:00Z')
const written = (name: string, fields: string, version = 'v1') =>
  `apiVersion: scheduling.k8s.io/${version}\nkind: PriorityClass\nmetadata: { name: ${name} }\n${fields}\n`
const parsed = (yaml: string) => parseManifests([{ path: 'pc.yaml', text: yaml }])

t.test('a class is stored, and printed as kubectl prints it', (t) => {
  const resource = findResource('scheduling.k8s.io', 'v1', 'priorityclasses')
  if (resource === undefined) throw new Error('not served')
  const snapshot = cluster(
    written('high', 'value: 1000000000\nglobalDefault: true') +
      `---\n${written('low', 'preemptionPolicy: Never')}`,
  )
  const store = createStore(clusterObjects(snapshot, { kernel: '6.1.0', since }))
  const form = { version: 'v1', include: 'None', now: () => since, resource } as const
  const table = tableOf(store.list(resource), {}, form, true) as { rows: { cells: unknown[] }[] }
  t.strictSame(
    // without the age
    table.rows.map(({ cells }) => cells.filter((_, index) => index !== 3)),
    [
      ['high', 1_000_000_000, true, 'PreemptLowerPriority'],
      ['low', 0, false, 'Never'],
    ],
  )
  t.end()
})

const reserved =
  "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: "

t.test('invalid classes are rejected in the words of the API server', (t) => {
  for (const [name, fields, message] of [
    [
      'top',
      'value: 1000000001',
      'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
    ],
    [
      'mine',
      'preemptionPolicy: x',
      'preemptionPolicy: Unsupported value: "x": supported values: "Never", "PreemptLowerPriority"',
    ],
    ['system-mine', 'value: 1', `${reserved}system-mine is not a known system priority class`],
    [
      'system-node-critical',
      'value: 1',
      `${reserved}value of system-node-critical PriorityClass must be 2000001000`,
    ],
    [
      'system-cluster-critical',
      'value: 2000000000\nglobalDefault: true',
      `${reserved}globalDefault of system-cluster-critical PriorityClass must be false`,
    ],
  ] as const)
    t.match(refusals(() => parsed(written(name, fields))).join('\n'), message, name)
  t.doesNotThrow(() => parsed(written('system-node-critical', 'value: 2000001000')))
  t.match(
    refusals(() => parsed(written('old', 'value: 1', 'v1beta1'))).join('\n'),
    'no matches for kind "PriorityClass"',
  )
  t.end()
})

t.test('an update changes neither the value nor the policy', (t) => {
  const { validateUpdate } = kindOf('PriorityClass')
  const before = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    value: 5,
    preemptionPolicy: 'Never',
  }
  const messages = (changes: object) =>
    validateUpdate(before, { ...before, ...changes }).map(({ message }) => message)
  t.strictSame(messages({ value: 6 }), ['value: Forbidden: may not be changed in an update.'])
  t.match(messages({ preemptionPolicy: 'PreemptLowerPriority' }), [
    /^preemptionPolicy: .*field is immutable$/,
  ])
  t.strictSame(messages({ description: 'for the web' }), [])
  t.end()
})
