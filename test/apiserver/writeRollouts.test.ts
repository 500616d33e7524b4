import t, { type Test } from 'tap'
import type { ControllerRevision, KubeObject, ReplicaSet } from '../../src/cluster/types.js'
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

/** A StatefulSet or DaemonSet `web` that keeps two old templates; it has no pods. */
const withoutPods = (kind: string) => `apiVersion: apps/v1
kind: ${kind}
metadata: { name: web, annotations: { a: b } }
spec:
  ${kind === 'StatefulSet' ? 'replicas: 0' : ''}
  revisionHistoryLimit: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { nodeSelector: { none: here }, containers: [{ name: web, image: nginx }] }
`

for (const [kind, plural, label] of [
  ['StatefulSet', 'statefulsets', 'controller.kubernetes.io/hash'],
  ['DaemonSet', 'daemonsets', 'controller-revision-hash'],
] as const)
  void t.test(`the templates of a ${kind} are ControllerRevisions`, async (t) => {
    const path = `${apps}/${plural}/web`
    const { lab, setImage, controlled } = await labOf(t, withoutPods(kind), path)
    const revisions = async () =>
      (await controlled<ControllerRevision>('controllerrevisions')).sort((a, b) => a.revision - b.revision)
    const [first] = await revisions()
    const { labels = {}, name = '', annotations } = first?.metadata ?? {}
    t.same(Object.keys(labels), ['app', label])
    t.equal(name, `web-${labels[label]}`)
    t.match(annotations, { a: 'b' })
    const { spec } = (await ask(lab.server, path)).json as { spec: { template: object } }
    t.same(first?.data, { spec: { template: { $patch: 'replace', ...spec.template } } })

    for (const tag of [2, 3]) await setImage(`nginx:${tag}`)
    t.same(
      (await revisions()).map(({ revision }) => revision),
      [1, 2, 3],
    )
    // kubectl rollout undo --to-revision=1
    const undone = await lab.send('PATCH', path, first?.data, strategic)
    t.match(undone.json, { spec: { template: { spec: { containers: [{ image: 'nginx' }] } } } })
    const after = await revisions()
    t.same(
      after.map(({ revision }) => revision),
      [2, 3, 4],
    )
    t.equal(after.at(-1)?.metadata.name, name)
    for (const tag of [4, 5]) await setImage(`nginx:${tag}`)
    t.same(
      (await revisions()).map(({ revision }) => revision),
      [4, 5, 6],
      'up to revisionHistoryLimit',
    )

    const one = `${apps}/controllerrevisions/${name}`
    t.equal((await lab.send('DELETE', one)).code, 405, 'only controllers write them')
    await lab.send('DELETE', path)
    t.equal((await ask(lab.server, one)).code, 404)
  })

void t.test('a ControllerRevision of a pod is kept', async (t) => {
  const text = withoutPods('StatefulSet')
    .replace('replicas: 0', 'replicas: 2')
    .replace('Limit: 2', 'Limit: 0')
    .replace('nodeSelector: { none: here }, ', '')
  const { setImage, controlled } = await labOf(t, text, `${apps}/statefulsets/web`)
  for (const tag of [2, 3]) await setImage(`nginx:${tag}`)
  const revisions = await controlled<ControllerRevision>('controllerrevisions')
  t.same(revisions.map(({ revision }) => revision).sort(), [1, 3], 'no pod has the second template')
})
