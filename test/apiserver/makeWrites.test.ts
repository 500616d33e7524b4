import t from 'tap'
import type { ObjectWrite } from '../../src/apiserver/write/objectWrite.js'
import { foresee, reconcileLive } from '../../src/cluster/changes/index.js'
import { isEnding } from '../../src/cluster/pods/endPods.js'
import type { Cluster, Service } from '../../src/cluster/types.js'
import {
  cluster,
  deployment,
  refusals,
  service,
  twoNodes,
  written,
  applies,
  type Writes,
} from '../cluster/lab.js'

const now = '2026-01-02T03:04:05Z'
const web = { kind: 'Deployment', name: 'web' }
const svc = { kind: 'Service', name: 'web' }

function change(before: Cluster, made: Writes): { cluster: Cluster; said: readonly string[] } {
  return written(before, made, { ...twoNodes, now })
}

function applied(before: Cluster, text: string): { cluster: Cluster; said: readonly string[] } {
  return change(before, applies(text))
}

function after(before: Cluster, ...changes: Writes[]): Cluster {
  return changes.reduce((current, made) => foresee(change(current, made).cluster), before)
}

function onlyService(snapshot: Cluster): Service {
  const [found] = snapshot.services
  if (found === undefined) throw new Error('no Service')
  return found
}

const shop = deployment('web', 3) + service('web')

t.test('applying an unchanged manifest changes nothing', (t) => {
  const before = cluster(shop)
  const made = applied(before, shop)
  t.same(made.said, ['deployment.apps/web unchanged', 'service/web unchanged'])
  t.equal(made.cluster, before)
  t.end()
})

t.test('applying creates and configures', (t) => {
  const made = applied(cluster(shop), service('web', 'type: NodePort') + service('api'))
  t.same(made.said, ['service/web configured', 'service/api created'])
  t.equal(made.cluster.services[0]?.spec.ports?.[0]?.nodePort, 30086)
  t.end()
})

t.test('apply removes what only the last manifest of kubectl had, and notes the new one', (t) => {
  const key = 'kubectl.kubernetes.io/last-applied-configuration'
  const note = ({ metadata }: Service) => JSON.parse(metadata.annotations?.[key] ?? '{}') as unknown
  const written = (spec: object) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { annotations: {}, name: 'web', namespace: 'default' },
    spec,
  })
  const spec = { selector: { app: 'web' }, ports: [{ port: 80 }] }
  const more = { ...spec, externalIPs: ['192.0.2.1'] }
  const configured = after(cluster(service('web')), {
    verb: 'patch',
    ref: svc,
    patch: {
      metadata: { annotations: { [key]: JSON.stringify(written(more)) } },
      spec: { externalIPs: ['192.0.2.1'], publishNotReadyAddresses: true },
    },
  })
  const text = JSON.stringify({ ...written(spec), metadata: { name: 'web' } })
  const once = applied(configured, text)
  t.same(once.said, ['service/web configured'])
  const made = onlyService(once.cluster)
  t.equal(made.spec.externalIPs, undefined)
  t.equal(made.spec.publishNotReadyAddresses, true, 'no manifest had it')
  t.same(note(made), written(spec))
  t.same(applied(once.cluster, text).said, ['service/web unchanged'])
  const foreign = { [key]: 'no JSON' }
  const strange = after(configured, {
    verb: 'patch',
    ref: svc,
    patch: { metadata: { annotations: foreign } },
  })
  t.same(onlyService(applied(strange, text).cluster).spec.externalIPs, ['192.0.2.1'])
  t.end()
})

t.test('what a patch has added to a Service stays when its manifest is applied again', (t) => {
  const ports = [{ port: 80 }, { name: 'more', port: 90 }].map((port) => ({ name: 'web', ...port }))
  const text = service('web').replace('{ port: 80 }', '{ name: web, port: 80 }')
  const spec = { ports, externalIPs: ['192.0.2.1'] }
  const patched = after(cluster(text), { verb: 'patch', ref: svc, patch: { spec } })
  t.same(applied(patched, text).said, ['service/web unchanged'])
  const moved = onlyService(applied(patched, text.replace('port: 80', 'port: 81')).cluster)
  t.same(
    moved.spec.ports?.map(({ port }) => port),
    [90, 81],
  )
  t.same(moved.spec.externalIPs, ['192.0.2.1'])
  t.end()
})

