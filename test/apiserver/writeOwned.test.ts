import t from 'tap'
import type { KubeObject } from '../../src/cluster/types.js'
import { deployment, service } from '../cluster/lab.js'
import { writableLab, type WritableLab } from './writableLab.js'

const merge = 'application/merge-patch+json'
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'

async function only(lab: WritableLab, path: string, prefix: string): Promise<KubeObject> {
  const { items } = (await lab.send('GET', path)).json as { items: KubeObject[] }
  const found = items.filter(({ metadata }) => metadata.name.startsWith(prefix))
  t.equal(found.length, 1)
  return found[0] as KubeObject
}

t.test('an object of a controller is updated with the owner that the API shows', async (t) => {
  const lab = await writableLab(t, service('web') + deployment('web', 1))
  const slice = await only(lab, slices, 'web')
  const path = `${slices}/${slice.metadata.name}`
  const annotated = await lab.send('PATCH', path, { metadata: { annotations: { a: 'b' } } }, merge)
  t.equal(annotated.code, 200, JSON.stringify(annotated.json))
  const { metadata } = await only(lab, slices, 'web')
  t.strictSame(metadata.ownerReferences, slice.metadata.ownerReferences)

  const none = await lab.send('PATCH', path, { metadata: { ownerReferences: [{ uid: 'x' }] } }, merge)
  t.equal(none.code, 422)
})

t.test('an update adds owners and removes them', async (t) => {
  const lab = await writableLab(t, service('web') + deployment('web', 1))
  const configMaps = '/api/v1/namespaces/default/configmaps'
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'own' } }
  t.equal((await lab.send('POST', configMaps, map)).code, 201)
  const { metadata } = await only(lab, '/api/v1/namespaces/default/services', 'web')
  const owner = { apiVersion: 'v1', kind: 'Service', name: 'web', uid: metadata.uid }
  const owned = await lab.send(
    'PATCH',
    `${configMaps}/own`,
    { metadata: { ownerReferences: [owner] } },
    merge,
  )
  t.match(owned.json, { metadata: { ownerReferences: [owner] } })
  t.match((await only(lab, configMaps, 'own')).metadata.ownerReferences, [owner])
  await lab.send('PATCH', `${configMaps}/own`, { metadata: { ownerReferences: null } }, merge)
  t.equal((await only(lab, configMaps, 'own')).metadata.ownerReferences, undefined)
})

t.test('the namespaces that every cluster has are labelled too', async (t) => {
  const lab = await writableLab(t, service('web'))
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    const patched = await lab.send(
      'PATCH',
      `/api/v1/namespaces/${name}`,
      { metadata: { labels: { a: 'b' } } },
      merge,
    )
    t.match(patched.json, { metadata: { name, labels: { a: 'b' } } })
  }
})
