import t from 'tap'
import { deployment, service } from '../cluster/lab.js'
import { writableLab } from './writableLab.js'

const path = '/api/v1/namespaces/default/endpoints'

const db = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'db' },
  spec: { ports: [{ port: 5432 }] },
}

const written = {
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name: 'db' },
  subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 5432 }] }],
}

void t.test('Endpoints of a Service without a selector are written and mirrored', async (t) => {
  const lab = await writableLab(t, service('web') + deployment('web', 1))
  await lab.send('POST', '/api/v1/namespaces/default/services', db)
  const created = await lab.send('POST', path, written)
  t.equal(created.code, 201)
  t.match(created.headers['warning'], /v1 Endpoints is deprecated in v1\.33\+/)
  t.match(created.json, {
    subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 5432, protocol: 'TCP' }] }],
  })
  const slices = () => lab.cluster().endpointSlices.filter(({ metadata }) => metadata.name.startsWith('db-'))
  t.match(slices(), [{ endpoints: [{ addresses: ['10.0.0.1'] }] }])
  const patch = { subsets: [{ addresses: [{ ip: '10.0.0.2' }], ports: [{ port: 5432 }] }] }
  t.equal((await lab.send('PATCH', `${path}/db`, patch, 'application/merge-patch+json')).code, 200)
  t.match(slices(), [{ endpoints: [{ addresses: ['10.0.0.2'] }] }])
  t.match((await lab.send('PATCH', `${path}/db`, { subsets: [{}] }, 'application/merge-patch+json')).json, {
    code: 422,
    message:
      'Endpoints "db" is invalid: subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`',
  })
  t.equal((await lab.send('DELETE', `${path}/db`)).code, 200)
  t.strictSame(slices(), [])
})

void t.test('writes of Endpoints of a Service with a selector are accepted and overwritten', async (t) => {
  const lab = await writableLab(t, service('web') + deployment('web', 1))
  const own = { ...written, metadata: { name: 'web' } }
  t.match((await lab.send('POST', path, own)).json, { code: 409, reason: 'AlreadyExists' })
  const computed = (await lab.send('GET', `${path}/web`)).json as { subsets: unknown }
  t.match(computed, { subsets: [{ ports: [{ protocol: 'TCP' }] }] })
  const patch = { subsets: written.subsets }
  const merge = 'application/merge-patch+json'
  t.equal((await lab.send('PATCH', `${path}/web`, patch, merge)).code, 200)
  t.equal((await lab.send('DELETE', `${path}/web`)).code, 200)
  t.match((await lab.send('GET', `${path}/web`)).json, { subsets: computed.subsets })
  const before = lab.cluster()
  t.strictSame(before.endpoints ?? [], [], 'nothing is stored')
})
