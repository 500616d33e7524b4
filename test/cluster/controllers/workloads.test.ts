import t from 'tap'
import {
  foresee,
  nodeReady,
  podReady,
  podRemoved,
  podRunning,
  reconcileLive,
} from '../../../src/cluster/changes/index.js'
import { isEnding } from '../../../src/cluster/pods/endPods.js'
import { isReady } from '../../../src/cluster/pods/podFacts.js'
import type { Cluster, Pod } from '../../../src/cluster/types.js'
import { workloadNotices } from '../../../src/cluster/manifests/workloadNotices.js'
import { unsettledObjects } from '../../../src/lab/live/unsettledObjects.js'
import { cluster, deployment, refusals, service, twoNodes, written, applies, type Writes } from '../lab.js'

const now = '2026-01-02T03:04:05Z'

function workload(kind: string, name: string, replicas: number, more = ''): string {
  const text = deployment(name, replicas).replace('kind: Deployment', `kind: ${kind}`)
  return text.replace('spec:\n', `spec:\n${more}`)
}

function changed(before: Cluster, change: Writes): Cluster {
  return reconcileLive(written(before, change, { ...twoNodes, now }).cluster)
}

function applied(before: Cluster, text: string): Cluster {
  return changed(before, applies(text))
}

function scaled(before: Cluster, kind: string, name: string, replicas: number): Cluster {
  return changed(before, { verb: 'scale', ref: { kind, name }, replicas })
}

function started(before: Cluster, name: string): Cluster {
  return reconcileLive(podReady(podRunning(before, { name }, now), { name }, true))
}

function removed(before: Cluster, name: string): Cluster {
  return reconcileLive(podRemoved(before, { name }))
}

/** Pods by name, with `!` for a terminating one and `?` for one that is not ready. */
function podNames({ pods }: Cluster): string[] {
  return pods.map((pod) => `${pod.metadata.name}${isEnding(pod) ? '!' : isReady(pod) ? '' : '?'}`).sort()
}

t.test('pods of a StatefulSet are created in order and deleted from the highest ordinal', (t) => {
  const before = cluster(workload('StatefulSet', 'db', 1, '  serviceName: db\n'))
  t.match(before.pods[0], { metadata: { name: 'db-0' }, spec: { hostname: 'db-0', subdomain: 'db' } })
  let current = scaled(before, 'StatefulSet', 'db', 3)
  t.same(podNames(current), ['db-0', 'db-1?'], 'the third waits for the second')
  current = started(current, 'db-1')
  t.same(podNames(current), ['db-0', 'db-1', 'db-2?'])
  current = scaled(started(current, 'db-2'), 'StatefulSet', 'db', 1)
  t.same(podNames(current), ['db-0', 'db-1', 'db-2!'])
  current = removed(current, 'db-2')
  t.same(podNames(current), ['db-0', 'db-1!'])
  t.same(podNames(removed(current, 'db-1')), ['db-0'])
  t.end()
})

t.test('the ordinals of a StatefulSet start at ordinals.start', (t) => {
  const at = (start: number) => workload('StatefulSet', 'db', 2, `  ordinals: { start: ${start} }\n`)
  const before = cluster(at(5))
  t.same(podNames(before), ['db-5', 'db-6'])
  const current = applied(before, at(6))
  t.same(
    podNames(current),
    ['db-5', 'db-6', 'db-7?'],
    'missing pods are created before surplus ones are deleted',
  )
  t.same(podNames(started(current, 'db-7')), ['db-5!', 'db-6', 'db-7'])
  t.end()
})

t.test('a StatefulSet that has too few pods is not settled', (t) => {
  const three = scaled(cluster(workload('StatefulSet', 'db', 1)), 'StatefulSet', 'db', 3)
  const lines = (current: Cluster) => unsettledObjects(current, () => true)
  t.same(lines(started(three, 'db-1')), ['pod default/db-2 is starting'])
  const reached = started(started(three, 'db-1'), 'db-2')
  t.same(lines(reached), [])
  t.same(lines({ ...reached, pods: reached.pods.slice(0, 2) }), ['statefulset default/db is scaling'])
  t.end()
})

t.test('a paused Deployment has settled', (t) => {
  const lines = (spec: string) =>
    unsettledObjects(
      cluster(deployment('web', 1).replace('  replicas: 1', `  replicas: 1\n${spec}`)),
      () => true,
    )
  t.same(lines('  paused: true'), [])
  t.end()
})

