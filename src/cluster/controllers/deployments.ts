import { templateHash } from '../hash.js'
import { objectKey } from '../manifests/locatedObject.js'
import { byController, controlledBy, controllerOf } from '../owners.js'
import type { Cluster, Deployment, ReplicaSet } from '../types.js'
import { withRevision, withRevisionOf } from './revision.js'
import { rollOut, withReplicas } from './rollout.js'

const hashLabel = 'pod-template-hash'

/**
 * Deployment controller: a ReplicaSet for the current template. A live cluster scales older ones down step by step; a
 * static snapshot has only the newest.
 */
export function reconcileDeployments(cluster: Cluster): Cluster {
  const existing = cluster.replicaSets ?? []
  const owned = byController(existing)
  const pods = cluster.now === undefined ? new Map<string, never[]>() : byController(cluster.pods)
  const newestOf = new Map<Deployment, ReplicaSet>()
  const wanted = cluster.deployments.flatMap((deployment) => {
    const own = owned.get(objectKey(deployment)) ?? []
    const made = makeReplicaSet(deployment)
    const current = own.find((set) => objectKey(set) === objectKey(made))
    if (cluster.now === undefined)
      return [current !== undefined && current.spec.replicas === made.spec.replicas ? current : made]
    const older = own.filter((set) => set !== current)
    const newest = withRevision(current ?? withReplicas(made, 0), older)
    newestOf.set(deployment, newest)
    return rollOut(deployment, newest, older, (set) => pods.get(objectKey(set)) ?? [])
  })
  const kept = existing.filter((set) => controllerOf(set.metadata)?.kind !== 'Deployment')
  const replicaSets = [...kept, ...wanted]
  const deployments = cluster.deployments.map((deployment) => {
    const newest = newestOf.get(deployment)
    return newest === undefined ? deployment : withRevisionOf(deployment, newest)
  })
  const same = isSame(replicaSets, existing) && isSame(deployments, cluster.deployments)
  return same ? cluster : { ...cluster, deployments, replicaSets }
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
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
