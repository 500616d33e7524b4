import { podAddresses } from './podFacts.js'
import type { Cluster, PastPod, Pod } from '../types.js'

/** What kubelet gives a pod to end in, unless it says otherwise. */
const defaultGraceSeconds = 30

/**
 * Deletes pods: in a snapshot that stands for itself they go at once. In a cluster that lives they are marked, and go
 * when their kubelet says that they have ended; one that no kubelet has begun with goes at once.
 */
export function endPods(cluster: Cluster, going: ReadonlySet<Pod>, graceSeconds?: number): Cluster {
  if (going.size === 0) return cluster
  const { now } = cluster
  const goesAtOnce = (pod: Pod) => going.has(pod) && (now === undefined || podAddresses(pod).length === 0)
  const kept = cluster.pods.filter((pod) => !goesAtOnce(pod))
  if (now === undefined) return { ...cluster, pods: kept }
  let changed = kept.length !== cluster.pods.length
  const pods = kept.map((pod) => {
    const next = going.has(pod) ? marked(pod, now, graceSeconds) : pod
    changed ||= next !== pod
    return next
  })
  return changed ? { ...cluster, pods } : cluster
}

/** True for a pod that was asked to end. */
export function isEnding(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined
}

/** What a cluster that lives remembers of a pod that has gone. */
export function remembered(cluster: Cluster, pod: Pod): readonly PastPod[] {
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

/** A pod that ends already may be asked to end sooner, never later. */
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
