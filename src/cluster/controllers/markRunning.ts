import { podAddresses } from '../pods/podFacts.js'
import type { Cluster, Pod, PodCondition } from '../types.js'

const conditions: readonly PodCondition[] = [
  { type: 'PodScheduled', status: 'True' },
  { type: 'Initialized', status: 'True' },
  { type: 'ContainersReady', status: 'True' },
  { type: 'Ready', status: 'True' },
]

/**
 * Kubelet, in short: a pod that has its addresses runs and is ready at once. Probes are not asked yet; whoever asks
 * them takes the place of this reconciler.
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
