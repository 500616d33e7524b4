import t from 'tap'
import { deployment, service } from '../cluster/lab.js'
import { ask } from './client.js'
import { writableLab } from './writableLab.js'

const web = '/api/v1/namespaces/default/services/web'
const app = '/apis/apps/v1/namespaces/default/deployments/web'
const merge = 'application/merge-patch+json'

interface Answered {
  metadata: Record<string, unknown>
}

void t.test('an update cannot start a deletion', async (t) => {
  const lab = await writableLab(t, service('web') + deployment('web', 1))
  const ending = { deletionTimestamp: '2026-01-02T04:04:05+01:00', deletionGracePeriodSeconds: 5 }
  const immutable =
    'metadata.deletionTimestamp: Invalid value: "2026-01-02T03:04:05Z": field is immutable, metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable'
  const before = (await ask(lab.server, web)).json as Answered
  const put = await lab.send('PUT', web, { ...before, metadata: { ...before.metadata, ...ending } })
  t.match(put.json, { code: 422, message: `Service "web" is invalid: [${immutable}]` })
  const patched = await lab.send('PATCH', app, { metadata: ending, spec: { replicas: -1 } }, merge)
  t.match(patched.json, {
    code: 422,
    message: `Deployment.apps "web" is invalid: [${immutable}, spec.replicas: Invalid value: -1: must be greater than or equal to 0]`,
  })
})

void t.test('an update does not change what the API server writes', async (t) => {
  const lab = await writableLab(t, deployment('web', 1))
  const { metadata } = (await ask(lab.server, app)).json as Answered
  const other = { creationTimestamp: '2001-02-03T04:05:06Z', generation: -7 }
  const { json } = await lab.send('PATCH', app, { metadata: other }, merge)
  t.match(json, {
    metadata: { creationTimestamp: metadata['creationTimestamp'], generation: metadata['generation'] },
  })
})

void t.test('an update of an object that is being deleted', async (t) => {
  const lab = await writableLab(t, service('web'))
  await lab.send('PATCH', web, { metadata: { finalizers: ['example.com/a'] } }, merge)
  await lab.send('DELETE', web)
  const { metadata } = (await ask(lab.server, web)).json as Answered
  t.match(metadata, { deletionTimestamp: /./, deletionGracePeriodSeconds: 0 })
  const later = { deletionTimestamp: '2001-02-03T04:05:06Z', labels: { a: 'b' } }
  const { json } = await lab.send('PATCH', web, { metadata: later }, merge)
  t.match(json, { metadata: { deletionTimestamp: metadata['deletionTimestamp'], labels: { a: 'b' } } })
  const longer = await lab.send('PATCH', web, { metadata: { deletionGracePeriodSeconds: 9 } }, merge)
  t.match(longer.json, {
    code: 422,
    message:
      'Service "web" is invalid: metadata.deletionGracePeriodSeconds: Invalid value: 9: field is immutable',
  })
  const both = { metadata: { finalizers: ['example.com/a', 'example.com/b'] }, spec: { type: 'Never' } }
  const held = await lab.send('PATCH', web, both, merge)
  t.match((held.json as { message: string }).message, /\[metadata\.finalizers: Forbidden: .*, spec\.type: /)
})

void t.test('a new object is not being deleted', async (t) => {
  const lab = await writableLab(t, service('web'))
  const written = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', deletionTimestamp: '2001-02-03T04:05:06Z', deletionGracePeriodSeconds: 5 },
  }
  const { json, code } = await lab.send('POST', '/api/v1/namespaces/default/configmaps', written)
  t.equal(code, 201)
  const { deletionTimestamp, deletionGracePeriodSeconds } = (json as Answered).metadata
  t.same([deletionTimestamp, deletionGracePeriodSeconds], [undefined, undefined])
})

void t.test('ephemeral containers are refused with the reason', async (t) => {
  const lab = await writableLab(t, deployment('web', 1))
  const [pod] = lab.cluster().pods
  const path = `/api/v1/namespaces/default/pods/${pod?.metadata.name}/ephemeralcontainers`
  t.match((await lab.send('PATCH', path, {}, 'application/strategic-merge-patch+json')).json, {
    code: 404,
    message:
      'the server could not find the requested resource (a lab adds no container to a running pod: kubectl exec runs commands of the host in the namespaces of the pod)',
  })
})
