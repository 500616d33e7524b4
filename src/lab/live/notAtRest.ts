import { unschedulableReason } from '../../cluster/controllers/scheduler.js'
import { objectKey } from '../../cluster/manifests/locatedObject.js'
import { byController, controllerKey } from '../../cluster/owners.js'
import { isReady, isTerminal } from '../../cluster/pods/podFacts.js'
import type { Cluster, KubeObject, Pod } from '../../cluster/types.js'

/**
 * What is still on its way in a cluster, a line each: pods that start or end, rollouts that go on. A pod that its probes
 * have found not ready is at rest.
 */
export function notAtRest(cluster: Cluster, isJudged: (pod: Pod) => boolean): string[] {
  return [
    ...cluster.pods.flatMap((pod) => {
      const what = podOnItsWay(pod, isJudged)
      return what === undefined ? [] : [`pod ${fullName(pod)} ${what}`]
    }),
    ...rolloutsOnTheirWay(cluster),
    ...setsOnTheirWay(cluster),
  ]
}

function podOnItsWay(pod: Pod, isJudged: (pod: Pod) => boolean): string | undefined {
  if (isTerminal(pod)) return undefined
  if (pod.metadata.deletionTimestamp !== undefined) return 'is terminating'
  const reason = unschedulableReason(pod)
  if (reason !== undefined) return `is pending: ${reason}`
  if (pod.status?.phase !== 'Running') return 'is starting'
  return isJudged(pod) ? undefined : 'has probes that were not asked yet'
}

/** A Deployment whose old ReplicaSets still want pods, or whose pods are fewer than it asks for. */
function rolloutsOnTheirWay(cluster: Cluster): string[] {
  const sets = cluster.replicaSets ?? []
  return cluster.deployments.flatMap((deployment) => {
    const own = sets.filter((set) => controllerKey(set) === objectKey(deployment))
    const wanted = deployment.spec.replicas ?? 1
    const working = own.filter((set) => (set.spec.replicas ?? 1) > 0)
    const total = working.reduce((sum, set) => sum + (set.spec.replicas ?? 1), 0)
    if (working.length <= 1 && total === wanted) return []
    return [`deployment ${fullName(deployment)} is rolling out`]
  })
}

/** A StatefulSet that has too few or too many pods: it makes them one after the other. */
function setsOnTheirWay(cluster: Cluster): string[] {
  const owned = byController(cluster.pods)
  return (cluster.statefulSets ?? []).flatMap((set) => {
    const pods = owned.get(objectKey(set)) ?? []
    const hold = set.spec.podManagementPolicy !== 'Parallel' && pods.some((pod) => !isReady(pod))
    // one that is not ready holds up those that come after, for as long as its probes say so
    if (hold || pods.length === (set.spec.replicas ?? 1)) return []
    return [`statefulset ${fullName(set)} is scaling`]
  })
}

function fullName({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? 'default'}/${metadata.name}`
}
