import t from 'tap'
import { deployment, service } from '../cluster/lab.js'
import { writableLab } from './writableLab.js'

const web = '/api/v1/namespaces/default/services/web'
const app = '/apis/apps/v1/namespaces/default/deployments/web'
const json = 'application/json-patch+json'
const merge = 'application/merge-patch+json'
const strategic = 'application/strategic-merge-patch+json'
const apply = 'application/apply-patch+yaml'

interface Patched {
  metadata: {
    labels?: Record<string, string>
    managedFields?: { manager: string; operation: string; fieldsV1: unknown }[]
  }
  spec: {
    ports: { name?: string; port: number; nodePort?: number }[]
    replicas?: number
    strategy?: { type: string; rollingUpdate?: unknown }
    template: { spec: { containers: { name: string; image: string; env?: { name: string }[] }[] } }
  }
}

void t.test('JSON patches', async (t) => {
  const lab = await writableLab(t, service('web'))
  const patch = (...operations: object[]) => lab.send('PATCH', web, operations, json)
  const added = await patch(
    { op: 'test', path: '/spec/ports/0/port', value: 80 },
    { op: 'add', path: '/metadata/labels', value: { 'a/b': '1' } },
    { op: 'add', path: '/spec/ports/-', value: { name: 'b', port: 81 } },
    { op: 'add', path: '/spec/ports/0/name', value: 'a' },
    { op: 'copy', from: '/metadata/labels/a~1b', path: '/metadata/labels/c' },
    { op: 'move', from: '/metadata/labels/c', path: '/metadata/labels/d' },
  )
  t.equal(added.code, 200, added.text)
  t.match(added.json, { metadata: { labels: { 'a/b': '1', d: '1' } } })
  t.match((added.json as Patched).spec.ports, [
    { name: 'a', port: 80 },
    { name: 'b', port: 81 },
  ])
  const removed = await patch(
    { op: 'remove', path: '/spec/ports/0' },
    { op: 'replace', path: '/metadata/labels', value: { only: '1' } },
  )
  t.same((removed.json as Patched).metadata.labels, { only: '1' })
  t.equal((removed.json as Patched).spec.ports.length, 1)
  for (const operation of [
    { op: 'test', path: '/spec/ports/0/port', value: 1 },
    { op: 'remove', path: '/spec/none' },
    { op: 'add', path: '/spec/ports/7', value: {} },
  ])
    t.match((await patch(operation)).json, {
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
    })
  for (const bad of [
    { op: 'sort', path: '/spec' },
    { op: 'add', path: 'spec', value: 1 },
  ])
    t.equal((await patch(bad)).code, 422)
  t.equal((await lab.send('PATCH', web, {}, json)).code, 400)
  t.equal((await lab.send('PATCH', web, {}, 'application/json')).code, 415)
})

void t.test('merge patches, and the version that they require', async (t) => {
  const lab = await writableLab(t, service('web'))
  const patched = await lab.send('PATCH', web, { metadata: { labels: { a: '1', b: null } } }, merge)
  t.same((patched.json as Patched).metadata.labels, { a: '1' })
  const stale = await lab.send('PATCH', web, { metadata: { resourceVersion: '1' } }, merge)
  t.match(stale.json, { code: 409, reason: 'Conflict' })
  const renamed = await lab.send('PATCH', web, { metadata: { name: 'api' } }, merge)
  t.equal(renamed.code, 400)
  const invalid = await lab.send('PATCH', web, { spec: { type: 'Nope' } }, merge)
  t.match(invalid.json, { code: 422, details: { causes: [{ field: 'spec.type' }] } })
})

void t.test('a uid is immutable in a patch, and a precondition of an update', async (t) => {
  const lab = await writableLab(t, service('web'))
  const uid = '00000000-0000-0000-0000-000000000000'
  const patched = await lab.send('PATCH', web, { metadata: { uid } }, merge)
  const detail = `Invalid value: "${uid}": field is immutable`
  t.match(patched.json, {
    code: 422,
    reason: 'Invalid',
    message: `Service "web" is invalid: metadata.uid: ${detail}`,
    details: {
      name: 'web',
      kind: 'Service',
      causes: [{ reason: 'FieldValueInvalid', field: 'metadata.uid', message: detail }],
    },
  })
  const { json: now } = await lab.send('GET', web)
  const { metadata, ...fields } = now as { metadata: { uid: string } }
  t.equal((await lab.send('PATCH', web, { metadata: { uid: metadata.uid } }, merge)).code, 200)
  const updated = await lab.send('PUT', web, { ...fields, metadata: { ...metadata, uid } })
  t.match(updated.json, {
    code: 409,
    reason: 'Conflict',
    message: /Precondition failed: UID in precondition/,
  })
})

