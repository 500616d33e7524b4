import t from 'tap'
import { controllers } from '../../src/cluster/cluster.js'
import { reconcile } from '../../src/cluster/reconcile.js'
import type { Cluster } from '../../src/cluster/types.js'
import { cluster, deployment, service } from './lab.js'

t.test('runs until a round changes nothing, with a limit', (t) => {
  const rest = cluster(deployment('web', 2) + service('web'))
  t.equal(reconcile(rest, controllers), rest, 'a settled cluster is returned unchanged')
  let steps = 0
  const three = (snapshot: Cluster): Cluster => (steps++ < 3 ? { ...snapshot } : snapshot)
  reconcile(rest, [three])
  t.equal(steps, 4)
  t.throws(() => reconcile(rest, [(snapshot) => ({ ...snapshot })]), /still changes after 50 rounds/)
  t.end()
})

t.test('scaling keeps the pods that stay, and their addresses', (t) => {
  const before = cluster(deployment('web', 3) + service('web'))
  const scaled = (replicas: number): Cluster =>
    reconcile(
      {
        ...before,
        deployments: before.deployments.map((item) => ({ ...item, spec: { ...item.spec, replicas } })),
      },
      controllers,
    )
  const names = (snapshot: Cluster) => snapshot.pods.map((pod) => [pod.metadata.name, pod.status?.podIP])
  t.same(names(scaled(2)), names(before).slice(0, 2))
  t.same(names(scaled(5)).slice(0, 3), names(before))
  t.equal(scaled(5).endpointSlices[0]?.endpoints.length, 5)
  t.equal(scaled(5).endpointSlices[0]?.metadata.name, before.endpointSlices[0]?.metadata.name)
  t.same(scaled(0).endpointSlices[0]?.endpoints, [])
  t.end()
})

t.test('deleting a Deployment deletes its ReplicaSet, pods and endpoints', (t) => {
  const before = cluster(deployment('web', 3) + service('web'))
  const after = reconcile({ ...before, deployments: [] }, controllers)
  t.same([after.replicaSets, after.pods, after.endpointSlices[0]?.endpoints], [[], [], []])
  t.end()
})

t.test('a new template replaces the pods', (t) => {
  const before = cluster(deployment('web', 2))
  const next = cluster(deployment('web', 2).replace('nginx', 'httpd'))
  const after = reconcile({ ...before, deployments: next.deployments }, controllers)
  t.same(
    after.pods.map((pod) => pod.metadata.name),
    next.pods.map((pod) => pod.metadata.name),
  )
  t.equal(after.replicaSets?.length, 1)
  t.end()
})