t.test('an error in a merged object has the position of the manifest', (t) => {
  const named = service('web').replace('{ port: 80 }', '{ name: web, port: 80 }')
  const patch = {
    spec: {
      ports: [
        { name: 'web', port: 80 },
        { name: 'more', port: 90 },
      ],
    },
  }
  const patched = after(cluster(named), { verb: 'patch', ref: svc, patch })
  t.match(
    refusals(() => applied(patched, named.replace('name: web, port: 80', 'name: more, port: 80'))),
    [/^b.yaml:4.*Duplicate value: "more"/],
  )
  t.end()
})

t.test('scaled replicas are kept when no manifest states them', (t) => {
  const silent = deployment('web', 1).replace('  replicas: 1\n', '')
  const scaled = after(cluster(silent), { verb: 'scale', ref: web, replicas: 4 })
  t.same(applied(scaled, silent).said, ['deployment.apps/web unchanged'])
  const stated = applied(scaled, deployment('web', 2)).cluster
  t.equal(stated.deployments[0]?.spec.replicas, 2)
  t.equal(applied(stated, silent).cluster.deployments[0]?.spec.replicas, 1, 'stated no more: the default')
  t.end()
})

t.test('labels of other writers are kept, labels that a manifest no longer has are removed', (t) => {
  const text = (labels: string) => service('web').replace('{ name: web }', `{ name: web, labels: ${labels} }`)
  const before = change(cluster(text('{ a: "1", b: "2" }')), {
    verb: 'label',
    ref: svc,
    values: { own: 'x' },
  })
  t.same(before.said, ['service/web labeled'])
  t.same(onlyService(applied(before.cluster, text('{ a: "3" }')).cluster).metadata.labels, {
    own: 'x',
    a: '3',
  })
  t.end()
})

t.test('a Service changes its type and changes it back', (t) => {
  const before = cluster(service('web', 'type: NodePort'))
  const { clusterIP } = onlyService(before).spec
  const type = (spec: object): Writes => ({ verb: 'patch', ref: svc, patch: { spec } })
  const types = ['ClusterIP', 'NodePort', 'LoadBalancer', 'ClusterIP', 'LoadBalancer', 'NodePort']
  let current = before
  for (const one of types) {
    current = change(current, type({ type: one })).cluster
    const { spec } = onlyService(current)
    t.equal(spec.type, one)
    t.equal(spec.clusterIP, clusterIP, `${one} keeps the address`)
    t.equal(spec.ports?.[0]?.nodePort === undefined, one === 'ClusterIP', `${one} and its node port`)
    t.equal(spec.externalTrafficPolicy === undefined, one === 'ClusterIP')
    t.equal(spec.allocateLoadBalancerNodePorts, one === 'LoadBalancer' ? true : undefined)
  }
  const external = change(current, type({ type: 'ExternalName', externalName: 'example.com' })).cluster
  t.match(onlyService(external).spec, { type: 'ExternalName', clusterIP: undefined, ipFamilies: undefined })
  t.equal(onlyService(external).spec.ports?.[0]?.nodePort, undefined)
  const back = change(external, type({ type: 'ClusterIP', externalName: null })).cluster
  t.ok(onlyService(back).spec.clusterIP)
  t.end()
})

t.test('a node port that was released is free, one in use is not', (t) => {
  const text = service('web', 'type: NodePort').replace('port: 80 }', 'port: 80, nodePort: 30080 }')
  const before = cluster(text)
  const other = text.replace('{ name: web }', '{ name: other }')
  t.match(refusals(() => applied(before, other))[0], /provided port is already allocated/)
  const released = change(before, { verb: 'delete', ref: svc }).cluster
  t.equal(onlyService(applied(released, other).cluster).spec.ports?.[0]?.nodePort, 30080)
  t.end()
})

t.test('changes that the API server rejects', (t) => {
  const before = cluster(shop)
  const refused = (made: Writes) => refusals(() => change(before, made))[0]
  t.match(
    refused({ verb: 'scale', ref: { kind: 'Deployment', name: 'wbe' }, replicas: 1 }),
    /deployments.apps "wbe" not found/,
  )
  t.match(refused({ verb: 'scale', ref: web, replicas: -1 }), /greater than or equal to 0/)
  t.match(refused({ verb: 'scale', ref: svc, replicas: 1 }), /cannot be scaled/)
  t.match(
    refused({ verb: 'patch', ref: svc, patch: { spec: { clusterIP: '10.96.9.9', clusterIPs: null } } }),
    /spec.clusterIPs\[0\]: Invalid value: .*may not change once set/,
  )
  const { said } = change(before, { verb: 'patch', ref: svc, patch: { spec: { typ: 'NodePort' } } })
  t.same(said, ['Warning: unknown field "spec.typ"', 'service/web patched (no change)'])
  t.match(
    refused({ verb: 'label', ref: svc, values: { a: 'not a value' } }),
    /metadata.labels: Invalid value/,
  )
  const moved = deployment('web', 3).replaceAll('app: web', 'app: other')
  t.match(
    refusals(() => applied(before, moved))[0],
    /b\.yaml:6:\d+: The Deployment "web" is invalid: spec.selector: .*field is immutable/,
  )
  t.end()
})

