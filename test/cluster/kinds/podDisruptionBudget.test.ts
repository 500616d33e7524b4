import t from 'tap'
import { clusterObjects } from '../../../src/apiserver/clusterObjects.js'
import { createStore } from '../../../src/apiserver/store.js'
import { findResource } from '../../../src/apiserver/resources.js'
import { tableOf } from '../../../src/apiserver/table.js'
import { kindNamed, kinds, objectsOf } from '../../../src/cluster/kinds/index.js'
import { clusterNotices } from '../../../src/cluster/manifests/notices.js'
import { parseManifests } from '../../../src/cluster/manifests/manifests.js'
import type { Cluster } from '../../../src/cluster/types.js'
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

t.test('a budget is stored, and allows or forbids nothing', async (t) => {
  const built = cluster(web + budget(`{ minAvailable: 3, ${selector} }`))
  t.strictSame(rows(built), [['web', '3', 'N/A', 0]])
  t.same(clusterNotices(built), [
    'PodDisruptionBudget objects are stored, and nothing acts on them: default/web',
  ])
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