t.test('fields of workloads that are ignored are listed', (t) => {
  const notices = (text: string) => workloadNotices(cluster(text))
  const daemons = (surge: number) =>
    workload(
      'DaemonSet',
      'd',
      1,
      `  updateStrategy: { rollingUpdate: { maxSurge: ${surge}, maxUnavailable: ${1 - surge} } }\n`,
    ).replace(/ {2}replicas: 1\n/, '')
  t.match(notices(daemons(1)), [/^maxSurge of a DaemonSet is ignored: .*: default\/d$/])
  t.same(notices(daemons(0)), [])
  t.same(notices(workload('Deployment', 'web', 1)), [])
  t.end()
})

t.test('strategies are validated strictly', (t) => {
  const wrong = (kind: string, more: string) =>
    refusals(() => cluster(workload(kind, 'web', 1, more))).join('\n')
  t.match(wrong('Deployment', '  strategy: { rollingUpdate: { maxSurgee: 1 } }\n'), /did you mean "maxSurge"/)
  t.match(
    wrong('Deployment', '  strategy: { type: Recreate, rollingUpdate: { maxSurge: 1 } }\n'),
    /strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'/,
  )
  t.match(wrong('StatefulSet', '  podManagementPolicy: Paralel\n'), /did you mean "Parallel"/)
  t.match(wrong('StatefulSet', '  ordinals: { start: -1 }\n'), /must be greater than or equal to 0/)
  t.end()
})

t.test('Parallel pods of a StatefulSet do not wait for each other', (t) => {
  const before = cluster(workload('StatefulSet', 'db', 1, '  podManagementPolicy: Parallel\n'))
  t.same(podNames(scaled(before, 'StatefulSet', 'db', 3)), ['db-0', 'db-1?', 'db-2?'])
  t.end()
})

t.test(
  'a new template replaces the pods of a StatefulSet from the highest ordinal down to the partition',
  (t) => {
    const rolling = '  updateStrategy: { rollingUpdate: { partition: 1 } }\n'
    const text = workload('StatefulSet', 'db', 3, rolling)
    let current = applied(cluster(text), text.replace('nginx', 'nginx:2'))
    t.same(podNames(current), ['db-0', 'db-1', 'db-2!'])
    current = removed(current, 'db-2')
    t.same(podNames(current), ['db-0', 'db-1', 'db-2?'], 'the same name is used again')
    current = started(current, 'db-2')
    t.same(podNames(current), ['db-0', 'db-1!', 'db-2'])
    const rest = foresee(current)
    t.same(podNames(rest), ['db-0', 'db-1', 'db-2'])
    t.equal(imageOf(rest, 'db-0'), 'nginx', 'below the partition')
    t.equal(imageOf(rest, 'db-1'), 'nginx:2')
    t.end()
  },
)

t.test('a pod below the partition is created from the current revision until all pods are updated', (t) => {
  const withPartition = (partition: number) =>
    workload(
      'StatefulSet',
      'db',
      2,
      `  ordinals: { start: 5 }\n  updateStrategy: { rollingUpdate: { partition: ${partition} } }\n`,
    )
  const text = withPartition(1)
  const updated = foresee(applied(reconcileLive({ ...cluster(text), now }), text.replace('nginx', 'nginx:2')))
  t.equal(imageOf(updated, 'db-5'), 'nginx', 'the partition counts from the first ordinal')
  t.equal(imageOf(updated, 'db-6'), 'nginx:2')
  const revisionOf = ({ statefulSets = [] }: Cluster) => statefulSets[0]?.status?.currentRevision
  const again = foresee(removed(removed(updated, 'db-5'), 'db-6'))
  t.equal(imageOf(again, 'db-5'), 'nginx', 'also when no pod of that revision is left')
  t.equal(imageOf(again, 'db-6'), 'nginx:2')
  const whole = foresee(applied(again, withPartition(0).replace('nginx', 'nginx:2')))
  t.equal(imageOf(whole, 'db-5'), 'nginx:2')
  t.not(revisionOf(whole), revisionOf(again), 'the rollout is complete')
  t.end()
})

t.test('with OnDelete a deleted pod gets the new template, and no rollout completes', (t) => {
  const text = workload('StatefulSet', 'db', 2, '  updateStrategy: { type: OnDelete }\n')
  const before = reconcileLive({ ...cluster(text), now })
  const updated = foresee(applied(before, text.replace('nginx', 'nginx:2')))
  t.equal(imageOf(updated, 'db-1'), 'nginx')
  const one = foresee(removed(updated, 'db-1'))
  t.equal(imageOf(one, 'db-1'), 'nginx:2')
  t.equal(imageOf(one, 'db-0'), 'nginx')
  const both = foresee(removed(one, 'db-0'))
  t.equal(both.statefulSets?.[0]?.status?.currentRevision, before.statefulSets?.[0]?.status?.currentRevision)
  t.end()
})