t.test('deleting an object deletes its dependents', (t) => {
  const before = cluster(shop)
  const made = change(
    before,
    [web, svc].map((ref) => ({ verb: 'delete', ref })),
  )
  const marked = reconcileLive(made.cluster)
  t.equal(marked.endpointSlices.length, 0)
  t.equal(marked.replicaSets?.length, 0)
  t.equal(marked.pods.length, 3)
  t.ok(marked.pods.every(isEnding), 'pods are terminating')
  t.equal(foresee(marked).pods.length, 0)
  t.end()
})

t.test('a taint NoExecute evicts the pods that do not tolerate it', (t) => {
  const tolerant = `apiVersion: v1
kind: Pod
metadata: { name: stays }
spec:
  nodeName: node-a
  tolerations: [{ key: maintenance, operator: Exists, effect: NoExecute }]
  containers: [{ name: one, image: nginx }]
`
  const before = cluster(shop + tolerant)
  const taint = (effect: string): Writes => ({
    verb: 'patch',
    ref: { kind: 'Node', name: 'node-a' },
    patch: { spec: { taints: [{ key: 'maintenance', effect }] } },
  })
  const onNode = ({ pods }: Cluster) =>
    pods.filter(({ spec }) => spec.nodeName === 'node-a').map(({ metadata }) => metadata.name)
  t.ok(onNode(before).length > 1)
  t.same(onNode(after(before, taint('NoSchedule'))), onNode(before))
  const marked = change(before, taint('NoExecute')).cluster
  t.same(
    marked.pods.filter(isEnding).map(({ metadata }) => metadata.name),
    onNode(before).filter((name) => name !== 'stays'),
  )
  const next = after(before, taint('NoExecute'))
  t.same(onNode(next), ['stays'])
  t.equal(next.pods.length, before.pods.length, 'others are created on the other node')
  t.end()
})

t.test('new pods get other names and addresses than deleted ones', (t) => {
  const before = cluster(shop)
  const old = before.pods.map(({ metadata, status }) => [metadata.name, status?.podIP]).flat()
  const next = after(before, { verb: 'restart', ref: web })
  t.equal(next.pods.length, 3)
  for (const { metadata, status } of next.pods) {
    t.notOk(old.includes(metadata.name))
    t.notOk(old.includes(status?.podIP))
  }
  t.end()
})

t.test('a pod that loses its label is released, and another is created', (t) => {
  const before = cluster(shop)
  const name = before.pods[0]?.metadata.name ?? ''
  const next = after(before, { verb: 'label', ref: { kind: 'Pod', name }, values: { app: 'debug' } })
  t.equal(next.pods.length, 4)
  const orphan = next.pods.find(({ metadata }) => metadata.name === name)
  t.equal(orphan?.metadata.ownerReferences, undefined)
  t.equal(next.endpointSlices[0]?.endpoints.length, 3)
  const adopted = after(next, { verb: 'label', ref: { kind: 'Pod', name }, values: { app: 'web' } })
  t.equal(adopted.pods.length, 3, 'it is taken on again, and one is too many')
  t.end()
})

