import t from 'tap'
import { clusterObjects } from '../../../src/apiserver/clusterObjects.js'
import { createStore } from '../../../src/apiserver/store.js'
import { findResource } from '../../../src/apiserver/resources.js'
import { tableOf } from '../../../src/apiserver/table.js'
import { reconcileDisruptions } from '../../../src/cluster/controllers/disruptions.js'
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

/** The status of the only budget, as the API shows it. */
function status(snapshot: Cluster): unknown {
  const shown = clusterObjects(snapshot, { kernel: '6.1.0', since })
  return (shown.find(({ kind }) => kind === 'PodDisruptionBudget') as { status?: unknown } | undefined)
    ?.status
}

const condition = (status: string, reason: string, lastTransitionTime: string, message = '') => ({
  ...{ type: 'DisruptionAllowed', status, observedGeneration: 1, lastTransitionTime, reason, message },
})

t.test('the condition DisruptionAllowed has the time of its transition', async (t) => {
  const start = '2026-11-21T00:00:00Z'
  const built = cluster(web + budget(`{ minAvailable: 3, ${selector} }`))
  t.same(status(built), {
    ...{ disruptionsAllowed: 1, currentHealthy: 4, desiredHealthy: 3, expectedPods: 4 },
    ...{ observedGeneration: 1, conditions: [condition('True', 'SufficientPods', start)] },
  })
  const pods = (ready: number) =>
    built.pods.map((pod, index) =>
      index < ready ? pod : { ...pod, status: { ...pod.status, conditions: [] } },
    )
  const at = (before: Cluster, now: string, ready: number) =>
    reconcileDisruptions({ ...before, now, pods: pods(ready) })
  const less = at(built, '2026-11-21T00:01:00.5Z', 3)
  t.match(status(less), { conditions: [condition('False', 'InsufficientPods', '2026-11-21T00:01:00Z')] })
  const still = at(less, '2026-11-21T00:02:00Z', 2)
  t.match(status(still), {
    ...{ currentHealthy: 2, conditions: [condition('False', 'InsufficientPods', '2026-11-21T00:01:00Z')] },
  })
  const again = at(still, '2026-11-21T00:03:00Z', 4)
  t.match(status(again), { conditions: [condition('True', 'SufficientPods', '2026-11-21T00:03:00Z')] })
  t.equal(reconcileDisruptions(again), again, 'nothing left to do')
})

t.test('a budget whose pods have no scale names the reason', async (t) => {
  const agent = web.replace('kind: Deployment', 'kind: DaemonSet').replace(/ {2}replicas: 4\n/, '')
  const message = 'daemonsets.apps does not implement the scale subresource'
  t.match(status(cluster(agent + budget(`{ minAvailable: 50%, ${selector} }`))), {
    conditions: [condition('False', 'SyncFailed', '2026-11-21T00:00:00Z', message)],
  })
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
