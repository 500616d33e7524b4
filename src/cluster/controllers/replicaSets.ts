import { generatedName } from '../hash.js'
import { objectKey } from '../locatedObject.js'
import { byController, controlledBy, controllerKey } from '../owners.js'
import type { Cluster, Pod, ReplicaSet } from '../types.js'

/** ReplicaSet controller: as many pods as `replicas` says, the newest going first; pods of a set that is gone go too. */
export function reconcileReplicaSets(cluster: Cluster): Cluster {
  const sets = cluster.replicaSets ?? []
  const owned = byController(cluster.pods)
  const gone = new Set<Pod>()
  const added: Pod[] = []
  const names = new Set(cluster.pods.map(objectKey))
  const living = new Set(sets.map(objectKey))
  for (const set of sets) {
    const pods = owned.get(objectKey(set)) ?? []
    const replicas = set.spec.replicas ?? 1
    for (const pod of pods.slice(replicas)) gone.add(pod)
    for (let count = pods.length; count < replicas; count++) added.push(makePod(set, names))
  }
  for (const pod of cluster.pods) {
    const key = controllerKey(pod)
    if (key !== undefined && key.startsWith('ReplicaSet/') && !living.has(key)) gone.add(pod)
  }
  if (gone.size === 0 && added.length === 0) return cluster
  return { ...cluster, pods: [...cluster.pods.filter((pod) => !gone.has(pod)), ...added] }
}

// The nth free name of a set is always the same, so that a lab's pods keep their names from run to run.
function makePod(set: ReplicaSet, names: Set<string>): Pod {
  const { metadata, spec } = set.spec.template
  const namespace = set.metadata.namespace
  for (let attempt = 0; ; attempt++) {
    const pod: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: generatedName(set.metadata.name, `${namespace}/${set.metadata.name}/${attempt}`),
        ...(namespace === undefined ? {} : { namespace }),
        ...(metadata?.labels === undefined ? {} : { labels: metadata.labels }),
        ...(metadata?.annotations === undefined ? {} : { annotations: metadata.annotations }),
        ownerReferences: controlledBy(set),
      },
      spec,
    }
    const key = objectKey(pod)
    if (names.has(key)) continue
    names.add(key)
    return pod
  }
}
