import t from 'tap'
import { clusterObjects } from '../../../src/apiserver/clusterObjects.js'
import { buildCluster } from '../../../src/cluster/cluster.js'
import { podReady, podRemoved, podRunning, reconcileLive } from '../../../src/cluster/changes/index.js'
import { clusterNotices } from '../../../src/cluster/manifests/notices.js'
import { nextDue } from '../../../src/cluster/controllers/jobs/nextDue.js'
import { isEnding } from '../../../src/cluster/pods/endPods.js'
import type { Cluster } from '../../../src/cluster/types.js'
import { hostPortPods } from '../../../src/agents/hostPorts.js'
import { cluster, deployment, twoNodes, written, applies, type Writes } from '../lab.js'

const start = '2026-01-02T03:04:05Z'
const empty = buildCluster([], twoNodes)
const web = { kind: 'Deployment', name: 'web' }

function later(seconds: number): string {
  return new Date(Date.parse(start) + seconds * 1000).toISOString()
}

function changed(before: Cluster, change: Writes, now = start): Cluster {
  return reconcileLive(written(before, change, { ...twoNodes, now }).cluster)
}

function applied(before: Cluster, text: string): Cluster {
  return changed(before, applies(text))
}

/** The kubelet's part: terminating pods end, the others run and are ready since `now`. */
function pass(before: Cluster, now = start): Cluster {
  const reported = before.pods.reduce<Cluster>(
    (next, pod) =>
      isEnding(pod)
        ? podRemoved(next, pod.metadata)
        : podReady(podRunning(next, pod.metadata, now), pod.metadata, true, now),
    { ...before, now },
  )
  return reconcileLive(reported)
}

function statusOf(snapshot: Cluster, kind: string): Record<string, unknown> {
  const objects = clusterObjects(snapshot, { kernel: '6.1.0', since: new Date(start) })
  const found = objects.find((object) => object.kind === kind) as
    { status?: Record<string, unknown> } | undefined
  return found?.status ?? {}
}

/** The conditions of the Deployment, in order: type, status and reason. */
function conditions({ deployments: [one] }: Cluster): string[] {
  return (one?.status?.conditions ?? []).map(({ type, status, reason }) => `${type} ${status} ${reason}`)
}

const available = 'Available True MinimumReplicasAvailable'
const complete = 'Progressing True NewReplicaSetAvailable'

t.test('the conditions of a Deployment follow its rollout', (t) => {
  const before = cluster(deployment('web', 2))
  t.same(conditions(before), [available, complete])
  const patch = { spec: { template: { metadata: { labels: { v: '2' } } } } }
  const rolling = changed(before, { verb: 'patch', ref: web, patch })
  t.same(conditions(rolling), [available, 'Progressing True ReplicaSetUpdated'])
  const rolled = pass(pass(pass(pass(rolling))))
  t.same(conditions(rolled), [available, complete])
  t.same(
    rolled.replicaSets?.map(({ metadata, spec }) => [metadata.generation, spec.replicas]),
    [
      [3, 0],
      [2, 2],
    ],
  )
  const { pods } = rolled
  const failed = reconcileLive(
    podReady({ ...rolled, now: later(9) }, pods[0]?.metadata ?? { name: '' }, false),
  )
  t.same(conditions(failed), [complete, 'Available False MinimumReplicasUnavailable'])
  t.match(failed.deployments[0]?.status?.conditions, [
    { lastTransitionTime: undefined },
    { lastTransitionTime: '2026-01-02T03:04:14Z', lastUpdateTime: '2026-01-02T03:04:14Z' },
  ])
  t.match(statusOf(failed, 'Deployment'), {
    ...{ replicas: 2, readyReplicas: 1, availableReplicas: 1, unavailableReplicas: 1 },
    conditions: [{ lastTransitionTime: start }, {}],
  })
  t.end()
})