t.test('a rollout of Parallel pods replaces one at a time', (t) => {
  const text = workload('StatefulSet', 'db', 3, '  podManagementPolicy: Parallel\n')
  let current = applied(cluster(text), text.replace('nginx', 'nginx:2'))
  t.same(podNames(current), ['db-0', 'db-1', 'db-2!'])
  current = removed(current, 'db-2')
  t.same(podNames(current), ['db-0', 'db-1', 'db-2?'])
  t.same(podNames(started(current, 'db-2')), ['db-0', 'db-1!', 'db-2'])
  t.end()
})

t.test('an unavailable pod above the replicas waits for an unavailable one below it', (t) => {
  const three = cluster(workload('StatefulSet', 'db', 3))
  const unready = (before: Cluster, name: string) => reconcileLive(podReady(before, { name }, false))
  const lab = reconcileLive({ ...three, now })
  const both = scaled(unready(unready(lab, 'db-1'), 'db-2'), 'StatefulSet', 'db', 1)
  t.same(podNames(both), ['db-0', 'db-1?', 'db-2?'])
  t.same(podNames(scaled(unready(lab, 'db-2'), 'StatefulSet', 'db', 1)), ['db-0', 'db-1', 'db-2!'])
  t.end()
})

t.test('a DaemonSet has a pod on each eligible node', (t) => {
  const text = workload('DaemonSet', 'agent', 1).replace(/ {2}replicas.*\n/, '')
  const before = cluster(text)
  t.same(before.pods.map(({ spec }) => spec.nodeName).sort(), ['node-a', 'node-b'])
  const onA = applied(before, text.replace('containers', 'nodeSelector: { only: a }\n      containers'))
  t.ok(onA.pods.every(isEnding), 'no node has that label')
  const labeled = changed(onA, {
    verb: 'label',
    ref: { kind: 'Node', name: 'node-a' },
    values: { only: 'a' },
  })
  t.same(
    foresee(labeled).pods.map(({ spec }) => spec.nodeName),
    ['node-a'],
  )
  t.end()
})

t.test('a new template replaces the pods of a DaemonSet one at a time', (t) => {
  const text = workload('DaemonSet', 'agent', 1).replace(/ {2}replicas.*\n/, '')
  const current = applied(cluster(text), text.replace('nginx', 'nginx:2'))
  t.equal(current.pods.filter(isEnding).length, 1)
  t.ok(foresee(current).pods.every(({ spec }) => spec.containers[0]?.image === 'nginx:2'))
  t.end()
})

t.test(
  'a ReplicaSet deletes the least active pods first, then those on a crowded node, then the newest',
  (t) => {
    const before = scaled(cluster(deployment('web', 4)), 'Deployment', 'web', 5)
    const [first, second, third] = names(before)
    const starting = before.pods.at(-1)?.metadata.name
    const unready = podReady(before, { name: second ?? '' }, false)
    const going = (replicas: number): string[] =>
      scaled(unready, 'Deployment', 'web', replicas)
        .pods.filter(isEnding)
        .map(({ metadata }) => metadata.name)
    t.same(going(4), [starting], 'pending')
    t.same(going(3), [second, starting], 'not ready')
    // node-a has three pods, node-b two
    t.same(going(2), [second, third, starting], 'the newer ones on a crowded node')
    t.same(going(1), [first, second, third, starting])
    t.end()
  },
)

t.test('ReplicaSets of a Deployment are numbered, and a rollback gets a new number', (t) => {
  const text = deployment('web', 2)
  const second = foresee(applied(cluster(text), text.replace('nginx', 'nginx:2')))
  const revisions = ({ replicaSets = [], deployments }: Cluster): unknown[] =>
    [...replicaSets, ...deployments].map(({ metadata }) =>
      Number(metadata.annotations?.['deployment.kubernetes.io/revision'] ?? 0),
    )
  t.same(revisions(second).slice(1), [2, 2])
  const third = foresee(applied(second, text.replace('nginx', 'nginx:3')))
  t.same(revisions(third).slice(1), [2, 3, 3])
  const back = foresee(applied(third, text.replace('nginx', 'nginx:2')))
  t.same(revisions(back).slice(1), [3, 4, 4])
  t.end()
})

