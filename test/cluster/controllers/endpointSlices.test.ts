import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { collectGarbage } from '../../../src/cluster/controllers/garbageCollector.js'
import { reconcileEndpointSlices } from '../../../src/cluster/controllers/endpointSlices.js'
import { zoneLabel } from '../../../src/cluster/nodes.js'
import type { Cluster, ContainerPort, EndpointSlice, Node, Pod, Service } from '../../../src/cluster/types.js'

interface RecordedPod {
  name: string
  nodeName: string
  hostNetwork?: boolean
  ports: ContainerPort[]
  podIPs: string[]
  phase: 'Running' | 'Succeeded' | 'Failed'
  ready: boolean
  terminating: boolean
}

interface Recording {
  about: string
  services: { name: string; spec: Service['spec'] }[]
  pods: RecordedPod[] | '250 ready pods'
  slices: Record<string, unknown>[]
}

const recordings = parse(
  readFileSync('test/golden/api-server-1.36/endpointslices.yaml', 'utf8'),
) as Recording[]

const nodes = ['a', 'b'].map((letter): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: `node-${letter}`, labels: { [zoneLabel]: `zone-${letter}` } },
}))

function toPod(recorded: RecordedPod): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: recorded.name,
      namespace: 'lab',
      labels: { app: 'web' },
      ...(recorded.terminating ? { deletionTimestamp: '2026-11-21T00:00:00Z' } : {}),
    },
    spec: {
      containers: [{ name: 'web', image: 'nginx', ports: recorded.ports }],
      nodeName: recorded.nodeName,
    },
    status: {
      phase: recorded.phase,
      podIPs: recorded.podIPs.map((ip) => ({ ip })),
      conditions: [{ type: 'Ready', status: recorded.ready ? 'True' : 'False' }],
    },
  }
}

function toCluster(services: Recording['services'], pods: readonly Pod[]): Cluster {
  return {
    nodes,
    namespaces: [],
    deployments: [],
    pods,
    services: services.map(({ name, spec }) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'lab' },
      spec,
    })),
    endpointSlices: [],
  }
}

function readyPods(count: number): RecordedPod[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `web-${index}`,
    nodeName: 'node-a',
    ports: [],
    podIPs: [`10.244.${1 + (index >> 7)}.${2 + (index & 127)}`],
    phase: 'Running' as const,
    ready: true,
    terminating: false,
  }))
}

/** A slice in the format of the recording: no suffix, no namespaces, endpoints by address. */
function recorded(slice: EndpointSlice): Record<string, unknown> {
  const { metadata, addressType, ports, endpoints } = slice
  return {
    name: metadata.name.replace(/-[a-z0-9]{5}$/, '-xxxxx'),
    labels: metadata.labels,
    addressType,
    ports: ports ?? null,
    endpoints: endpoints
      .map(({ targetRef, ...endpoint }) => ({
        ...endpoint,
        targetRef: { kind: targetRef?.kind, name: targetRef?.name },
      }))
      .sort((a, b) => (String(a.addresses[0]) < String(b.addresses[0]) ? -1 : 1)),
  }
}