t.test('a rollout without progress fails after progressDeadlineSeconds', (t) => {
  const hasty = deployment('web', 2).replace('replicas: 2', 'replicas: 2\n  progressDeadlineSeconds: 60')
  const started = applied(empty, hasty)
  const failed = 'Progressing False ProgressDeadlineExceeded'
  const progressing = 'Progressing True ReplicaSetUpdated'
  t.equal(conditions(started).at(-1), progressing)
  t.equal(nextDue(started), 60_001)
  t.equal(conditions(reconcileLive({ ...started, now: later(60) })).at(-1), progressing)
  const [pod] = started.pods
  const ref = pod?.metadata ?? { name: '' }
  const one = reconcileLive(podReady(podRunning({ ...started, now: later(50) }, ref, later(50)), ref, true))
  t.equal(nextDue(one), 60_001, 'progress starts the time again')
  const late = reconcileLive({ ...one, now: later(110.001) })
  t.equal(conditions(late).at(-1), failed)
  t.match(late.deployments[0]?.status?.conditions?.at(-1), {
    message: /^ReplicaSet "web-[a-z0-9]+" has timed out progressing\.$/,
    lastTransitionTime: later(110).replace('.000', ''),
  })
  t.equal(nextDue(late), undefined)
  t.equal(conditions(reconcileLive({ ...late, now: later(500) })).at(-1), failed)
  t.equal(conditions(pass(late, later(500))).at(-1), complete, 'it is complete when its pods are ready')
  t.end()
})

t.test('a paused Deployment, and one without a deadline, do not fail', (t) => {
  const paused = deployment('web', 2).replace('replicas: 2', 'replicas: 2\n  paused: true')
  t.equal(nextDue(applied(empty, paused)), undefined)
  const patient = paused.replace('paused: true', 'progressDeadlineSeconds: 2147483647')
  t.equal(nextDue(applied(empty, patient)), undefined)
  t.end()
})

t.test('a paused Deployment makes no pods until it is resumed, but scales those that it has', (t) => {
  const paused = deployment('web', 2).replace('replicas: 2', 'replicas: 2\n  paused: true')
  const before = cluster(paused)
  t.same([before.replicaSets, before.pods], [[], []])
  t.same(conditions(applied(empty, paused)), [
    'Progressing Unknown DeploymentPaused',
    'Available False MinimumReplicasUnavailable',
  ])
  const resumed = changed(before, { verb: 'patch', ref: web, patch: { spec: { paused: false } } })
  t.equal(resumed.pods.length, 2)
  const pausedLater = { spec: { paused: true, replicas: 3, template: { metadata: { labels: { v: '2' } } } } }
  const scaled = changed(resumed, { verb: 'patch', ref: web, patch: pausedLater })
  t.equal(scaled.replicaSets?.length, 1)
  t.equal(scaled.pods.length, 3)
  t.end()
})

t.test('a pod becomes available after minReadySeconds', (t) => {
  const patient = deployment('web', 2).replace('replicas: 2', 'replicas: 2\n  minReadySeconds: 5')
  t.equal(statusOf(cluster(patient), 'Deployment')['availableReplicas'], 2, 'ready since the start')
  const ready = pass(applied(empty, patient))
  t.same(statusOf(ready, 'Deployment')['availableReplicas'], undefined)
  t.equal(statusOf(ready, 'ReplicaSet')['readyReplicas'], 2)
  t.equal(nextDue(ready), 5000)
  const old = reconcileLive({ ...ready, now: later(5) })
  t.same(conditions(old), [available, complete])
  t.equal(nextDue(old), undefined)
  const patch = { spec: { template: { metadata: { labels: { v: '2' } } } } }
  const rolling = pass(changed(old, { verb: 'patch', ref: web, patch }, later(6)), later(7))
  t.same(
    rolling.replicaSets?.map(({ spec }) => spec.replicas),
    [2, 1],
    'the new pod is not available yet',
  )
  const next = reconcileLive({ ...rolling, now: later(12) })
  t.same(
    next.replicaSets?.map(({ spec }) => spec.replicas),
    [1, 2],
  )
  t.end()
})

const statefulSet = deployment('web', 2).replace('kind: Deployment', 'kind: StatefulSet')
const barePod = (labels: string) => `apiVersion: v1
kind: Pod
metadata: { name: web-0, labels: ${labels} }
spec: { containers: [{ name: web, image: nginx }] }
---
`

t.test('a StatefulSet waits for a foreign pod with the name of one of its own', (t) => {
  const before = pass(applied(empty, barePod('{ app: other }') + statefulSet))
  t.same(
    before.pods.map(({ metadata }) => metadata.name),
    ['web-0'],
  )
  const object = { kind: 'Pod', name: 'web-0' }
  const freed = pass(changed(before, { verb: 'delete', ref: object, gracePeriodSeconds: 0 }))
  t.same(
    freed.pods.map(({ metadata }) => [metadata.name, metadata.ownerReferences?.[0]?.kind]),
    [['web-0', 'StatefulSet']],
  )
  const both = [object, { kind: 'StatefulSet', name: 'web' }]
  const gone = pass(
    changed(
      before,
      both.map((ref) => ({ verb: 'delete', ref, gracePeriodSeconds: 0 })),
    ),
  )
  t.same(gone.pods, [])
  t.end()
})

