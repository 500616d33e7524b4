import { isAvailable } from '../pods/availability.js'
import { isEnding } from '../pods/endPods.js'
import { isReady, isTerminal } from '../pods/podFacts.js'
import { sameJson } from '../hash.js'
import type { Cluster, Deployment, DeploymentCondition, DeploymentCounts, Pod, ReplicaSet } from '../types.js'
import { maxUnavailable } from './sizes.js'

/** A Deployment with its ReplicaSets after a step of its controller. */
export interface Progress {
  readonly deployment: Deployment
  readonly newest: ReplicaSet | undefined
  /** Whether this step created the newest ReplicaSet. */
  readonly isNew: boolean
  readonly sets: readonly ReplicaSet[]
  readonly podsOf: (set: ReplicaSet) => readonly Pod[]
  readonly cluster: Cluster
}

type Conditions = readonly DeploymentCondition[]

/**
 * A Deployment with its counts and conditions: whether enough pods are available, and how far its rollout is. A changed
 * condition moves to the end of the list. Mirrors syncRolloutStatus of Kubernetes 1.36.
 */
export function withConditions(progress: Progress): Deployment {
  const { deployment, cluster } = progress
  const { conditions: before = [], ...old } = deployment.status ?? {}
  const counts = count(progress)
  const isFurther = hasProgressed(old, counts)
  const started = withCondition(before, start(progress, before), cluster)
  const counted = withCondition(started, availability(progress, counts), cluster)
  const rolled = withCondition(counted, rolling(progress, counted, counts, isFurther), cluster, isFurther)
  return rolled === before && sameJson({ ...old, ...counts }, old)
    ? deployment
    : { ...deployment, status: { ...old, ...counts, conditions: rolled } }
}

/** DeploymentProgressing of the deployment controller. */
function hasProgressed(old: Partial<DeploymentCounts>, now: DeploymentCounts): boolean {
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = old
  return (
    now.updatedReplicas > updatedReplicas ||
    now.replicas - now.updatedReplicas < replicas - updatedReplicas ||
    now.readyReplicas > readyReplicas ||
    now.availableReplicas > availableReplicas
  )
}

function withCondition(
  conditions: Conditions,
  next: DeploymentCondition | undefined,
  { now }: Cluster,
  moves = false,
): Conditions {
  if (next === undefined) return conditions
  const { type, status, reason, message } = next
  const before = conditions.find((one) => one.type === type)
  if (!moves && before?.status === status && before.reason === reason) return conditions
  const time = now?.replace(/\.\d+Z$/, 'Z')
  const since = before?.status === status ? before.lastTransitionTime : time
  return [
    ...conditions.filter((one) => one !== before),
    {
      ...{ type, status },
      ...(time === undefined ? {} : { lastUpdateTime: time }),
      ...(since === undefined ? {} : { lastTransitionTime: since }),
      ...{ reason, message },
    },
  ]
}

function progressing(status: DeploymentCondition['status'], reason: string, message: string) {
  return { type: 'Progressing', status, reason, message }
}

function reasonOf(conditions: Conditions): string | undefined {
  return conditions.find(({ type }) => type === 'Progressing')?.reason
}

function start({ deployment, newest, isNew }: Progress, before: Conditions): DeploymentCondition | undefined {
  const wasPaused = reasonOf(before) === 'DeploymentPaused'
  if (deployment.spec['paused'] === true)
    return progressing('Unknown', 'DeploymentPaused', 'Deployment is paused')
  if (wasPaused && !isNew) return progressing('Unknown', 'DeploymentResumed', 'Deployment is resumed')
  if (!isNew || newest === undefined) return undefined
  return progressing('True', 'NewReplicaSetCreated', `Created new replica set "${newest.metadata.name}"`)
}

function availability(
  { deployment }: Progress,
  { availableReplicas }: DeploymentCounts,
): DeploymentCondition {
  const least = (deployment.spec.replicas ?? 1) - maxUnavailable(deployment)
  return availableReplicas >= least
    ? {
        ...{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' },
        message: 'Deployment has minimum availability.',
      }
    : {
        ...{ type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable' },
        message: 'Deployment does not have minimum availability.',
      }
}

function rolling(
  { deployment, newest, cluster }: Progress,
  conditions: Conditions,
  { replicas, updatedReplicas, availableReplicas }: DeploymentCounts,
  isFurther: boolean,
): DeploymentCondition | undefined {
  const isComplete = reasonOf(conditions) === 'NewReplicaSetAvailable' && replicas === updatedReplicas
  if (deployment.spec['paused'] === true || newest === undefined || isComplete) return undefined
  const name = `ReplicaSet "${newest.metadata.name}"`
  const wanted = deployment.spec.replicas ?? 1
  if ([replicas, updatedReplicas, availableReplicas].every((number) => number === wanted))
    return progressing('True', 'NewReplicaSetAvailable', `${name} has successfully progressed.`)
  if (isFurther) return progressing('True', 'ReplicaSetUpdated', `${name} is progressing.`)
  return isOverdue(deployment, conditions, cluster)
    ? progressing('False', 'ProgressDeadlineExceeded', `${name} has timed out progressing.`)
    : undefined
}

/** DeploymentTimedOut: without progress for longer than the deadline. */
function isOverdue(deployment: Deployment, conditions: Conditions, cluster: Cluster): boolean {
  if (reasonOf(conditions) === 'ProgressDeadlineExceeded') return true
  const left = leftForProgress(deployment, conditions, cluster)
  return left !== undefined && left <= 0
}

/** The milliseconds until a rollout has made no progress for too long; undefined for one that is complete or paused. */
function leftForProgress({ spec }: Deployment, conditions: Conditions, { now }: Cluster): number | undefined {
  const since = conditions.find(({ type }) => type === 'Progressing')
  const seconds = spec['progressDeadlineSeconds']
  const isOver = ['NewReplicaSetAvailable', 'ProgressDeadlineExceeded'].includes(since?.reason ?? '')
  if (since?.lastUpdateTime === undefined || isOver || spec['paused'] === true) return undefined
  if (now === undefined || typeof seconds !== 'number' || seconds >= noDeadline) return undefined
  // The deadline itself is not yet too late.
  return Date.parse(since.lastUpdateTime) + seconds * 1000 + 1 - Date.parse(now)
}

/** math.MaxInt32: no deadline. */
const noDeadline = 2 ** 31 - 1

/** The milliseconds until the next Deployment exceeds its progress deadline; undefined if none can. */
export function nextDeadline(cluster: Cluster): number | undefined {
  const left = cluster.deployments.flatMap((deployment) => {
    const { conditions = [] } = deployment.status ?? {}
    return leftForProgress(deployment, conditions, cluster) ?? []
  })
  return left.length === 0 ? undefined : Math.max(0, Math.min(...left))
}

/** The pods of a Deployment that are neither terminating nor finished. */
function count({ deployment, newest, sets, podsOf, cluster }: Progress): DeploymentCounts {
  const active = (set: ReplicaSet) => podsOf(set).filter((pod) => !isEnding(pod) && !isTerminal(pod))
  const all = sets.flatMap(active)
  return {
    replicas: all.length,
    updatedReplicas: newest === undefined ? 0 : active(newest).length,
    readyReplicas: all.filter(isReady).length,
    availableReplicas: all.filter((pod) => isAvailable(pod, deployment.spec, cluster)).length,
  }
}
