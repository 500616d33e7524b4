import t from 'tap'
import { reconcileLive } from '../../../src/cluster/changes/index.js'
import type { ObjectRef } from '../../../src/cluster/changes/findObject.js'
import { podRemoved } from '../../../src/cluster/pods/podStatus.js'
import type { Cluster } from '../../../src/cluster/types.js'
import { cluster, refusals, twoNodes, written, type Writes } from '../lab.js'

const now = '2026-01-02T03:04:05Z'

function after(before: Cluster, ...changes: Writes[]): Cluster {
  return changes.reduce(
    (current, change) => reconcileLive(written(current, change, { ...twoNodes, now }).cluster),
    before,
  )
}

const deleted = (object: ObjectRef): Writes => ({ verb: 'delete', ref: object })
const finalizers = (object: ObjectRef, names: readonly string[] | null): Writes => ({
  verb: 'patch',
  ref: object,
  patch: { metadata: { finalizers: names } },
})

const config = (namespace: string) => `apiVersion: v1
kind: ConfigMap
metadata: { name: held, namespace: ${namespace}, finalizers: [example.com/a, example.com/b] }
---
`
const namesOf = ({ configMaps = [] }: Cluster) => configMaps.map(({ metadata }) => metadata.name)

t.test('finalizers delay a deletion until the last one is removed', (t) => {
  const ref = { kind: 'ConfigMap', name: 'held' }
  const marked = after(cluster(config('default')), deleted(ref))
  t.match(marked.configMaps, [{ metadata: { deletionTimestamp: now, deletionGracePeriodSeconds: 0 } }])
  t.equal(after(marked, deleted(ref)).configMaps, marked.configMaps, 'a second deletion changes nothing')
  const one = after(marked, finalizers(ref, ['example.com/b']))
  t.same(one.configMaps?.[0]?.metadata.finalizers, ['example.com/b'])
  t.same(namesOf(after(one, finalizers(ref, null))), [])
  t.same(
    refusals(() => after(one, finalizers(ref, ['example.com/b', 'example.com/c']))),
    [
      'The ConfigMap "held" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/c"}',
    ],
  )
  const free = after(cluster(config('default')), finalizers(ref, []))
  t.same(namesOf(free), ['held'], 'without a deletion it stays')
  t.same(namesOf(after(free, deleted(ref))), [])
  t.end()
})

t.test('what controllers delete waits for its finalizers too, and keeps its pods', (t) => {
  const before = cluster(`apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: nginx }] } }
`)
  const [{ metadata: { name = '' } = {} } = {}] = before.replicaSets ?? []
  const set = { kind: 'ReplicaSet', name }
  const held = after(before, finalizers(set, ['example.com/a']), deleted({ kind: 'Deployment', name: 'web' }))
  t.same(held.deployments, [])
  t.match(held.replicaSets, [{ metadata: { name, deletionTimestamp: now } }])
  const running = ({ pods }: Cluster) => pods.filter(({ metadata }) => !metadata.deletionTimestamp)
  t.equal(running(held).length, 2, 'the ReplicaSet is not gone yet')
  const fewer = after(held, deleted({ kind: 'Pod', name: held.pods[0]?.metadata.name ?? '' }))
  t.equal(running(fewer).length, 1, 'and makes no more pods')
  const over = after(held, finalizers(set, null))
  t.same([over.replicaSets, running(over)], [[], []])
  t.end()
})

t.test('a Namespace waits for the finalizers of its objects', (t) => {
  const space = { kind: 'Namespace', name: 'lab' }
  const spaces = ({ namespaces }: Cluster) => namespaces.map(({ metadata }) => metadata.name)
  const before = cluster(`apiVersion: v1\nkind: Namespace\nmetadata: { name: lab }\n---\n${config('lab')}`)
  const marked = after(before, deleted(space))
  t.same([spaces(marked).includes('lab'), namesOf(marked)], [true, ['held']])
  const over = after(marked, finalizers({ kind: 'ConfigMap', namespace: 'lab', name: 'held' }, null))
  t.same([spaces(over).includes('lab'), namesOf(over)], [false, []])
  t.end()
})

t.test('a pod with finalizers stays when its containers have ended', (t) => {
  const pod = { kind: 'Pod', name: 'web' }
  const before = cluster(`apiVersion: v1
kind: Pod
metadata: { name: web, finalizers: [example.com/a] }
spec: { containers: [{ name: web, image: nginx }] }
`)
  const ending = after(before, deleted(pod))
  t.match(ending.pods, [{ metadata: { deletionTimestamp: now }, status: { phase: 'Running' } }])
  const ended = reconcileLive(podRemoved({ ...ending, now }, pod))
  t.match(ended.pods, [
    { metadata: { deletionGracePeriodSeconds: 0 }, status: { phase: 'Succeeded', podIPs: undefined } },
  ])
  t.equal(podRemoved(ended, pod), ended)
  t.same(after(ended, finalizers(pod, null)).pods, [])
  const early = after(ending, finalizers(pod, null))
  t.equal(early.pods.length, 1, 'its containers still end')
  t.same(podRemoved(early, pod).pods, [])
  t.end()
})
