import t from 'tap'
import { deployment, service } from '../cluster/lab.js'
import { ask, watch } from './client.js'
import { writableLab } from './writableLab.js'

const services = '/api/v1/namespaces/default/services'
const deployments = '/apis/apps/v1/namespaces/default/deployments'

const api = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'api' },
  spec: { selector: { app: 'api' }, ports: [{ port: 80 }] },
}

interface Answered {
  metadata: { resourceVersion: string; uid: string; labels?: Record<string, string>; name: string }
  spec: Record<string, unknown>
}

void t.test('a request needs the token', async (t) => {
  const lab = await writableLab(t, service('web'))
  const before = lab.store.resourceVersion
  const path = `${services}/web`
  const anonymous = await ask(lab.server, path, { method: 'DELETE', anonymous: true })
  t.equal(anonymous.code, 403)
  t.match(anonymous.json, {
    reason: 'Forbidden',
    message:
      'services "web" is forbidden: User "system:anonymous" cannot delete resource "services" in API group "" in the namespace "default"',
  })
  for (const Authorization of ['Bearer wrong', 'Bearer', 'Basic dGhlLXRva2Vu', 'Bearer the-token2'])
    t.equal((await ask(lab.server, path, { method: 'DELETE', headers: { Authorization } })).code, 401)
  t.equal(lab.store.resourceVersion, before, 'nothing was written')
  const messageOf = async (read: string, server = lab.server) => {
    const { code, text } = await ask(server, read, { anonymous: true })
    return code === 200 ? '' : (JSON.parse(text) as { message: string }).message
  }
  const refused = (what: string, where: string) =>
    `${what} in API group "" ${where}`.replace(/^/, ' is forbidden: User "system:anonymous" cannot ')
  const place = 'in the namespace "default"'
  t.equal(await messageOf(path), `services "web"${refused('get resource "services"', place)}`)
  t.equal(await messageOf(services), `services${refused('list resource "services"', place)}`)
  t.equal(
    await messageOf('/api/v1/pods?watch=1'),
    `pods${refused('watch resource "pods"', 'at the cluster scope')}`,
  )
  t.equal(await messageOf('/api'), 'forbidden: User "system:anonymous" cannot get path "/api"')
  for (const open of ['/healthz', '/livez', '/readyz', '/version']) t.equal(await messageOf(open), '')
  const wrong = { headers: { Authorization: 'Bearer wrong' } }
  t.equal((await ask(lab.server, '/version', wrong)).code, 401)
  t.equal((await ask(lab.server, path)).code, 200)
  t.equal((await lab.send('DELETE', path)).code, 200)
})

void t.test('what is not served or not written has a reason', async (t) => {
  const lab = await writableLab(t, service('web'))
  const missing = 'the server could not find the requested resource'
  const inDefault = '/namespaces/default'
  for (const [path, message] of [
    [`/apis/rbac.authorization.k8s.io/v1${inDefault}/roles`, `${missing} (RBAC is not evaluated in a lab)`],
    [`/api/v1${inDefault}/resourcequotas`, `${missing} (a lab does not serve resourcequotas)`],
    [`/apis/example.com/v1${inDefault}/things`, missing],
  ] as const)
    t.match((await lab.send('POST', path, {})).json, { code: 404, message })
  t.match((await lab.send('POST', `/api/v1${inDefault}/serviceaccounts`, {})).json, {
    code: 405,
    message: /\(only the controllers of a lab write serviceaccounts\)$/,
  })
  const { headers } = await lab.send('GET', `/api/v1${inDefault}/endpoints`)
  t.match(
    headers['warning'],
    '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"',
  )
  t.equal((await lab.send('GET', services)).headers['warning'], undefined)
})

