import { isEnding } from '../cluster/endPods.js'
import { templateHash } from '../cluster/hash.js'
import { objectKey } from '../cluster/locatedObject.js'
import { controllerKey } from '../cluster/owners.js'
import { isReady } from '../cluster/podFacts.js'
import type { Cluster, DaemonSet, Deployment, KubeObject, Pod, StatefulSet } from '../cluster/types.js'

/** The workloads of a cluster, with the counts of pods that their controllers write in their status. */
export function workloadObjects(cluster: Cluster): readonly KubeObject[] {
  const pods = cluster.pods.filter((pod) => !isEnding(pod))
  const ownedBy = (owner: KubeObject) => pods.filter((pod) => controllerKey(pod) === objectKey(owner))
  return [
    ...(cluster.daemonSets ?? []).map((set) => withStatus(set, daemonSetStatus(set, ownedBy(set)))),
    ...cluster.deployments.map((deployment) => {
      const owned = pods.filter((pod) => isOwned(pod, deployment))
      return withStatus(deployment, deploymentStatus(deployment, owned))
    }),
    ...(cluster.replicaSets ?? []).map((set) => withStatus(set, replicaSetStatus(ownedBy(set)))),
    ...(cluster.statefulSets ?? []).map((set) => withStatus(set, statefulSetStatus(set, ownedBy(set)))),
  ]
}

function withStatus(object: KubeObject, status: object): KubeObject {
  return Object.assign({ ...object }, { status })
}

function deploymentStatus({ spec }: Deployment, pods: readonly Pod[]): object {
  const hash = templateHash(spec.template)
  const ready = readyOf(pods)
  const updated = pods.filter(({ metadata }) => (metadata.labels?.['pod-template-hash'] ?? hash) === hash)
  return {
    replicas: pods.length,
    updatedReplicas: updated.length,
    readyReplicas: ready,
    availableReplicas: ready,
  }
}

function replicaSetStatus(pods: readonly Pod[]): object {
  const ready = readyOf(pods)
  return { replicas: pods.length, readyReplicas: ready, availableReplicas: ready }
}

function statefulSetStatus(set: StatefulSet, pods: readonly Pod[]): object {
  const ready = readyOf(pods)
  const updated = pods.filter((pod) => revisionOf(pod)?.endsWith(templateHash(set.spec.template)))
  return {
    replicas: pods.length,
    readyReplicas: ready,
    availableReplicas: ready,
    updatedReplicas: updated.length,
  }
}

function daemonSetStatus(set: DaemonSet, pods: readonly Pod[]): object {
  const ready = readyOf(pods)
  const updated = pods.filter((pod) => revisionOf(pod) === templateHash(set.spec.template))
  return {
    currentNumberScheduled: pods.length,
    numberMisscheduled: 0,
    desiredNumberScheduled: pods.length,
    numberReady: ready,
    updatedNumberScheduled: updated.length,
    numberAvailable: ready,
  }
}

function readyOf(pods: readonly Pod[]): number {
  return pods.filter(isReady).length
}

function revisionOf({ metadata }: Pod): string | undefined {
  return metadata.labels?.['controller-revision-hash']
}

/** Owned by the Deployment, or by a ReplicaSet of it, whose name is the Deployment's and a hash. */
function isOwned({ metadata }: Pod, deployment: Deployment): boolean {
  const { name, namespace = 'default' } = deployment.metadata
  if ((metadata.namespace ?? 'default') !== namespace) return false
  return (metadata.ownerReferences ?? []).some((owner) => {
    if (owner.kind === 'Deployment') return owner.name === name
    return owner.kind === 'ReplicaSet' && owner.name.replace(/-[^-]+$/, '') === name
  })
}
