import t from 'tap'
import { clusterObjects, fromApi } from '../../src/apiserver/clusterObjects.js'
import { createStore } from '../../src/apiserver/store.js'
import { pod as podKind } from '../../src/cluster/kinds/pod.js'
import { revisionHash, templateHash } from '../../src/cluster/templateHash/templateHash.js'
import type { Cluster, Deployment, KubeObject, Pod, StatefulSet } from '../../src/cluster/types.js'
import { node, pod, slice, web } from './objects.js'

const owned = (name: string, kind: string, owner: string, ready = true): Pod => {
  const base = pod(name, 'node-a')
  const ownerReferences = [{ apiVersion: 'apps/v1', kind, name: owner }]
  const conditions = [{ type: 'Ready', status: ready ? ('True' as const) : ('False' as const) }]
  return { ...base, metadata: { ...base.metadata, ownerReferences }, status: { ...base.status, conditions } }
}
const deployment: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'lab' },
  spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template: { spec: { containers: [] } } },
}
const cluster: Cluster = {
  nodes: [node('node-a', '172.18.0.2')],
  namespaces: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lab', labels: { team: 'x' } } }],
  deployments: [deployment],
  pods: [
    owned('web-7d4b-1', 'ReplicaSet', 'web-7d4b'),
    owned('web-7d4b-2', 'ReplicaSet', 'web-7d4b', false),
    owned('web-x', 'Deployment', 'web'),
    owned('web-api-7d4b-1', 'ReplicaSet', 'web-api-7d4b'),
  ],
  services: [web, { ...web, metadata: { name: 'web', namespace: 'shop' } }],
  endpointSlices: [slice('web-abcde', { 'kubernetes.io/service-name': 'web' }, ['10.244.1.3'])],
}
const objects = clusterObjects(cluster, { kernel: '6.1.0', since: new Date('2026-11-21T00:00:00Z') })
const find = (kind: string, name: string): KubeObject | undefined =>
  objects.find((object) => object.kind === kind && object.metadata.name === name)

void t.test('every object is served', (t) => {
  t.doesNotThrow(() => createStore(objects))
  t.end()
})

void t.test('nodes are ready and keep their own fields', (t) => {
  t.match(find('Node', 'node-a'), {
    status: {
      addresses: [{ type: 'InternalIP', address: '172.18.0.2' }],
      conditions: [{ type: 'Ready', status: 'True' }],
      nodeInfo: { kernelVersion: '6.1.0' },
    },
  })
  t.end()
})

void t.test('containers have the state of their pod', (t) => {
  t.match(find('Pod', 'web-x'), {
    status: {
      podIP: '10.244.1.3',
      containerStatuses: [{ ready: true, state: { running: { startedAt: '2026-11-21T00:00:00Z' } } }],
    },
  })
  t.match(find('Pod', 'web-7d4b-2'), { status: { containerStatuses: [{ ready: false }] } })
  t.end()
})

void t.test('a pod whose containers do not run yet is pending', (t) => {
  const { status: _status, ...waiting } = pod('waiting', 'node-a')
  const { nodeName: _node, ...spec } = waiting.spec
  const unscheduled = { ...waiting, spec, metadata: { ...waiting.metadata, name: 'unscheduled' } }
  const shown = clusterObjects(
    { ...cluster, pods: [waiting, unscheduled] },
    { kernel: '6.1.0', since: new Date(0) },
  ).filter(({ kind }) => kind === 'Pod')
  t.match(shown[0], {
    status: {
      phase: 'Pending',
      containerStatuses: [{ ready: false, state: { waiting: { reason: 'ContainerCreating' } } }],
    },
  })
  t.strictSame(
    (shown[1] as Pod).status,
    { phase: 'Pending', qosClass: 'BestEffort' },
    'no kubelet reports it',
  )
  const statusColumn = podKind.columns.find(({ name }) => name === 'Status')
  t.same(
    shown.map((one) => statusColumn?.cell(one, new Date(0))),
    ['ContainerCreating', 'Pending'],
  )
  t.end()
})