void t.test('kube-proxy needs no token for what it reads', async (t) => {
  const { server } = await writableLab(t, service('web'), { anonymous: 'kube-proxy' })
  const codeOf = async (path: string, method = 'GET') =>
    (await ask(server, path, { method, body: '{}', anonymous: true })).code
  for (const path of ['/api/v1/services', '/api/v1/nodes/node-a', '/apis/discovery.k8s.io/v1/endpointslices'])
    t.equal(await codeOf(path), 200, path)
  t.not(await codeOf('/api/v1/namespaces/default/events', 'POST'), 403)
  for (const path of ['/api/v1/pods', '/api/v1/secrets', `${services}/web`, '/api/v1/nodes/node-a/status'])
    t.equal(await codeOf(path), 403, path)
  t.equal(await codeOf(services, 'POST'), 403)
})

void t.test('create allocates, defaults and validates', async (t) => {
  const lab = await writableLab(t, service('web'))
  const made = await lab.send('POST', services, api)
  t.equal(made.code, 201)
  t.match(made.json, {
    metadata: { name: 'api', namespace: 'default', uid: /-/, resourceVersion: /\d/ },
    spec: { clusterIP: /^10\.96\./, type: 'ClusterIP', sessionAffinity: 'None' },
  })
  const again = await lab.send('POST', services, api)
  t.match(again.json, {
    code: 409,
    reason: 'AlreadyExists',
    message: 'services "api" already exists',
    details: { name: 'api', kind: 'services' },
  })
  const wrong = { ...api, metadata: { name: 'bad' }, spec: { ports: [{ port: 0, targetPort: 80 }] } }
  t.match((await lab.send('POST', services, wrong)).json, {
    code: 422,
    reason: 'Invalid',
    message:
      'Service "bad" is invalid: spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
    details: {
      name: 'bad',
      kind: 'Service',
      causes: [
        {
          reason: 'FieldValueInvalid',
          message: 'Invalid value: 0: must be between 1 and 65535, inclusive',
          field: 'spec.ports[0].port',
        },
      ],
    },
  })
  const elsewhere = await lab.send('POST', '/api/v1/namespaces/nope/services', api)
  t.match(elsewhere.json, { code: 404, message: 'namespaces "nope" not found' })
  const other = await lab.send('POST', services, { ...api, metadata: { name: 'x', namespace: 'lab' } })
  t.match(other.json, { code: 400, message: /namespace of the provided object does not match/ })
  const generated = await lab.send('POST', services, { ...api, metadata: { generateName: 'gen-' } })
  t.match((generated.json as Answered).metadata.name, /^gen-\w{5}$/)
  t.equal((await lab.send('POST', services, 'kind: Service', 'text/plain')).code, 415)
  t.equal((await lab.send('POST', services, '{')).code, 400)
  t.match(
    (await lab.send('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }))
      .json,
    {
      code: 403,
      message: 'nodes "n" is forbidden: the nodes of a lab are those of its lab.yaml',
    },
  )
})

void t.test('unknown fields', async (t) => {
  const lab = await writableLab(t, service('web'))
  const odd = { ...api, spec: { ...api.spec, prots: [] } }
  const strict = await lab.send('POST', `${services}?fieldValidation=Strict`, odd)
  t.match(strict.json, {
    code: 400,
    message:
      'Service in version "v1" cannot be handled as a Service: strict decoding error: unknown field "spec.prots"',
  })
  const warned = await lab.send('POST', services, odd)
  t.equal(warned.code, 201)
  t.equal(warned.headers['warning'], '299 - "unknown field \\"spec.prots\\""')
  const ignored = await lab.send('PUT', `${services}/api?fieldValidation=Ignore`, odd)
  t.equal(ignored.code, 200)
  t.equal(ignored.headers['warning'], undefined)
  t.equal((await lab.send('POST', `${services}?fieldValidation=Maybe`, odd)).code, 422)
})

void t.test('an update is based on a version', async (t) => {
  const lab = await writableLab(t, service('web'))
  const path = `${services}/web`
  const before = (await ask(lab.server, path)).json as Answered
  const labelled = (labels: object, metadata: object = {}) => ({
    ...before,
    metadata: { ...before.metadata, labels, ...metadata },
  })
  const updated = await lab.send('PUT', path, labelled({ a: '1' }))
  t.match(updated.json, { metadata: { labels: { a: '1' }, uid: before.metadata.uid } })
  t.not((updated.json as Answered).metadata.resourceVersion, before.metadata.resourceVersion)
  t.match((await lab.send('PUT', path, labelled({ a: '2' }))).json, {
    code: 409,
    reason: 'Conflict',
    message:
      'Operation cannot be fulfilled on services "web": the object has been modified; please apply your changes to the latest version and try again',
    details: { name: 'web', kind: 'services' },
  })
  const free = await lab.send('PUT', path, labelled({ a: '3' }, { resourceVersion: undefined }))
  t.match(free.json, { metadata: { labels: { a: '3' } } })
  const other = await lab.send('PUT', path, labelled({}, { resourceVersion: undefined, uid: 'x' }))
  t.match(other.json, {
    code: 409,
    message: /Precondition failed: UID in precondition: x, UID in object meta: /,
  })
  const renamed = await lab.send('PUT', path, labelled({}, { name: 'api' }))
  t.match(renamed.json, {
    code: 400,
    message: 'the name of the object (api) does not match the name on the URL (web)',
  })
  t.equal((await lab.send('PUT', `${services}/nope`, labelled({}))).code, 404)
})

void t.test('a dry run changes nothing', async (t) => {
  const lab = await writableLab(t, service('web'))
  const before = lab.store.resourceVersion
  const made = await lab.send('POST', `${services}?dryRun=All`, api)
  t.equal(made.code, 201)
  t.match(made.json, { spec: { clusterIP: /^10\.96\./ } })
  t.notMatch(made.text, '"resourceVersion"', 'no version of the store has it')
  t.equal((await lab.send('DELETE', `${services}/web?dryRun=All`)).code, 200)
  const patch = { metadata: { labels: { a: 'b' } } }
  const patched = await lab.send('PATCH', `${services}/web?dryRun=All`, patch, 'application/merge-patch+json')
  t.match(patched.json, { metadata: { labels: { a: 'b' } }, status: {} })
  t.equal((await lab.send('POST', `${services}?dryRun=Some`, api)).code, 422)
  t.equal(lab.store.resourceVersion, before)
})

void t.test('deletions', async (t) => {
  const lab = await writableLab(t, service('web') + service('api') + deployment('web', 2))
  const { uid } = ((await ask(lab.server, `${services}/web`)).json as Answered).metadata
  const foreign = await lab.send('DELETE', `${services}/web`, { preconditions: { uid: 'x' } })
  t.equal(foreign.code, 409)
  const deleted = await lab.send('DELETE', `${services}/web`, { preconditions: { uid } })
  t.match(deleted.json, { kind: 'Service', metadata: { name: 'web', uid } }, 'a Service is the answer itself')
  t.equal((await lab.send('DELETE', `${services}/web`)).code, 404)
  const wrong = await lab.send('DELETE', `${services}/api`, { propagationPolicy: 'Never' })
  t.match(wrong.json, { code: 422, reason: 'Invalid', message: /propagationPolicy/ })

  const [pod] = lab.cluster().pods
  const path = `/api/v1/namespaces/default/pods/${pod?.metadata.name}`
  const ending = await lab.send('DELETE', path, { gracePeriodSeconds: 7 })
  t.match(ending.json, { kind: 'Pod', metadata: { deletionTimestamp: /./, deletionGracePeriodSeconds: 7 } })

  const orphaning = await lab.send('DELETE', `${deployments}/web`, { propagationPolicy: 'Orphan' })
  t.match(orphaning.json, {
    kind: 'Status',
    status: 'Success',
    details: { name: 'web', group: 'apps', kind: 'deployments' },
  })
  t.match(lab.cluster().replicaSets, [{ metadata: { ownerReferences: undefined } }], 'it is left behind')

  await lab.send('POST', services, { ...api, metadata: { name: 'other', labels: { a: 'b' } } })
  const all = await lab.send('DELETE', `${services}?labelSelector=a%3Db`)
  t.match(all.json, { kind: 'ServiceList', items: [{ metadata: { name: 'other' } }] })
  t.same(
    lab.cluster().services.map(({ metadata }) => metadata.name),
    ['api'],
  )
  t.equal((await lab.send('DELETE', '/api/v1/nodes/node-a')).code, 403)
})

void t.test('an object is deleted when its owners have other uids', async (t) => {
  const lab = await writableLab(t, service('web'))
  const { uid } = ((await ask(lab.server, `${services}/web`)).json as Answered).metadata
  const path = '/api/v1/namespaces/default/configmaps'
  const create = (name: string, ...uids: (string | undefined)[]) =>
    lab.send('POST', path, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name,
        ownerReferences: uids.map((one) => ({ apiVersion: 'v1', kind: 'Service', name: 'web', uid: one })),
      },
    })
  for (const made of [await create('none', 'a'), await create('one', 'a', uid), await create('own', uid)])
    t.equal(made.code, 201, made.text)
  const names = () => lab.cluster().configMaps?.map(({ metadata }) => metadata.name)
  t.same(names(), ['one', 'own'])
  await lab.send('DELETE', `${services}/web`)
  t.same(names(), [])
})

