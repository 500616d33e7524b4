import { unschedulableReason } from '../controllers/scheduler.js'
import { objectKey } from '../manifests/locatedObject.js'
import { isEnding } from '../pods/endPods.js'
import { servingContainers } from '../pods/podFacts.js'
import type { Cluster, Container, Pod } from '../types.js'
import type { Occurrence } from './eventLog.js'

/** What the scheduler and kubelets did to pods between two snapshots. */
export function podOccurrences(before: Cluster, after: Cluster): Occurrence[] {
  if (before.pods === after.pods) return []
  const old = new Map(before.pods.map((pod) => [objectKey(pod), pod]))
  return after.pods.flatMap((pod) => {
    const previous = old.get(objectKey(pod))
    return pod === previous
      ? []
      : [...scheduling(previous, pod, after), ...starts(previous, pod), ...stops(previous, pod)]
  })
}

/** A report of the kubelet of a pod's node about one of its containers. */
export function byKubelet(
  pod: Pod,
  container: string,
  {
    type = 'Normal',
    reason,
    message,
  }: Pick<Occurrence, 'reason' | 'message'> & Partial<Pick<Occurrence, 'type'>>,
): Occurrence {
  const list = pod.spec.containers.some(({ name }) => name === container) ? 'containers' : 'initContainers'
  const host = pod.spec.nodeName ?? ''
  const fieldPath = `spec.${list}{${container}}`
  return { object: pod, fieldPath, type, reason, message, component: 'kubelet', host }
}

/** A container of a pod waits until it is restarted. */
export function backOff({ metadata: { name, namespace = 'default' } }: Pod, container: string) {
  const message = `Back-off restarting failed container ${container} in pod ${name}_${namespace}`
  return { type: 'Warning', reason: 'BackOff', message } as const
}

function scheduling(before: Pod | undefined, pod: Pod, { applied }: Cluster): Occurrence[] {
  const { name, namespace = 'default' } = pod.metadata
  const { nodeName = '' } = pod.spec
  const failure = unschedulableReason(pod)
  const by = { object: pod, component: 'default-scheduler' }
  if (failure !== undefined && failure !== (before && unschedulableReason(before)))
    return [{ ...by, type: 'Warning', reason: 'FailedScheduling', message: failure }]
  const manifest = applied?.get(objectKey(pod)) as { spec?: { nodeName?: string } } | undefined
  const isBound = nodeName !== '' && (before?.spec.nodeName ?? '') === ''
  if (!isBound || manifest?.spec?.nodeName !== undefined) return []
  const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`
  return [{ ...by, type: 'Normal', reason: 'Scheduled', message }]
}

/** Containers that run now: of a pod that starts, or started again. */
function starts(before: Pod | undefined, pod: Pod): Occurrence[] {
  if (pod.status?.phase !== 'Running') return []
  const isNew = before?.status?.phase !== 'Running'
  return servingContainers(pod)
    .filter(({ name }) => isNew || restarts(before, name) < restarts(pod, name))
    .flatMap((container) => startOf(pod, container))
}

function restarts({ status }: Pod, container: string): number {
  return status?.containerStatuses?.find(({ name }) => name === container)?.restartCount ?? 0
}

// The images of a lab are never pulled.
function startOf(pod: Pod, { name, image }: Container): Occurrence[] {
  const pulled = `Container image "${image}" already present on machine and can be accessed by the pod`
  return [
    byKubelet(pod, name, { reason: 'Pulled', message: pulled }),
    byKubelet(pod, name, { reason: 'Created', message: 'Container created' }),
    byKubelet(pod, name, { reason: 'Started', message: 'Container started' }),
  ]
}

function stops(before: Pod | undefined, pod: Pod): Occurrence[] {
  if (!isEnding(pod) || before === undefined || isEnding(before) || before.status?.phase !== 'Running')
    return []
  return servingContainers(pod).map(({ name }) =>
    byKubelet(pod, name, { reason: 'Killing', message: `Stopping container ${name}` }),
  )
}
