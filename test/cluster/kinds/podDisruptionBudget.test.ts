import t from 'tap'
import { clusterObjects } from '../../../src/apiserver/clusterObjects.js'
import { createStore } from '../../../src/apiserver/store.js'
import { findResource } from '../../../src/apiserver/resources.js'
import { tableOf } from '../../../src/apiserver/table.js'
import { kindNamed, kinds, objectsOf } from '../../../src/cluster/kinds/index.js'
import { parseManifests } from '../../../src/cluster/manifests/manifests.js'
import type { Cluster, Pod } from '../../../src/cluster/types.js'
import { cluster, deployment, refusals } from '../lab.js'

const since = new Date('2026-11-21T00:00:00Z')
const budget = (spec: string) =>
  `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web }\nspec: ${spec}\n`
const web = deployment('web', 4)
const selector = 'selector: { matchLabels: { app: web } }'

/** The rows of `kubectl get poddisruptionbudgets` without the age. */
function rows(snapshot: Cluster): unknown[] {
  const resource = findResource('policy', 'v1', 'poddisruptionbudgets')
  if (resource === undefined) throw new Error('not served')
  const store = createStore(clusterObjects(snapshot, { kernel: '6.1.0', since }))
  const form = { version: 'v1', include: 'None', now: () => since, resource } as const
  const table = tableOf(store.list(resource), {}, form, true) as { rows: { cells: unknown[] }[] }
  return table.rows.map(({ cells }) => cells.slice(0, -1))
}

const allowed: readonly (readonly [spec: string, row: readonly unknown[]])[] = [
  [`{ minAvailable: 3, ${selector} }`, ['web', '3', 'N/A', 1]],
  [`{ minAvailable: 5, ${selector} }`, ['web', '5', 'N/A', 0]],
  // percentages are rounded up, of the replicas of the Deployment
  [`{ minAvailable: 60%, ${selector} }`, ['web', '60%', 'N/A', 1]],
  [`{ maxUnavailable: 30%, ${selector} }`, ['web', 'N/A', '30%', 2]],
  [`{ maxUnavailable: 1, ${selector} }`, ['web', 'N/A', '1', 1]],
  // an empty selector selects every pod of the namespace, none selects no pod
  ['{ minAvailable: 1, selector: {} }', ['web', '1', 'N/A', 3]],
  ['{ minAvailable: 0 }', ['web', '0', 'N/A', 0]],
  [`{ ${selector} }`, ['web', 'N/A', 'N/A', 0]],
]

t.test('a budget is stored, and shows how many pods may be evicted', async (t) => {
  for (const [spec, row] of allowed) t.strictSame(rows(cluster(web + budget(spec))), [row], spec)
})

t.test('pods that are not ready do not count, in a live cluster', async (t) => {
  const before = cluster(web + budget(`{ maxUnavailable: 3, ${selector} }`))
  const unready = (pod: Pod): Pod => ({ ...pod, status: { ...pod.status, conditions: [] } })
  const pods = before.pods.map((pod, index) => (index < 2 ? unready(pod) : pod))
  t.strictSame(rows({ ...before, pods }), [['web', 'N/A', '3', 1]])
})

t.test('a DaemonSet has no scale: only a number of available pods counts', async (t) => {
  const agent = web.replace('kind: Deployment', 'kind: DaemonSet').replace(/ {2}replicas: 4\n/, '')
  t.strictSame(rows(cluster(agent + budget(`{ maxUnavailable: 1, ${selector} }`))), [['web', 'N/A', '1', 0]])
  t.strictSame(rows(cluster(agent + budget(`{ minAvailable: 1, ${selector} }`))), [['web', '1', 'N/A', 1]])
})

t.test('budgets that the API server rejects', async (t) => {
  const said = (spec: string) =>
    refusals(() => parseManifests([{ path: 'a.yaml', text: budget(spec) }])).map((line) =>
      line.replace(/^.*is invalid: /, ''),
    )
  t.match(said('{ minAvailable: 1, maxUnavailable: 1 }'), [/minAvailable and maxUnavailable cannot be both/])
  t.match(said('{ minAvailable: -1 }'), [/^spec.minAvailable: .*: must be greater than or equal to 0$/])
  t.match(said('{ minAvailable: 101% }'), [/^spec.minAvailable: .*: must not be greater than 100%$/])
  t.match(said('{ maxUnavailable: few }'), [/^spec.maxUnavailable: .*: a valid percent string must/])
  t.match(said('{ unhealthyPodEvictionPolicy: Never }'), [
    /supported values: "AlwaysAllow", "IfHealthyBudget"/,
  ])
})

t.test('it has the properties of every kind', async (t) => {
  const text = budget('{ minAvailable: 1 }')
  t.same(parseManifests([{ path: 'a.yaml', text }]).notices, [])
  t.equal(kindNamed('pdb'), 'PodDisruptionBudget')
  t.equal(objectsOf(cluster(text), 'PodDisruptionBudget').length, 1)
})

t.test('kinds share no name, list or plural', async (t) => {
  for (const field of ['kind', 'list', 'plural'] as const)
    t.equal(new Set(kinds.map((kind) => kind[field])).size, kinds.length, field)
})
