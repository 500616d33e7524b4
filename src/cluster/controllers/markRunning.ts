import { podAddresses } from '../pods/podFacts.js'
import type { Cluster, Pod, PodCondition } from '../types.js'

const conditions: readonly PodCondition[] = [
  { type: 'PodScheduled', status: 'True' },
  { type: 'Initialized', status: 'True' },
  { type: 'ContainersReady', status: 'True' },
  { type: 'Ready', status: 'True' },
]

/**
 * A minimal kubelet: a pod with addresses is running and ready at once. It does not run probes; a caller that does
 * replaces this reconciler.
 */
export function markRunning(cluster: Cluster): Cluster {
  let changed = false
  const pods = cluster.pods.map((pod): Pod => {
    if (podAddresses(pod).length === 0 || pod.status?.phase !== undefined) return pod
    changed = true
    return { ...pod, status: { ...pod.status, phase: 'Running', conditions: [...conditions] } }
  })
  return changed ? { ...cluster, pods } : cluster
}