t.test('a StatefulSet adopts a pod that has its labels and the name of one of its own', (t) => {
  const adopted = applied(empty, barePod('{ app: web }') + statefulSet)
  t.equal(adopted.pods[0]?.metadata.ownerReferences?.[0]?.name, 'web')
  t.end()
})

t.test('the revisions of a StatefulSet', (t) => {
  const before = cluster(statefulSet)
  const status = statusOf(before, 'StatefulSet')
  t.match(status, { currentReplicas: 2, updatedReplicas: 2, currentRevision: /^web-/, observedGeneration: 1 })
  t.equal(status['updateRevision'], status['currentRevision'])
  const patch = { spec: { template: { metadata: { labels: { v: '2' } } } } }
  const object = { kind: 'StatefulSet', name: 'web' }
  const rolling = pass(changed(before, { verb: 'patch', ref: object, patch }))
  const next = statusOf(rolling, 'StatefulSet')
  t.match(next, { currentReplicas: 1, updatedReplicas: 1, observedGeneration: 2 })
  t.equal(next['currentRevision'], status['currentRevision'])
  t.not(next['updateRevision'], status['currentRevision'])
  t.end()
})

t.test('a pod of a DaemonSet tolerates the taints of nodes and is bound to its node', (t) => {
  const text = deployment('web', 1)
    .replace('kind: Deployment', 'kind: DaemonSet')
    .replace(/ {2}replicas: 1\n/, '')
  const before = cluster(text)
  const [pod] = before.pods
  t.match(pod?.metadata, { generateName: 'web-', labels: { 'pod-template-generation': '1' } })
  t.same(
    (pod?.spec['tolerations'] as { key: string; effect: string }[]).map(
      ({ key, effect }) => `${key}:${effect}`,
    ),
    [
      ...['not-ready', 'unreachable'].map((name) => `node.kubernetes.io/${name}:NoExecute`),
      ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map(
        (name) => `node.kubernetes.io/${name}:NoSchedule`,
      ),
    ],
  )
  t.match(JSON.stringify(pod?.spec['affinity']), /"matchFields":\[\{"key":"metadata.name".*"node-a"/)
  t.same(clusterNotices(before), [])
  t.match(statusOf(before, 'DaemonSet'), { desiredNumberScheduled: 2, numberAvailable: 2 })
  const restarted = changed(before, { verb: 'restart', ref: { kind: 'DaemonSet', name: 'web' } })
  t.match(restarted.daemonSets?.[0]?.metadata, {
    generation: 2,
    annotations: { 'deprecated.daemonset.template.generation': '2' },
  })
  t.end()
})

t.test('a hostPort on a hostIP that is not an address stays closed, with a notice', (t) => {
  const ports = '[{ containerPort: 80, hostPort: 8080, hostIP: x }]'
  const snapshot = cluster(deployment('web', 1, '', `{ name: web, image: nginx, ports: ${ports} }`))
  t.same(hostPortPods(snapshot, 'node-a', 'IPv4'), [])
  t.match(clusterNotices(snapshot), [
    /^a hostIP that is not an address: its port is not opened: default\/web-/,
  ])
  t.end()
})

t.test('defaults do not replace what a manifest says', (t) => {
  const container =
    '{ name: web, image: "nginx:1.27", imagePullPolicy: Always, resources: { limits: { cpu: "2" }, requests: { cpu: "1" } } }'
  const own = 'dnsPolicy: Default\n      tolerations: [{ operator: Exists }]\n      serviceAccountName: ci'
  const [pod] = cluster(deployment('web', 1, own, container)).pods
  t.match(pod?.spec, {
    ...{ dnsPolicy: 'Default', serviceAccount: 'ci', schedulerName: 'default-scheduler' },
    containers: [{ imagePullPolicy: 'Always', resources: { requests: { cpu: '1' } } }],
  })
  t.same(pod?.spec['tolerations'], [{ operator: 'Exists' }])
  t.end()
})

t.test('the name of a pod does not depend on whether its manifest writes the defaults', (t) => {
  const names = (text: string) => cluster(text).pods.map(({ metadata }) => metadata.name)
  const written = '{ name: web, image: nginx, imagePullPolicy: Always, terminationMessagePolicy: File }'
  t.same(names(deployment('web', 1, 'dnsPolicy: ClusterFirst', written)), names(deployment('web', 1)))
  t.not(names(deployment('web', 1, 'dnsPolicy: Default')), names(deployment('web', 1)))
  t.end()
})
