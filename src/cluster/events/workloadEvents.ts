import { objectKey } from '../manifests/locatedObject.js'
import { controllerKey } from '../owners.js'
import { isEnding } from '../pods/endPods.js'
import type { Cluster, KubeObject } from '../types.js'
import type { Occurrence } from './eventLog.js'

/** The ReplicaSets that the Deployment controller created or scaled in a step. */
export function scaledReplicaSets(before: Cluster, after: Cluster): Occurrence[] {
  if (before.replicaSets === after.replicaSets) return []
  const old = new Map((before.replicaSets ?? []).map((set) => [objectKey(set), set.spec.replicas ?? 1]))
  const owners = new Map(after.deployments.map((deployment) => [objectKey(deployment), deployment]))
  return (after.replicaSets ?? []).flatMap((set) => {
    const object = owners.get(controllerKey(set) ?? '')
    const [from, to] = [old.get(objectKey(set)) ?? 0, set.spec.replicas ?? 1]
    if (object === undefined || from === to) return []
    const direction = from < to ? 'up' : 'down'
    const message = `Scaled ${direction} replica set ${set.metadata.name} from ${from} to ${to}`
    return [byController(object, 'ScalingReplicaSet', message)]
  })
}

/** The pods that controllers created and deleted in a step; those of an owner that is gone are deleted without Events. */
export function madeAndDeletedPods(before: Cluster, after: Cluster): Occurrence[] {
  if (before.pods === after.pods) return []
  const owners = new Map(
    [
      ...(after.replicaSets ?? []),
      ...(after.statefulSets ?? []),
      ...(after.daemonSets ?? []),
      ...(after.replicationControllers ?? []),
      ...(after.jobs ?? []),
    ].map((owner): [string, KubeObject] => [objectKey(owner), owner]),
  )
  const old = new Map(before.pods.map((pod) => [objectKey(pod), pod]))
  const now = new Map(after.pods.map((pod) => [objectKey(pod), pod]))
  const occurrence = (pod: KubeObject, verb: 'create' | 'delete'): Occurrence[] => {
    const owner = owners.get(controllerKey(pod) ?? '')
    return owner === undefined ? [] : [podEvent(owner, pod.metadata.name, verb)]
  }
  return [
    ...after.pods.filter((pod) => !old.has(objectKey(pod))).flatMap((pod) => occurrence(pod, 'create')),
    ...before.pods
      .filter((pod) => {
        const next = now.get(objectKey(pod))
        return next === undefined || (isEnding(next) && !isEnding(pod))
      })
      .flatMap((pod) => occurrence(pod, 'delete')),
  ]
}

function podEvent(owner: KubeObject, pod: string, verb: 'create' | 'delete'): Occurrence {
  const reason = verb === 'create' ? 'SuccessfulCreate' : 'SuccessfulDelete'
  const message =
    owner.kind === 'StatefulSet'
      ? `${verb} Pod ${pod} in StatefulSet ${owner.metadata.name} successful`
      : `${verb === 'create' ? 'Created' : 'Deleted'} pod: ${pod}`
  return byController(owner, reason, message)
}

const reasonOf: Readonly<Record<string, string>> = { JobSuspended: 'Suspended', JobResumed: 'Resumed' }

/** The Jobs that were suspended, resumed, completed or failed in a step (syncJob, recordJobFinished). */
export function changedJobs(before: Cluster, after: Cluster): Occurrence[] {
  if (before.jobs === after.jobs) return []
  const old = new Map((before.jobs ?? []).map((job) => [objectKey(job), job]))
  return (after.jobs ?? []).flatMap((job) => {
    const known = old.get(objectKey(job))?.status?.conditions ?? []
    const changed = (job.status?.conditions ?? []).filter((one) => !known.includes(one))
    return changed.flatMap(({ type, reason, message }): Occurrence[] => {
      switch (type) {
        case 'Suspended':
          return [byController(job, reasonOf[reason] ?? reason, message)]
        case 'Complete':
          return [byController(job, 'Completed', 'Job completed')]
        case 'Failed':
          return [{ ...byController(job, reason, message), type: 'Warning' }]
        default:
          return []
      }
    })
  })
}

function byController(object: KubeObject, reason: string, message: string): Occurrence {
  const name = object.kind.toLowerCase().replace(/controller$/, '')
  return { object, type: 'Normal', reason, message, component: `${name}-controller` }
}