void t.test('a new object is refused for all that is wrong with it', async (t) => {
  const lab = await writableLab(t, service('web'))
  const answer = await lab.send('POST', '/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', annotations: { 'kubernetes.io/ingress.class': 'b' } },
    spec: { ingressClassName: 'A_', defaultBackend: { service: { name: 'a', port: { number: 80 } } } },
  })
  t.match(answer.json, {
    code: 422,
    details: {
      causes: [{ field: 'spec.ingressClassName' }, { field: 'annotations.kubernetes.io/ingress.class' }],
    },
  })
})

void t.test('strategic merge patches', async (t) => {
  const lab = await writableLab(t, service('web') + deployment('web', 1))
  const send = async (path: string, patch: object) => {
    const answer = await lab.send('PATCH', path, patch, strategic)
    t.equal(answer.code, 200, answer.text)
    return (answer.json as Patched).spec
  }
  const containers = async (...patch: object[]) =>
    (await send(app, { spec: { template: { spec: { containers: patch } } } })).template.spec.containers
  const env = [{ name: 'A', value: '1' }]
  t.match(await containers({ name: 'web', image: 'nginx:2', env }), [{ name: 'web', image: 'nginx:2', env }])
  t.match(await containers({ name: 'side', image: 'x' }), [{ name: 'web', env }, { name: 'side' }])
  const { ports } = await send(web, {
    spec: {
      $setElementOrder: undefined,
      '$setElementOrder/ports': [{ port: 81 }, { port: 80 }],
      ports: [
        { port: 80, name: 'a' },
        { port: 81, name: 'b' },
      ],
    },
  })
  t.same(
    ports.map(({ port }) => port),
    [81, 80],
  )
  t.match(await containers({ name: 'web', env: [{ name: 'A', $patch: 'delete' }] }), [
    { name: 'web', image: 'nginx:2' },
    { name: 'side' },
  ])
  t.match(await containers({ name: 'side', $patch: 'delete' }), [{ name: 'web' }])
  const left = await send(web, { spec: { ports: [{ port: 81, $patch: 'delete' }] } })
  t.equal(left.ports.length, 1)
  const recreated = await send(app, {
    spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
  })
  t.equal(recreated.strategy?.type, 'Recreate')
  const replaced = await send(web, { spec: { ports: [{ $patch: 'replace' }, { port: 90 }] } })
  t.match(replaced.ports, [{ port: 90 }])
  const unkeyed = await lab.send('PATCH', web, { spec: { ports: [{ name: 'x' }] } }, strategic)
  t.match(unkeyed.json, { code: 500, message: /does not contain declared merge key: port/ })
})

const manifest = (replicas: number, labels: object = { team: 'a' }) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'new', labels },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'new' } },
    template: {
      metadata: { labels: { app: 'new' } },
      spec: { containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }] },
    },
  },
})

void t.test('server-side apply creates, updates, removes and conflicts', async (t) => {
  const lab = await writableLab(t, service('web'))
  const path = app.replace(/web$/, 'new')
  const send = (body: unknown, query: string) => lab.send('PATCH', `${path}?${query}`, body, apply)
  const created = await send(manifest(1), 'fieldManager=one')
  t.equal(created.code, 201, created.text)
  t.match((created.json as Patched).metadata.managedFields, [{ manager: 'one', operation: 'Apply' }])
  t.equal((await send(manifest(1), '')).code, 422, 'the manager is required')

  const unlabelled = await send(manifest(2, {}), 'fieldManager=one')
  t.equal(unlabelled.code, 200, unlabelled.text)
  t.equal(
    (unlabelled.json as Patched).metadata.labels,
    undefined,
    'a field that is not applied again is removed',
  )

  const conflict = await send(manifest(3, { b: '1' }), 'fieldManager=two')
  t.match(conflict.json, {
    code: 409,
    reason: 'Conflict',
    message: 'Apply failed with 1 conflict: conflict with "one" using apps/v1: .spec.replicas',
    details: {
      causes: [
        {
          reason: 'FieldManagerConflict',
          message: 'conflict with "one" using apps/v1',
          field: '.spec.replicas',
        },
      ],
    },
  })
  const forced = await send(manifest(3, { b: '1' }), 'fieldManager=two&force=true')
  t.match(forced.json, { metadata: { labels: { b: '1' } }, spec: { replicas: 3 } })
  const shared = await send(manifest(3, {}), 'fieldManager=one')
  t.match(shared.json, { metadata: { labels: { b: '1' } } }, 'the field of another manager stays')

  await lab.send('PATCH', `${path}/scale?fieldManager=three`, { spec: { replicas: 4 } }, merge)
  const scaled = await send(manifest(3, {}), 'fieldManager=one')
  t.match(scaled.json, {
    message:
      'Apply failed with 1 conflict: conflict with "three" with subresource "scale" using apps/v1: .spec.replicas',
  })
  const yaml =
    'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { ports: [{ port: 81, name: b }] }'
  const added = await lab.send('PATCH', `${web}?fieldManager=one`, yaml, apply)
  t.match(added.json, { code: 422 }, 'two ports need names')
  const named = yaml.replace('port: 81, name: b', 'port: 80, name: a')
  t.match((await lab.send('PATCH', `${web}?fieldManager=one`, named, apply)).json, {
    spec: { ports: [{ name: 'a', port: 80 }], selector: { app: 'web' } },
  })
})

