import { podAddresses } from './podFacts.js'
import type { Cluster, DeletedPod, KubeObject, Pod } from '../types.js'

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
  const kept = cluster.pods.flatMap((pod) => {
    if (!isRemovedAtOnce(pod)) return [pod]
    return now === undefined || !isHeld(pod) ? [] : [ended(pod, now)]
  })
  if (now === undefined) return { ...cluster, pods: kept }
  let changed = kept.some((pod, index) => pod !== cluster.pods[index]) || kept.length !== cluster.pods.length
  const pods = kept.map((pod) => {
    const next = toDelete.has(pod) ? marked(pod, now, graceSeconds) : pod
    changed ||= next !== pod
    return next
  })
  return changed ? { ...cluster, pods } : cluster
}

/** True for a terminating pod, and for any object that only its finalizers keep. */
export function isEnding({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined
}

/** Whether finalizers keep a pod whose containers have ended. */
export function isHeld({ metadata }: Pod): boolean {
  return (metadata.finalizers ?? []).length > 0
}

/** Whether only finalizers keep a deleted pod. */
export function isEnded(pod: Pod): boolean {
  return isEnding(pod) && pod.status?.phase === 'Succeeded' && podAddresses(pod).length === 0
}

/** A deleted pod without containers and network, which its finalizers keep. */
export function ended(pod: Pod, now: string): Pod {
  if (isEnded(pod)) return pod
  const { podIP: _ip, podIPs: _ips, conditions: _conditions, ...status } = pod.status ?? {}
  const { deletionTimestamp = now } = pod.metadata
  return {
    ...pod,
    metadata: { ...pod.metadata, deletionTimestamp, deletionGracePeriodSeconds: 0 },
    status: { ...status, phase: 'Succeeded' },
  }
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
  const { generation } = pod.metadata
  const counted = generation === undefined || deletionTimestamp !== undefined
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      ...(counted ? {} : { generation: generation + 1 }),
      deletionTimestamp: deletionTimestamp ?? now,
      deletionGracePeriodSeconds: seconds,
    },
  }
}
