import t from 'tap'
import { buildCluster } from '../../../src/cluster/cluster.js'
import { clusterObjects } from '../../../src/apiserver/clusterObjects.js'
import { describeObject } from '../../../src/apiserver/describe/describeObject.js'
import { createStore } from '../../../src/apiserver/store.js'
import { resources } from '../../../src/apiserver/resources.js'
import { podReady, podRestarted, podRunning, reconcileLive } from '../../../src/cluster/changes/index.js'
import { withRecorded } from '../../../src/cluster/events/eventLog.js'
import { byKubelet } from '../../../src/cluster/events/podEvents.js'
import { withEvents, withStartEvents } from '../../../src/cluster/events/withEvents.js'
import { isEnding } from '../../../src/cluster/pods/endPods.js'
import { podRemoved } from '../../../src/cluster/pods/podStatus.js'
import type { Cluster, Pod, RecordedEvent } from '../../../src/cluster/types.js'
import { cluster, deployment, twoNodes, written, type Writes, applies } from '../lab.js'

const start = '2026-01-02T03:04:05Z'
const later = (seconds: number) => new Date(Date.parse(start) + seconds * 1000).toISOString()
const web = { kind: 'Deployment', name: 'web' }

/** An edit of a live cluster, as its queue of edits makes it. */
function edited(before: Cluster, edit: (cluster: Cluster) => Cluster, now: string): Cluster {
  return reconcileLive(withEvents(before, { ...edit({ ...before, now }), now }))
}

function changed(before: Cluster, change: Writes, now = start): Cluster {
  return edited(before, (cluster) => written(cluster, change, { ...twoNodes, now }).cluster, now)
}

/** The kubelet's part: terminating pods end, the others run. */
function pass(before: Cluster, now = start): Cluster {
  const report = (next: Cluster, pod: Pod) =>
    isEnding(pod)
      ? podRemoved(next, pod.metadata)
      : podReady(podRunning(next, pod.metadata, now), pod.metadata, true, now)
  return edited(before, (cluster) => cluster.pods.reduce(report, cluster), now)
}

const eventsOf = ({ events }: Cluster): readonly RecordedEvent[] => events?.events ?? []

/** Events as `kubectl get events` prints them; names that the cluster has generated are short. */
function lines(snapshot: Cluster): string[] {
  return eventsOf(snapshot).map(
    ({ type, reason, involvedObject: { kind, name, fieldPath }, message, source, count }) =>
      [
        type,
        reason,
        `${kind}/${name}`,
        fieldPath,
        `${source.component}: ${message}`,
        count > 1 ? `x${count}` : undefined,
      ]
        .filter((part) => part !== undefined)
        .join(' ')
        .replace(/web-[a-z0-9]{8,10}-[a-z0-9]{5}/g, 'POD')
        .replace(/web-[a-z0-9]{8,10}/g, 'SET'),
  )
}

const onePod = (from: number, to: number) => [
  `Normal ScalingReplicaSet Deployment/web deployment-controller: Scaled up replica set SET from ${from} to ${to}`,
  'Normal SuccessfulCreate ReplicaSet/SET replicaset-controller: Created pod: POD',
  'Normal Scheduled Pod/POD default-scheduler: Successfully assigned default/POD to node-a',
]
const started = ['Pulled', 'Created', 'Started'].map(
  (reason) => `Normal ${reason} Pod/POD spec.containers{web} kubelet: `,
)
const image = 'Container image "nginx" already present on machine and can be accessed by the pod'
const running = [`${started[0]}${image}`, `${started[1]}Container created`, `${started[2]}Container started`]

t.test('a lab starts with the Events of its pods', (t) => {
  const before = withStartEvents(cluster(deployment('web', 1)), start)
  t.same(lines(before), [...onePod(0, 1), ...running])
  t.equal(before.now, undefined)
  t.match(eventsOf(before)[0], {
    metadata: { name: /^web\.[0-9a-f]{16}$/, namespace: 'default' },
    ...{ count: 1, firstTimestamp: start, lastTimestamp: start },
  })
  const names = eventsOf(before).map(({ metadata }) => metadata.name.split('.')[1] ?? '')
  t.same(names, [...names].sort(), 'their names are in order')
  t.end()
})

t.test('what controllers and kubelets do is reported', (t) => {
  const before = { ...pass(cluster(deployment('web', 2))), now: start }
  const fewer = changed(before, { verb: 'scale', ref: web, replicas: 1 })
  t.same(lines(fewer), [
    'Normal ScalingReplicaSet Deployment/web deployment-controller: Scaled down replica set SET from 2 to 1',
    'Normal SuccessfulDelete ReplicaSet/SET replicaset-controller: Deleted pod: POD',
    'Normal Killing Pod/POD spec.containers{web} kubelet: Stopping container web',
  ])
  t.same(lines(pass(fewer)), lines(fewer), 'its end is no Event')
  const gone = changed(before, { verb: 'delete', ref: web })
  t.same(
    lines(gone),
    [1, 2].map(() => 'Normal Killing Pod/POD spec.containers{web} kubelet: Stopping container web'),
    'the garbage collector reports nothing',
  )
  t.end()
})

