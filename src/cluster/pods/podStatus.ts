import { ended, isHeld, remembered } from './endPods.js'
import type { Cluster, Pod, PodCondition } from '../types.js'

/** A reference to a pod. */
export interface PodRef {
  readonly namespace?: string | undefined
  readonly name: string
}

// Kubelet's reports, as edits of a snapshot: the same snapshot when nothing changes, or when the pod no longer exists.

/** The containers of a pod run; `podReady` reports whether it is ready. */
export function podRunning(cluster: Cluster, ref: PodRef, at: string): Cluster {
  return editPod(cluster, ref, (pod) => {
    if (pod.status?.phase === 'Running') return pod
    const conditions: PodCondition[] = [
      { type: 'PodScheduled', status: 'True', ...transition(at) },
      { type: 'Initialized', status: 'True', ...transition(at) },
      { type: 'ContainersReady', status: 'False', ...transition(at) },
      { type: 'Ready', status: 'False', ...transition(at) },
    ]
    return { ...pod, status: { ...pod.status, phase: 'Running', startTime: at, conditions } }
  })
}

/** Whether all containers of a pod are ready, since `at` (RFC 3339). */
export function podReady(cluster: Cluster, ref: PodRef, ready: boolean, at?: string): Cluster {
  const status = ready ? 'True' : 'False'
  return editPod(cluster, ref, (pod) => {
    const conditions = pod.status?.conditions ?? []
    const current = conditions.filter(({ type }) => type === 'Ready' || type === 'ContainersReady')
    if (current.length === 2 && current.every((condition) => condition.status === status)) return pod
    const others = conditions.filter((condition) => !current.includes(condition))
    const next = ['ContainersReady', 'Ready'].map((type): PodCondition => ({
      type,
      status,
      ...transition(at),
    }))
    return { ...pod, status: { ...pod.status, conditions: [...others, ...next] } }
  })
}

function transition(at: string | undefined): { lastTransitionTime?: string } {
  return at === undefined ? {} : { lastTransitionTime: at.replace(/\.\d+Z$/, 'Z') }
}

/** The containers of a pod have ended and are not restarted. */
export function podFinished(cluster: Cluster, ref: PodRef, phase: 'Succeeded' | 'Failed'): Cluster {
  return editPod(podReady(cluster, ref, false), ref, (pod) =>
    pod.status?.phase === phase ? pod : { ...pod, status: { ...pod.status, phase } },
  )
}

/** A container of a pod was restarted. */
export function podRestarted(cluster: Cluster, ref: PodRef, container: string): Cluster {
  return editPod(cluster, ref, (pod) => {
    const known = pod.status?.containerStatuses ?? []
    const before = known.find(({ name }) => name === container) ?? { name: container, restartCount: 0 }
    const others = known.filter((status) => status !== before)
    const containerStatuses = [...others, { ...before, restartCount: before.restartCount + 1 }]
    return { ...pod, status: { ...pod.status, containerStatuses } }
  })
}

/** A terminated pod is removed, unless finalizers keep it. */
export function podRemoved(cluster: Cluster, ref: PodRef): Cluster {
  const pod = cluster.pods.find((one) => isPod(one, ref))
  if (pod === undefined) return cluster
  const past = remembered(cluster, pod)
  if (!isHeld(pod)) return { ...cluster, pods: cluster.pods.filter((one) => one !== pod), past }
  const next = ended(pod, cluster.now ?? '')
  return next === pod
    ? cluster
    : { ...cluster, pods: cluster.pods.map((one) => (one === pod ? next : one)), past }
}

function editPod(cluster: Cluster, ref: PodRef, edit: (pod: Pod) => Pod): Cluster {
  const index = cluster.pods.findIndex((pod) => isPod(pod, ref))
  const pod = cluster.pods[index]
  if (pod === undefined) return cluster
  const next = edit(pod)
  return next === pod ? cluster : { ...cluster, pods: cluster.pods.with(index, next) }
}

function isPod({ metadata }: Pod, { namespace = 'default', name }: PodRef): boolean {
  return metadata.name === name && (metadata.namespace ?? 'default') === namespace
}
