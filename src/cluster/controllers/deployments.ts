import { templateHash } from '../hash.js'
import { objectKey } from '../locatedObject.js'
import { controlledBy, controllerOf } from '../owners.js'
import type { Cluster, Deployment, ReplicaSet } from '../types.js'

const hashLabel = 'pod-template-hash'

/**
 * Deployment controller: one ReplicaSet for the template as it is now. A ReplicaSet of an older template goes at
 * once; a rollout step by step is not what a snapshot shows.
 */
export function reconcileDeployments(cluster: Cluster): Cluster {
  const existing = cluster.replicaSets ?? []
  const known = new Map(existing.map((set) => [objectKey(set), set]))
  const wanted = cluster.deployments.map((deployment) => {
    const made = makeReplicaSet(deployment)
    const current = known.get(objectKey(made))
    return current !== undefined && current.spec.replicas === made.spec.replicas ? current : made
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
