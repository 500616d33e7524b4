import { namespacedName } from '../../cluster/namespacedName.js'
import { unschedulableReason } from '../../cluster/controllers/scheduler.js'
import { objectKey } from '../../cluster/manifests/locatedObject.js'
import { byController, controllerKey } from '../../cluster/owners.js'
import { isReady, isTerminal } from '../../cluster/pods/podFacts.js'
import type { Cluster, Pod } from '../../cluster/types.js'

/**
 * What has not settled in a cluster, one line each: pods that start or end, rollouts in progress. A pod whose probes
 * failed has settled.
 */
export function unsettledObjects(cluster: Cluster, isProbed: (pod: Pod) => boolean): string[] {
  return [
    ...cluster.pods.flatMap((pod) => {
      const what = podState(pod, isProbed)
      return what === undefined ? [] : [`pod ${namespacedName(pod)} ${what}`]
    }),
    ...unfinishedRollouts(cluster),
    ...unfinishedSets(cluster),
  ]
}

function podState(pod: Pod, isProbed: (pod: Pod) => boolean): string | undefined {
  if (isTerminal(pod)) return undefined
  if (pod.metadata.deletionTimestamp !== undefined) return 'is terminating'
  const reason = unschedulableReason(pod)
  if (reason !== undefined) return `is pending: ${reason}`
  if (pod.status?.phase !== 'Running') return 'is starting'
  return isProbed(pod) ? undefined : 'has probes that have not run yet'
}

/** Deployments whose old ReplicaSets still have pods, or whose number of pods is not spec.replicas; a paused one does not go on. */
function unfinishedRollouts(cluster: Cluster): string[] {
  const sets = cluster.replicaSets ?? []
  return cluster.deployments.flatMap((deployment) => {
    if (deployment.spec['paused'] === true) return []
    const own = sets.filter((set) => controllerKey(set) === objectKey(deployment))
    const wanted = deployment.spec.replicas ?? 1
    const working = own.filter((set) => (set.spec.replicas ?? 1) > 0)
    const total = working.reduce((sum, set) => sum + (set.spec.replicas ?? 1), 0)
    if (working.length <= 1 && total === wanted) return []
    return [`deployment ${namespacedName(deployment)} is rolling out`]
  })
}

/** StatefulSets that have too few or too many pods: they create them one after the other. */
function unfinishedSets(cluster: Cluster): string[] {
  const owned = byController(cluster.pods)
  return (cluster.statefulSets ?? []).flatMap((set) => {
    const pods = owned.get(objectKey(set)) ?? []
    const hold = set.spec.podManagementPolicy !== 'Parallel' && pods.some((pod) => !isReady(pod))
    // a pod that is not ready delays the next ones until its probes succeed
    if (hold || pods.length === (set.spec.replicas ?? 1)) return []
    return [`statefulset ${namespacedName(set)} is scaling`]
  })
}
