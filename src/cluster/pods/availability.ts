import { objectKey } from '../manifests/locatedObject.js'
import { controllerKey } from '../owners.js'
import type { Cluster, Pod } from '../types.js'
import { isEnding } from './endPods.js'

type Spec = Readonly<Record<string, unknown>>

/** The seconds for which a pod of a workload must be ready before it counts as available. */
function minReadySeconds(spec: Spec): number {
  const seconds = spec['minReadySeconds']
  return typeof seconds === 'number' ? seconds : 0
}

/** Whether a pod that is not terminating has been ready for `minReadySeconds` (podutil.IsPodAvailable). */
export function isAvailable(pod: Pod, spec: Spec, { now }: Cluster): boolean {
  return !isEnding(pod) && availableIn(pod, spec, now) === 0
}

/**
 * The milliseconds until a pod counts as available, if it stays ready; undefined for a pod that is not ready, or since a time
 * that is not known, which never counts.
 */
function availableIn(pod: Pod, spec: Spec, now: string | undefined): number | undefined {
  const ready = pod.status?.conditions?.find(({ type, status }) => type === 'Ready' && status === 'True')
  if (ready === undefined) return undefined
  const seconds = minReadySeconds(spec)
  if (seconds === 0 || now === undefined) return 0
  if (ready.lastTransitionTime === undefined) return undefined
  return Math.max(0, Date.parse(ready.lastTransitionTime) + seconds * 1000 - Date.parse(now))
}

/** The milliseconds until the next pod that waits for minReadySeconds counts as available; undefined if none waits. */
export function nextAvailability({
  replicaSets = [],
  replicationControllers = [],
  statefulSets = [],
  daemonSets = [],
  pods,
  now,
}: Cluster) {
  const waiting = new Map(
    [...replicaSets, ...replicationControllers, ...statefulSets, ...daemonSets]
      .filter(({ spec }) => minReadySeconds(spec) > 0)
      .map((owner) => [objectKey(owner), owner.spec]),
  )
  if (waiting.size === 0) return undefined
  const waits = pods.flatMap((pod) => {
    const spec = waiting.get(controllerKey(pod) ?? '')
    return (spec === undefined ? undefined : availableIn(pod, spec, now)) || []
  })
  return waits.length === 0 ? undefined : Math.min(...waits)
}