t.test('a StatefulSet names its pods, and a pod that is created again has its own Events', (t) => {
  const set = deployment('web', 1).replace('kind: Deployment', 'kind: StatefulSet')
  const before = { ...cluster(set), now: start }
  const object = { kind: 'Pod', name: 'web-0' }
  const deleted = changed(before, { verb: 'delete', ref: object })
  t.same(lines(deleted), ['Normal Killing Pod/web-0 spec.containers{web} kubelet: Stopping container web'])
  const again = pass(pass(deleted, later(1)), later(2))
  t.match(lines(again).slice(1, 3), [
    'Normal SuccessfulCreate StatefulSet/web statefulset-controller: create Pod web-0 in StatefulSet web successful',
    'Normal Scheduled Pod/web-0 default-scheduler: Successfully assigned default/web-0 to node-a',
  ])
  const twice = pass(pass(changed(again, { verb: 'delete', ref: object }, later(3)), later(4)), later(5))
  const ofReason = (reason: string) => eventsOf(twice).filter((event) => event.reason === reason)
  t.same(
    ofReason('Scheduled').map(({ count }) => count),
    [1, 1],
  )
  t.equal(ofReason('Started').length, 2)
  t.match(ofReason('SuccessfulCreate'), [{ count: 2, firstTimestamp: later(1).replace('.000', '') }])
  t.end()
})

t.test('a pod that fits no node, and one that its manifest places', (t) => {
  const onNode = deployment('web', 1, 'nodeSelector: { disk: ssd }')
  const empty = buildCluster([], twoNodes)
  t.equal(withStartEvents(empty, start), empty)
  const before = { ...empty, now: start }
  const pending = changed(before, applies(onNode))
  t.match(
    lines(pending).at(-1),
    /^Warning FailedScheduling Pod\/POD default-scheduler: 0\/2 nodes are available/,
  )
  t.equal(eventsOf(reconcileLive({ ...pending, now: later(9) })).length, eventsOf(pending).length)
  const placed = `apiVersion: v1
kind: Pod
metadata: { name: bare }
spec: { nodeName: node-a, containers: [{ name: web, image: nginx }] }
`
  t.same(
    eventsOf(withStartEvents(cluster(placed), start)).map(({ reason }) => reason),
    ['Pulled', 'Created', 'Started'],
  )
  t.end()
})

t.test('repeated Events are counted and expire', (t) => {
  const before = { ...pass(cluster(deployment('web', 1))), now: start }
  const [pod] = before.pods
  if (pod === undefined) throw new Error('no pod')
  const unhealthy = (snapshot: Cluster, now: string) =>
    withRecorded({ ...snapshot, now }, [
      byKubelet(pod, 'web', { type: 'Warning', reason: 'Unhealthy', message: 'Readiness probe failed: x' }),
    ])
  const failed = unhealthy(unhealthy(before, start), later(20))
  t.match(eventsOf(failed), [
    {
      count: 2,
      firstTimestamp: start,
      lastTimestamp: later(20).replace('.000', ''),
      source: { host: 'node-a' },
    },
  ])
  const restarted = edited(failed, (one) => podRestarted(one, pod.metadata, 'web', later(30)), later(30))
  t.same(lines(restarted).slice(1), running)
  t.same(
    eventsOf(
      edited(restarted, (one) => podRestarted(one, pod.metadata, 'web', later(3625)), later(3625)),
    ).map(({ count }) => count),
    [2, 2, 2],
    'the first one is older than an hour',
  )
  t.end()
})

t.test('the API serves them with the uid of their object, and describe lists them', (t) => {
  const started = withStartEvents(cluster(deployment('web', 1)), start)
  const store = createStore(clusterObjects(started, { kernel: '6.1.0', since: new Date(start) }))
  const listed = (kind: string, group = '') => {
    const resource = resources.find((one) => one.kind === kind && one.group === group)
    return resource === undefined ? [] : store.list(resource)
  }
  const events = listed('Event') as RecordedEvent[]
  const [pod] = listed('Pod')
  if (pod === undefined) throw new Error('no pod')
  const own = events.filter(({ involvedObject }) => involvedObject.uid === pod.metadata.uid)
  t.same(
    own.map(({ reason }) => reason),
    ['Scheduled', 'Pulled', 'Created', 'Started'],
  )
  const text = describeObject(pod, [], own, new Date(later(60)))
  t.match(text, /Normal +Scheduled +60s +default-scheduler +Successfully assigned/)
  t.match(text, /Normal +Created +60s +kubelet +spec\.containers\{web\}: Container created/)
  t.end()
})
