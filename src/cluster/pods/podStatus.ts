import { ended, isHeld, remembered } from './endPods.js'
import type { Cluster, ContainerStatus, Pod, PodCondition } from '../types.js'

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
  return at === undefined ? {} : { lastTransitionTime: seconds(at) }
}

/** A time as metav1.Time, in whole seconds. */
function seconds(at: string): string {
  return at.replace(/\.\d+Z$/, 'Z')
}

/** The containers of a pod have ended and are not restarted. */
export function podFinished(cluster: Cluster, ref: PodRef, phase: 'Succeeded' | 'Failed'): Cluster {
  return editPod(podReady(cluster, ref, false), ref, (pod) =>
    pod.status?.phase === phase ? pod : { ...pod, status: { ...pod.status, phase } },
  )
}

/** How a container ended. */
export interface ContainerEnded {
  readonly exitCode: number
  /** RFC 3339. */
  readonly startedAt: string
  readonly finishedAt: string
  /** Seconds until it restarts; undefined if it does not. */
  readonly backOffSeconds: number | undefined
}

/** A container of a pod has ended by itself. */
export function podExited(
  cluster: Cluster,
  ref: PodRef,
  container: string,
  { exitCode, startedAt, finishedAt, backOffSeconds = 0 }: ContainerEnded,
): Cluster {
  const reason = exitCode === 0 ? 'Completed' : 'Error'
  const ended = {
    terminated: { exitCode, reason, startedAt: seconds(startedAt), finishedAt: seconds(finishedAt) },
  }
  const pod = `${ref.name}_${ref.namespace ?? 'default'}`
  const message = `back-off ${goDuration(backOffSeconds)} restarting failed container=${container} pod=${pod}`
  const waiting = { reason: 'CrashLoopBackOff', message }
  const states = backOffSeconds === 0 ? { state: ended } : { state: { waiting }, lastState: ended }
  return editStatus(cluster, ref, container, (before) => ({
    ...before,
    ...states,
    ...{ ready: false, started: false },
  }))
}

/** A container of a pod was restarted. */
export function podRestarted(cluster: Cluster, ref: PodRef, container: string, at: string): Cluster {
  return editStatus(cluster, ref, container, ({ ready: _was, started: _before, ...status }) => {
    const ended = status.state?.terminated === undefined ? status.lastState : status.state
    return {
      ...status,
      restartCount: status.restartCount + 1,
      state: { running: { startedAt: seconds(at) } },
      ...(ended === undefined ? {} : { lastState: ended }),
    }
  })
}

function editStatus(
  cluster: Cluster,
  ref: PodRef,
  container: string,
  edit: (before: ContainerStatus) => ContainerStatus,
): Cluster {
  return editPod(cluster, ref, (pod) => {
    const known = pod.status?.containerStatuses ?? []
    const before = known.find(({ name }) => name === container) ?? { name: container, restartCount: 0 }
    const others = known.filter((status) => status !== before)
    return { ...pod, status: { ...pod.status, containerStatuses: [...others, edit(before)] } }
  })
}

/** A duration as Go prints it: `40s`, `2m40s`. */
function goDuration(all: number): string {
  const minutes = Math.floor(all / 60)
  return minutes === 0 ? `${all}s` : `${minutes}m${all % 60}s`
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
