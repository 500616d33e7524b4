import { podAddresses } from './podFacts.js'
import type { Cluster, DeletedPod, Pod } from '../types.js'

/** The default grace period of a pod, in seconds. */
const defaultGraceSeconds = 30

/**
 * Deletes pods. A static snapshot removes them at once. A live cluster marks them and removes them when their kubelet
 * reports their end; a pod that no kubelet has started is removed at once.
 */
export function endPods(cluster: Cluster, toDelete: ReadonlySet<Pod>, graceSeconds?: number): Cluster {
  if (toDelete.size === 0) return cluster
  const { now } = cluster
  const isRemovedAtOnce = (pod: Pod) =>
    toDelete.has(pod) && (now === undefined || podAddresses(pod).length === 0)
  const kept = cluster.pods.filter((pod) => !isRemovedAtOnce(pod))
  if (now === undefined) return { ...cluster, pods: kept }
  let changed = kept.length !== cluster.pods.length
  const pods = kept.map((pod) => {
    const next = toDelete.has(pod) ? marked(pod, now, graceSeconds) : pod
    changed ||= next !== pod
    return next
  })
  return changed ? { ...cluster, pods } : cluster
}

/** True for a terminating pod. */
export function isEnding(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined
}

/** The record of a deleted pod in a live cluster. */
export function remembered(cluster: Cluster, pod: Pod): readonly DeletedPod[] {
  const { namespace = 'default', name } = pod.metadata
  return [
    ...(cluster.past ?? []),
    {
      namespace,
      name,
      node: pod.spec.nodeName ?? '',
      addresses: pod.spec.hostNetwork ? [] : podAddresses(pod),
    },
  ]
}

/** The grace period of a terminating pod can be shortened, never extended. */
function marked(pod: Pod, now: string, graceSeconds: number | undefined): Pod {
  const { deletionGracePeriodSeconds: before, deletionTimestamp } = pod.metadata
  const seconds = graceSeconds ?? pod.spec.terminationGracePeriodSeconds ?? defaultGraceSeconds
  if (before !== undefined && before <= seconds) return pod
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      deletionTimestamp: deletionTimestamp ?? now,
      deletionGracePeriodSeconds: seconds,
    },
  }
}