/** The controller's slices have random names, so their order has no meaning. */
function sorted(slices: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  const key = (slice: Record<string, unknown>): string =>
    JSON.stringify([slice['addressType'], slice['ports']])
  return [...slices].sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

t.equal(recordings.length, 18)
for (const { about, services, pods, slices } of recordings)
  t.test(about, (t) => {
    const made = reconcileEndpointSlices(
      toCluster(services, (Array.isArray(pods) ? pods : readyPods(250)).map(toPod)),
    ).endpointSlices
    if (Array.isArray(pods)) t.same(sorted(made.map(recorded)), sorted(slices))
    else
      t.same(
        made.map((slice) => slice.endpoints.length),
        slices.map((slice) => slice['endpoints']),
      )
    t.equal(new Set(made.map((slice) => slice.metadata.name)).size, made.length, 'names are unique')
    t.end()
  })

t.test('a settled snapshot is returned unchanged', (t) => {
  const [recording] = recordings
  const pods = (recording?.pods as RecordedPod[]).map(toPod)
  const once = reconcileEndpointSlices(toCluster(recording?.services ?? [], pods))
  t.equal(reconcileEndpointSlices(once), once)
  t.end()
})

t.test('a changed slice has the time when the first of the changed pods became ready or not', (t) => {
  const services = [{ name: 'web', spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }]
  const at = (pod: Pod, status: 'True' | 'False', lastTransitionTime: string): Pod => ({
    ...pod,
    status: { ...pod.status, conditions: [{ type: 'Ready', status, lastTransitionTime }] },
  })
  const [a, b, c] = readyPods(3).map(toPod) as [Pod, Pod, Pod]
  const key = 'endpoints.kubernetes.io/last-change-trigger-time'
  const timeOf = ({ endpointSlices: [slice] }: Cluster) => slice?.metadata.annotations?.[key]
  const minute = (number: number) => `2026-01-01T00:0${number}:00Z`
  const first = reconcileEndpointSlices(toCluster(services, [at(a, 'True', minute(1))]))
  const two = {
    ...first,
    pods: [at(a, 'True', minute(1)), at(b, 'True', minute(3)), at(c, 'True', minute(2))],
  }
  const grown = reconcileEndpointSlices(two)
  t.equal(timeOf(grown), minute(2), 'not that of the pod which it had')
  const failing = { ...grown, pods: [at(a, 'False', minute(4)), ...grown.pods.slice(1)] }
  t.equal(timeOf(reconcileEndpointSlices(failing)), minute(4))
  t.equal(
    timeOf(reconcileEndpointSlices({ ...grown, pods: grown.pods.slice(1) })),
    undefined,
    'a pod is gone',
  )
  t.end()
})

t.test('endpoints stay in their slice; new ones fill the slice that changes', (t) => {
  const services = [{ name: 'web', spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }]
  const before = reconcileEndpointSlices(toCluster(services, readyPods(150).map(toPod)))
  const without = before.pods.filter((pod) => pod.metadata.name !== 'web-3')
  const extra = readyPods(151).slice(150).map(toPod)
  const after = reconcileEndpointSlices({ ...before, pods: [...without, ...extra] })
  t.same(
    after.endpointSlices.map((slice) => [slice.metadata.name, slice.endpoints.length]),
    before.endpointSlices.map((slice) => [slice.metadata.name, slice.endpoints.length]),
  )
  const names = after.endpointSlices[0]?.endpoints.map((endpoint) => endpoint.targetRef?.name) ?? []
  t.notOk(names.includes('web-3'))
  t.ok(names.includes('web-150'))
  t.end()
})

t.test(
  'one new endpoint goes to the fullest slice with room; slices of a deleted Service go with it',
  (t) => {
    const services = [{ name: 'web', spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }]
    const before = reconcileEndpointSlices(toCluster(services, readyPods(120).map(toPod)))
    const after = reconcileEndpointSlices({ ...before, pods: readyPods(121).map(toPod) })
    t.same(
      after.endpointSlices.map((slice) => slice.endpoints.length),
      [100, 21],
    )
    t.equal(after.endpointSlices[0], before.endpointSlices[0])
    t.same(collectGarbage({ ...after, services: [] }).endpointSlices, [])
    t.end()
  },
)

t.test('slices of other writers are not changed', (t) => {
  const own: EndpointSlice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'web-1', namespace: 'lab', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['192.0.2.7'] }],
    ports: [{ name: '', port: 80, protocol: 'TCP' }],
  }
  const cluster = {
    ...toCluster([{ name: 'web', spec: { ports: [{ port: 80 }] } }], []),
    endpointSlices: [own],
  }
  t.equal(reconcileEndpointSlices(cluster), cluster)
  t.end()
})

const web = { name: 'web', spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }

t.test('labels of a Service are copied, except those that the controller sets itself', (t) => {
  const start = toCluster([web], [])
  const [service] = start.services
  const labels = {
    tier: 'front',
    'service.kubernetes.io/headless': '',
    'kubernetes.io/service-name': 'other',
  }
  const services = service === undefined ? [] : [{ ...service, metadata: { ...service.metadata, labels } }]
  t.same(reconcileEndpointSlices({ ...start, services }).endpointSlices[0]?.metadata.labels, {
    tier: 'front',
    'kubernetes.io/service-name': 'web',
    'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
  })
  t.end()
})

t.test('a slice with other ports keeps the name of the one that it replaces', (t) => {
  const empty = reconcileEndpointSlices(toCluster([web], []))
  const filled = reconcileEndpointSlices({ ...empty, pods: readyPods(1).map(toPod) })
  const { services } = toCluster([{ ...web, spec: { ...web.spec, ports: [{ port: 81 }] } }], [])
  const moved = reconcileEndpointSlices({ ...filled, services })
  t.same(
    [empty, filled, moved].map(({ endpointSlices }) => endpointSlices.map(({ ports }) => ports?.[0]?.port)),
    [[undefined], [80], [81]],
  )
  const names = [empty, filled, moved].flatMap(({ endpointSlices }) =>
    endpointSlices.map(({ metadata }) => metadata.name),
  )
  t.equal(new Set(names).size, 1)
  t.end()
})

t.test('hints by zone replace those for trafficDistribution, and end with the annotation', (t) => {
  const pods = readyPods(4).map((pod, index) => toPod({ ...pod, nodeName: index < 2 ? 'node-a' : 'node-b' }))
  const start = toCluster([{ ...web, spec: { ...web.spec, trafficDistribution: 'PreferSameNode' } }], pods)
  const sized = nodes.map((node) => ({ ...node, status: { allocatable: { cpu: '4' } } }))
  const annotated = (mode: string) =>
    start.services.map((service) => ({
      ...service,
      metadata: { ...service.metadata, annotations: { 'service.kubernetes.io/topology-mode': mode } },
    }))
  const auto = reconcileEndpointSlices({ ...start, nodes: sized, services: annotated('Auto') })
  const hints = ({ endpointSlices }: Cluster) =>
    endpointSlices[0]?.endpoints.map((endpoint) => JSON.stringify(endpoint.hints))
  const ofZone = (zone: string) => `{"forZones":[{"name":"${zone}"}]}`
  t.same(hints(auto), [ofZone('zone-a'), ofZone('zone-a'), ofZone('zone-b'), ofZone('zone-b')])
  t.match(hints(reconcileEndpointSlices({ ...auto, services: annotated('Disabled') }))?.[0], 'forNodes')
  t.end()
})