void t.test('an object that keeps an owner loses its references to the others', async (t) => {
  const lab = await writableLab(t, service('web') + service('api') + service('db'))
  const owners = await Promise.all(
    ['web', 'api', 'db'].map(async (name) => {
      const { metadata } = (await ask(lab.server, `${services}/${name}`)).json as Answered
      return { apiVersion: 'v1', kind: 'Service', name, uid: metadata.uid, blockOwnerDeletion: true }
    }),
  )
  const path = '/api/v1/namespaces/default/configmaps'
  const metadata = { name: 'shared', ownerReferences: owners }
  t.equal((await lab.send('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata })).code, 201)
  const ownersNow = async () => {
    const { json } = await ask(lab.server, `${path}/shared`)
    return (json as { metadata: { ownerReferences: { name: string }[] } }).metadata.ownerReferences.map(
      ({ name }) => name,
    )
  }
  await lab.send('DELETE', `${services}/web`)
  t.same(await ownersNow(), ['api', 'db'], 'one owner is gone')
  t.equal((await lab.send('DELETE', `${services}/api`, { propagationPolicy: 'Foreground' })).code, 200)
  t.same(await ownersNow(), ['db'], 'one waited for its dependents')
  t.equal((await ask(lab.server, `${services}/api`)).code, 404, 'and it has none any more')
  await lab.send('DELETE', `${services}/db`)
  t.equal((await ask(lab.server, `${path}/shared`)).code, 404, 'none is left')
})

void t.test('objects without a status have no subresource for it', async (t) => {
  const lab = await writableLab(t, service('web'))
  await lab.send('POST', '/api/v1/namespaces/default/configmaps', {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
  })
  const answer = await ask(lab.server, '/api/v1/namespaces/default/configmaps/a/status')
  t.match(answer.json, { code: 404, message: /the server could not find the requested resource/ })
})

void t.test('the scale of a Deployment', async (t) => {
  const lab = await writableLab(t, deployment('web', 2))
  const path = `${deployments}/web/scale`
  t.match((await ask(lab.server, path)).json, {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    spec: { replicas: 2 },
    status: { selector: 'app=web' },
  })
  const patched = await lab.send('PATCH', path, { spec: { replicas: 3 } }, 'application/merge-patch+json')
  t.match(patched.json, { kind: 'Scale', spec: { replicas: 3 } })
  t.equal(lab.cluster().pods.length, 3)
  const scale = patched.json as Answered
  const put = await lab.send('PUT', path, { ...scale, spec: { replicas: 1 } })
  t.match(put.json, { spec: { replicas: 1 } })
  t.equal((await lab.send('PUT', path, { ...scale, spec: { replicas: 5 } })).code, 409, 'an old version')
  t.equal((await lab.send('PUT', path, { ...(put.json as Answered), spec: { replicas: -1 } })).code, 422)
})

void t.test('an eviction deletes a pod', async (t) => {
  const lab = await writableLab(t, deployment('web', 2))
  const [pod] = lab.cluster().pods
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod?.metadata.name } }
  const path = `/api/v1/namespaces/default/pods/${pod?.metadata.name}/eviction`
  t.match((await lab.send('POST', path, eviction)).json, { code: 201, status: 'Success' })
  t.ok(
    lab.cluster().pods.find(({ metadata }) => metadata.name === pod?.metadata.name)?.metadata
      .deletionTimestamp,
  )
})

void t.test('the status belongs to kubelets and controllers', async (t) => {
  const lab = await writableLab(t, service('web') + deployment('web', 1))
  const [pod] = lab.cluster().pods
  const path = `/api/v1/namespaces/default/pods/${pod?.metadata.name}/status`
  const merge = 'application/merge-patch+json'
  t.equal((await lab.send('PATCH', path, { status: { phase: 'Failed' } }, merge)).code, 403)
  const ignored = await lab.send('PATCH', `${services}/web`, { status: { x: 1 } }, merge)
  t.equal(ignored.code, 200, 'a write of the object leaves the status as it is')
})

void t.test('what is not served', async (t) => {
  const lab = await writableLab(t, service('web'))
  for (const [method, path] of [
    ['POST', `${services}/web`],
    ['PUT', services],
    ['PATCH', services],
    ['POST', '/apis/coordination.k8s.io/v1/namespaces/default/leases'],
    ['OPTIONS', services],
  ] as const) {
    const { json, code } = await lab.send(method, path, api)
    t.equal(code, 405, `${method} ${path}`)
    t.match(json, { reason: 'MethodNotAllowed' })
  }
  t.equal((await lab.send('POST', `${services}/web/eviction`, api)).code, 404)
})

void t.test('many writers of one object: no write is lost, and watches see them in order', async (t) => {
  const lab = await writableLab(t, service('web'))
  const path = `${services}/web`
  const watched = await watch(
    lab.server,
    `${services}?watch=true&resourceVersion=${lab.store.resourceVersion}`,
  )
  const writers = Array.from({ length: 100 }, (_, index) => `w${index}`)
  const answers = await Promise.all(
    writers.map((writer) =>
      lab.send('PATCH', path, { metadata: { labels: { [writer]: 'x' } } }, 'application/merge-patch+json'),
    ),
  )
  t.ok(answers.every(({ code }) => code === 200))
  for (const [index, { json }] of answers.entries())
    t.equal((json as Answered).metadata.labels?.[`w${index}`], 'x', 'each sees its own write')
  const last = (await ask(lab.server, path)).json as Answered
  t.equal(Object.keys(last.metadata.labels ?? {}).length, 100)
  await watched.until(({ object }) => object.metadata.resourceVersion === last.metadata.resourceVersion)
  const versions = watched.events.map(({ object }) => Number(object.metadata.resourceVersion))
  t.same(
    versions,
    [...versions].sort((a, b) => a - b),
  )
  watched.cut()
  const creates = await Promise.all(
    Array.from({ length: 20 }, () => lab.send('POST', services, { ...api, metadata: { name: 'one' } })),
  )
  t.same(
    creates.map(({ code }) => code).filter((code) => code === 201),
    [201],
    'one of them creates it',
  )
})