void t.test('who writes the status manages its fields by the subresource', async (t) => {
  const lab = await writableLab(t, service('web'))
  const status = `${web}/status`
  const body = (ip: string) => ({ status: { loadBalancer: { ingress: [{ ip }] } } })
  const fieldsV1 = { 'f:status': { 'f:loadBalancer': { 'f:ingress': {} } } }
  const labelled = { metadata: { labels: { a: 'b' } }, ...body('192.0.2.1') }
  const patched = await lab.send('PATCH', `${status}?fieldManager=one`, labelled, merge)
  t.match((patched.json as Patched).metadata.managedFields, [
    { manager: 'one', operation: 'Update', subresource: 'status', fieldsV1 },
  ])
  t.equal((patched.json as Patched).metadata.managedFields?.length, 1, 'the label is not written')

  const manifest = (ip: string) => ({
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } },
    ...body(ip),
  })
  const refused = await lab.send('PATCH', `${status}?fieldManager=two`, manifest('192.0.2.2'), apply)
  t.match(refused.json, {
    code: 409,
    message:
      'Apply failed with 1 conflict: conflict with "one" with subresource "status" using v1: .status.loadBalancer.ingress',
  })
  const forced = await lab.send(
    'PATCH',
    `${status}?fieldManager=two&force=true`,
    manifest('192.0.2.2'),
    apply,
  )
  t.match(forced.json, body('192.0.2.2'))
  t.match((forced.json as Patched).metadata.managedFields, [
    { manager: 'two', operation: 'Apply', subresource: 'status', fieldsV1 },
  ])
})

void t.test(
  'who creates an object manages its defaults, and not what the API server adds later',
  async (t) => {
    const lab = await writableLab(t, service('web'))
    const post = async (path: string, body: unknown) => {
      const { json, text } = await lab.send('POST', `${path}?fieldManager=one`, body)
      const [entry, ...others] = (json as Patched).metadata.managedFields ?? []
      t.strictSame(others, [], text)
      return entry?.fieldsV1 as { 'f:spec': Record<string, unknown> }
    }
    const { replicas: _replicas, ...spec } = manifest(1).spec
    const deployment = await post(app.replace(/\/web$/, ''), { ...manifest(1), spec })
    t.match(deployment['f:spec'], {
      'f:replicas': {},
      'f:progressDeadlineSeconds': {},
      'f:strategy': { 'f:type': {}, 'f:rollingUpdate': { 'f:maxSurge': {} } },
      'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': { 'f:imagePullPolicy': {} } } } },
    })
    const conflict = await lab.send(
      'PATCH',
      `${app.replace(/web$/, 'new')}?fieldManager=two`,
      manifest(3),
      apply,
    )
    t.match(conflict.json, {
      message: 'Apply failed with 1 conflict: conflict with "one" using apps/v1: .spec.replicas',
    })
    const core = '/api/v1/namespaces/default'
    const containers = [{ name: 'a', image: 'nginx' }]
    const pod = await post(`${core}/pods`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { containers },
    })
    t.match(pod['f:spec'], { 'f:dnsPolicy': {}, 'f:enableServiceLinks': {}, 'f:restartPolicy': {} })
    t.notMatch(pod['f:spec'], { 'f:tolerations': {} })
    const made = await post(`${core}/services`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'made' },
      spec: { ports: [{ port: 80 }] },
    })
    t.match(made['f:spec'], { 'f:type': {}, 'f:sessionAffinity': {}, 'f:internalTrafficPolicy': {} })
    t.notMatch(made['f:spec'], { 'f:clusterIP': {} })
    const job = await post('/apis/batch/v1/namespaces/default/jobs', {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'job' },
      spec: { template: { spec: { containers, restartPolicy: 'Never' } } },
    })
    t.match(job['f:spec'], { 'f:backoffLimit': {}, 'f:completionMode': {} })
    t.notMatch(job['f:spec'], { 'f:selector': {} })
  },
)

void t.test('a pod of an unknown PriorityClass is refused before its fields are looked at', async (t) => {
  const lab = await writableLab(t, service('web'))
  const create = (priorityClassName: string, image: string, metadata: object = { name: 'a' }) =>
    lab.send('POST', '/api/v1/namespaces/default/pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: { priorityClassName, containers: [{ name: 'main', image }] },
    })
  const why = 'is forbidden: no PriorityClass with name high was found'
  t.match((await create('high', '')).json, {
    ...{ code: 403, reason: 'Forbidden', message: `pods "a" ${why}` },
    details: { name: 'a', kind: 'pods' },
  })
  t.match((await create('high', 'x', { generateName: 'b-' })).json, { message: `pods "b-" ${why}` })
  t.equal((await create('system-node-critical', 'x')).code, 201)
  const made = await lab.send('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    value: 1000,
  })
  t.equal(made.code, 201)
  t.equal((await create('high', 'x', { name: 'c' })).code, 201)
})