void t.test('a Deployment counts its own pods', (t) => {
  t.match(find('Deployment', 'web'), {
    status: { replicas: 3, updatedReplicas: 3, readyReplicas: 2, availableReplicas: 2 },
  })
  t.end()
})

void t.test('the default namespaces exist, and each namespace of the cluster once', (t) => {
  const names = objects.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name)
  t.same(names, ['lab', 'default', 'kube-node-lease', 'kube-public', 'kube-system', 'shop'])
  t.same(find('Namespace', 'lab')?.metadata.labels, { 'kubernetes.io/metadata.name': 'lab', team: 'x' })
  t.end()
})

void t.test('workloads count pods that are not terminating, and those of the newest template', (t) => {
  const template = { metadata: { labels: { app: 'db' } }, spec: { containers: [] } }
  const spec = { selector: { matchLabels: { app: 'db' } }, template }
  const hash = templateHash(template)
  const statefulSet: StatefulSet = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'lab' },
    spec,
  }
  const of = (name: string, kind: string, owner: string, labels: Record<string, string>): Pod => {
    const made = owned(name, kind, owner)
    const ownerReferences = [{ apiVersion: 'apps/v1', kind, name: owner, controller: true }]
    return { ...made, metadata: { ...made.metadata, labels, ownerReferences } }
  }
  const ending = of('db-2', 'StatefulSet', 'db', {})
  ending.metadata.deletionTimestamp = '2026-11-21T00:00:00Z'
  const meta = (name: string) => ({ name, namespace: 'lab' })
  const served = clusterObjects(
    {
      ...cluster,
      replicaSets: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: meta('web-7d4b'), spec }],
      statefulSets: [statefulSet],
      daemonSets: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: meta('agent'), spec }],
      configMaps: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: meta('page'), data: { a: 'b' } }],
      pods: [
        of('web-7d4b-1', 'ReplicaSet', 'web-7d4b', { 'pod-template-hash': 'old' }),
        of('db-0', 'StatefulSet', 'db', { 'controller-revision-hash': `db-${revisionHash(statefulSet)}` }),
        of('db-1', 'StatefulSet', 'db', { 'controller-revision-hash': 'db-old' }),
        ending,
        of('agent-1', 'DaemonSet', 'agent', { 'controller-revision-hash': hash }),
      ],
    },
    { kernel: '6.1.0', since: new Date(0) },
  )
  const statusOf = (kind: string) =>
    (served.find((object) => object.kind === kind) as { status?: object } | undefined)?.status
  t.match(statusOf('Deployment'), { replicas: 1, updatedReplicas: undefined })
  t.match(statusOf('ReplicaSet'), { replicas: 1, readyReplicas: 1 })
  // Of a StatefulSet terminating pods count too, except in its revisions.
  t.match(statusOf('StatefulSet'), { replicas: 3, readyReplicas: 3, updatedReplicas: 1 })
  t.match(statusOf('DaemonSet'), { desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberReady: 1 })
  t.ok(served.some(({ kind }) => kind === 'ConfigMap'))
  t.doesNotThrow(() => createStore(served))
  t.end()
})

t.test(
  'a slice without endpoints and ports has null lists in the API, and empty ones when it is read',
  async (t) => {
    const empty = { ...slice('web-abcde', {}, []), endpoints: [], ports: [] }
    const only = {
      nodes: [],
      namespaces: [],
      deployments: [],
      pods: [],
      services: [],
      endpointSlices: [empty],
    }
    const [shown] = clusterObjects(only, { kernel: '6.1.0', since: new Date(0) }).filter(
      ({ kind }) => kind === 'EndpointSlice',
    )
    t.match(shown, { endpoints: null, ports: null })
    t.same(shown && fromApi(shown), empty)
  },
)
