import { templateHash } from '../hash.js'
import { objectKey } from '../locatedObject.js'
import { byController, controlledBy, controllerOf } from '../owners.js'
import type { Cluster, Deployment, ReplicaSet } from '../types.js'
import { rollOut, withReplicas } from './rollout.js'

const hashLabel = 'pod-template-hash'

/**
 * Deployment controller: a ReplicaSet for the template as it is now. In a cluster that lives, older ones give way to it
 * step by step; a snapshot that stands for itself knows only the newest.
 */
export function reconcileDeployments(cluster: Cluster): Cluster {
  const existing = cluster.replicaSets ?? []
  const owned = byController(existing)
  const pods = cluster.now === undefined ? new Map<string, never[]>() : byController(cluster.pods)
  const wanted = cluster.deployments.flatMap((deployment) => {
    const own = owned.get(objectKey(deployment)) ?? []
    const made = makeReplicaSet(deployment)
    const current = own.find((set) => objectKey(set) === objectKey(made))
    if (cluster.now === undefined)
      return [current !== undefined && current.spec.replicas === made.spec.replicas ? current : made]
    const newest = current ?? withReplicas(made, 0)
    return rollOut(
      deployment,
      newest,
      own.filter((set) => set !== current),
      (set) => pods.get(objectKey(set)) ?? [],
    )
  })
  const kept = existing.filter((set) => controllerOf(set.metadata)?.kind !== 'Deployment')
  const replicaSets = [...kept, ...wanted]
  const same =
    replicaSets.length === existing.length && replicaSets.every((set, index) => set === existing[index])
  return same ? cluster : { ...cluster, replicaSets }
}

function makeReplicaSet(deployment: Deployment): ReplicaSet {
  const { metadata, spec } = deployment
  const { template } = spec
  const hash = templateHash(template)
  const labels = { ...template.metadata?.labels, [hashLabel]: hash }
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${metadata.name}-${hash}`,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      labels,
      ownerReferences: controlledBy(deployment),
    },
    spec: {
      replicas: spec.replicas ?? 1,
      selector: { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  }
}
