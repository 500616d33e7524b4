import t, { type Test } from 'tap'
import type { KubeObject, ReplicaSet } from '../../src/cluster/types.js'
import { deployment } from '../cluster/lab.js'
import { ask } from './client.js'
import { writableLab } from './writableLab.js'

const apps = '/apis/apps/v1/namespaces/default'
const json = 'application/json-patch+json'
const strategic = 'application/strategic-merge-patch+json'
const revisionKey = 'deployment.kubernetes.io/revision'

/** A lab, and the requests of `kubectl set image` and of the list of what a workload controls. */
async function labOf(t: Test, text: string, path: string) {
  const lab = await writableLab(t, text)
  const uid = ((await ask(lab.server, path)).json as KubeObject).metadata.uid
  return {
    lab,
    setImage: (image: string) =>
      lab.send(
        'PATCH',
        path,
        { spec: { template: { spec: { containers: [{ name: 'web', image }] } } } },
        strategic,
      ),
    /** What the workload controls, as kubectl selects it: by labels, then by the uid of the owner. */
    controlled: async <Kind extends KubeObject>(plural: string): Promise<Kind[]> => {
      const { json } = await ask(lab.server, `${apps}/${plural}?labelSelector=app%3Dweb`)
      return (json as { items: Kind[] }).items.filter(({ metadata }) =>
        metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid),
      )
    },
  }
}

void t.test('an undo of a Deployment gives its old ReplicaSet the next revision', async (t) => {
  const path = `${apps}/deployments/web`
  const { lab, setImage, controlled } = await labOf(t, deployment('web', 1), path)
  const sets = async () =>
    new Map(
      (await controlled<ReplicaSet>('replicasets')).map((set) => [
        set.metadata.annotations?.[revisionKey],
        set,
      ]),
    )
  await setImage('nginx:2')
  const cause = { 'kubernetes.io/change-cause': 'second' }
  await lab.send('PATCH', path, { metadata: { annotations: cause } }, 'application/merge-patch+json')
  const before = await sets()
  t.same([...before.keys()].sort(), ['1', '2'])
  t.match(before.get('2')?.metadata.annotations, cause, 'also when it is added after the rollout')
  t.notMatch(before.get('1')?.metadata.annotations, cause)

  const old = before.get('1')
  const { 'pod-template-hash': _hash, ...labels } = old?.spec.template.metadata?.labels ?? {}
  // Go writes the zero time of a template, and kubectl removes the label that the controller adds
  const template = { ...old?.spec.template, metadata: { creationTimestamp: null, labels } }
  const undone = await lab.send(
    'PATCH',
    path,
    [
      { op: 'replace', path: '/spec/template', value: template },
      { op: 'replace', path: '/metadata/annotations', value: { [revisionKey]: '2' } },
    ],
    json,
  )
  t.equal(undone.code, 200, undone.text)
  const after = await sets()
  t.same([...after.keys()].sort(), ['2', '3'])
  t.equal(after.get('3')?.metadata.name, old?.metadata.name)
  t.match(after.get('3')?.metadata.annotations, { 'deployment.kubernetes.io/revision-history': '1' })
  const { json: now } = await ask(lab.server, path)
  t.match(now, { metadata: { annotations: { [revisionKey]: '3' } } })
  t.notMatch(now, { metadata: { annotations: cause } })
})

void t.test('old ReplicaSets are kept up to revisionHistoryLimit', async (t) => {
  const text = deployment('web', 0).replace('  template:', '  revisionHistoryLimit: 2\n  template:')
  const { setImage, controlled } = await labOf(t, text, `${apps}/deployments/web`)
  for (const tag of [2, 3, 4, 5]) await setImage(`nginx:${tag}`)
  const sets = await controlled<ReplicaSet>('replicasets')
  t.same(sets.map(({ metadata }) => metadata.annotations?.[revisionKey]).sort(), ['3', '4', '5'])
})