t.test('old ReplicaSets are kept up to revisionHistoryLimit', (t) => {
  const text = deployment('web', 1).replace('  template:', '  revisionHistoryLimit: 1\n  template:')
  const last = ['a', 'b', 'c'].reduce(
    (current, tag) => foresee(applied(current, text.replace('nginx', `nginx:${tag}`))),
    cluster(text),
  )
  t.same(
    last.replicaSets?.map(({ spec }) => spec.replicas),
    [0, 1],
  )
  t.end()
})

t.test('Recreate ends all old pods before new ones are created', (t) => {
  const text = deployment('web', 2).replace('  template:', '  strategy: { type: Recreate }\n  template:')
  let current = applied(cluster(text), text.replace('nginx', 'nginx:2'))
  t.equal(current.pods.length, 2)
  t.ok(current.pods.every(isEnding))
  const [first = '', second = ''] = names(current)
  current = removed(current, first)
  t.equal(current.pods.length, 1)
  current = removed(current, second)
  t.ok(current.pods.length === 2 && current.pods.every((pod) => !isEnding(pod)))
  t.end()
})

t.test('a terminating pod is still an endpoint, and still serving', (t) => {
  const before = cluster(deployment('web', 2) + service('web'))
  const name = before.pods[0]?.metadata.name ?? ''
  const current = changed(before, {
    verb: 'delete',
    ref: { kind: 'Pod', name },
    gracePeriodSeconds: 5,
  })
  const pod = current.pods.find(({ metadata }) => metadata.name === name)
  t.match(pod?.metadata, { deletionTimestamp: now, deletionGracePeriodSeconds: 5 })
  t.same(conditionsOf(current, name), { ready: false, serving: true, terminating: true })
  const failing = reconcileLive(podReady(current, { name }, false))
  t.same(conditionsOf(failing, name), { ready: false, serving: false, terminating: true })
  t.equal(conditionsOf(removed(failing, name), name), undefined)
  t.end()
})

t.test('a node that is down gets no new pods, and its pods are not endpoints', (t) => {
  const before = cluster(deployment('web', 2) + service('web'))
  const down = reconcileLive(nodeReady({ ...before, now }, 'node-a', false))
  const endpoints = down.endpointSlices[0]?.endpoints ?? []
  t.same(
    endpoints.filter(({ conditions }) => conditions?.ready).map(({ nodeName }) => nodeName),
    ['node-b'],
  )
  const more = foresee(scaled(down, 'Deployment', 'web', 4))
  t.equal(more.pods.filter(({ spec }) => spec.nodeName === 'node-b').length, 3)
  t.equal(nodeReady(down, 'node-a', false), down)
  const up = nodeReady(down, 'node-a', true)
  t.same(up.nodes[0]?.spec?.taints, [])
  t.end()
})

t.test('deleting a Namespace deletes its objects', (t) => {
  const text = (deployment('web', 2) + service('web')).replaceAll(
    'metadata: { name: web }',
    'metadata: { name: web, namespace: shop }',
  )
  const before = cluster(text)
  const current = changed(before, { verb: 'delete', ref: { kind: 'Namespace', name: 'shop' } })
  t.same([current.services.length, current.deployments.length, current.endpointSlices.length], [0, 0, 0])
  t.equal(foresee(current).pods.length, 0)
  const forbidden: Writes = { verb: 'delete', ref: { kind: 'Namespace', name: 'default' } }
  t.match(refusals(() => changed(before, forbidden))[0], /namespaces "default" is forbidden/)
  t.end()
})

t.test('fields of a StatefulSet that its pods depend on are immutable', (t) => {
  const text = workload('StatefulSet', 'db', 1, '  serviceName: db\n')
  const moved = text.replace('serviceName: db', 'serviceName: other')
  t.match(refusals(() => applied(cluster(text), moved))[0], /spec: Forbidden: updates to statefulset spec/)
  t.end()
})

function names({ pods }: Cluster): string[] {
  return pods.map(({ metadata }) => metadata.name)
}

function imageOf({ pods }: Cluster, name: string): string | undefined {
  return pods.find((pod: Pod) => pod.metadata.name === name)?.spec.containers[0]?.image
}

function conditionsOf({ endpointSlices }: Cluster, name: string): unknown {
  return endpointSlices[0]?.endpoints.find(({ targetRef }) => targetRef?.name === name)?.conditions
}