const ingressClass = (name: string, controller = 'a.example/c') => `apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: ${name}, annotations: { ingressclass.kubernetes.io/is-default-class: 'true' } }
spec: { controller: ${controller} }
---
`
const ingress = (name: string, more = '') => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: ${name}, namespace: shop }
spec: { defaultBackend: { service: { name: web, port: { number: 80 } } }${more} }
status: { loadBalancer: { ingress: [{ ip: 192.0.2.9 }] } }
---
`

t.test('an Ingress has only the status of its controller, and keeps its age', (t) => {
  const before = cluster(service('web') + ingressClass('first') + ingress('old'))
  const made = applied(before, ingress('young'))
  t.same(made.said, ['ingress.networking.k8s.io/young created'])
  const [old, young] = made.cluster.ingresses ?? []
  t.equal(old?.metadata.creationTimestamp, undefined, 'objects from the start of the lab are the oldest')
  t.equal(young?.metadata.creationTimestamp, now)
  t.equal(young?.status, undefined)
  t.equal(young?.spec.ingressClassName, 'first')
  const again = applied(made.cluster, ingress('young'))
  t.same(again.said, ['ingress.networking.k8s.io/young unchanged'])
  t.equal(again.cluster, made.cluster)
  const without = change(made.cluster, { verb: 'delete', ref: { kind: 'Namespace', name: 'shop' } })
  t.same(without.cluster.ingresses, [], 'they are deleted with their namespace')
  t.end()
})

t.test('a class keeps its controller', (t) => {
  const before = cluster(ingressClass('first'))
  t.match(
    refusals(() => applied(before, ingressClass('first', 'b.example/c')))[0],
    /b\.yaml:4:\d+: The IngressClass "first" is invalid: spec.controller: Invalid value: "b.example\/c": field is immutable/,
  )
  t.match(
    refusals(() => cluster(ingress('a') + ingress('a')))[0],
    /ingresses\.networking\.k8s\.io "a" already exists/,
  )
  t.end()
})

t.test('a Namespace and an object in it are deleted together', (t) => {
  const before = cluster(
    'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n---\n' +
      service('web').replace('name: web', 'name: web, namespace: shop'),
  )
  const both = [
    { kind: 'Namespace', name: 'shop' },
    { kind: 'Service', namespace: 'shop', name: 'web' },
  ]
  const made = change(
    before,
    both.map((ref) => ({ verb: 'delete', ref })),
  )
  t.same(made.said, ['namespace "shop" deleted', 'service "web" deleted from shop namespace'])
  t.same(made.cluster.services, [])
  t.end()
})

t.test('a manifest that is too long for the annotation of kubectl is applied without it', (t) => {
  const config = (value: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: long }\ndata: { a: ${value} }\n`
  const made = after(
    cluster(shop),
    applies(config('x'.repeat(300_000))),
    applies(config('y'.repeat(300_000))),
  )
  t.match(made.configMaps, [{ metadata: { annotations: undefined }, data: { a: /^y+$/ } }])
  t.end()
})

t.test('one invalid write of several changes nothing', (t) => {
  const before = cluster(shop)
  const label = (value: string): ObjectWrite => ({ verb: 'label', ref: svc, values: { a: value } })
  t.match(refusals(() => change(before, [label('b'), label('not a value')]))[0], /a valid label must be/)
  const dry = change(before, { ...label('b'), dryRun: true })
  t.equal(dry.cluster, before)
  t.end()
})

t.test('a patch of each type: lists are merged by a key, replaced, or changed by operations', (t) => {
  const before = cluster(
    service('web').replace('{ port: 80 }', '{ name: a, port: 80 }, { name: b, port: 81 }'),
  )
  const portsAfter = (type: 'strategic' | 'merge' | 'json' | undefined, patch: unknown) =>
    onlyService(change(before, [{ verb: 'patch', ref: svc, patch, type }]).cluster).spec.ports?.map(
      ({ name, port, targetPort }) => `${name} ${port} ${targetPort}`,
    )
  const ports = { spec: { ports: [{ name: 'a', port: 80, targetPort: 8080 }] } }
  t.same(portsAfter('strategic', ports), ['a 80 8080', 'b 81 81'])
  t.same(portsAfter('merge', ports), ['a 80 8080'])
  t.same(portsAfter(undefined, ports), ['a 80 8080'])
  const operations = [{ op: 'replace', path: '/spec/ports/1/targetPort', value: 8080 }]
  t.same(portsAfter('json', operations), ['a 80 80', 'b 81 8080'])
  const refused = (type: 'strategic' | 'json', patch: unknown) => refusals(() => portsAfter(type, patch))
  t.match(refused('json', [{ op: 'remove', path: '/spec/nothing' }]), [/nothing/])
  t.match(refused('json', [{ op: 'replace', path: '/metadata/name', value: 'x' }]), [
    /does not match the name/,
  ])
  t.match(refused('strategic', { metadata: { name: 'x' } }), [/does not match the name/])
  t.match(refused('strategic', [1]), [/a patch is a mapping/])
  t.end()
})
