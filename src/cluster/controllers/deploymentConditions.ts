import { isAvailable } from '../pods/availability.js'
import { isEnding } from '../pods/endPods.js'
import { isTerminal } from '../pods/podFacts.js'
import type { Cluster, Deployment, DeploymentCondition, Pod, ReplicaSet } from '../types.js'
import { maxUnavailable } from './rollout.js'

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
 * A Deployment with its conditions: whether enough pods are available, and how far its rollout is. A changed condition
 * moves to the end of the list. Mirrors syncRolloutStatus of Kubernetes 1.36, without progressDeadlineSeconds.
 */
export function withConditions(progress: Progress): Deployment {
  const { deployment, cluster } = progress
  const before = deployment.status?.conditions ?? []
  const started = withCondition(before, start(progress, before), cluster)
  const counted = withCondition(started, availability(progress), cluster)
  const rolled = withCondition(counted, rolling(progress, counted), cluster, counted !== started)
  return rolled === before
    ? deployment
    : { ...deployment, status: { ...deployment.status, conditions: rolled } }
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

function availability(progress: Progress): DeploymentCondition {
  const { deployment } = progress
  const least = (deployment.spec.replicas ?? 1) - maxUnavailable(deployment)
  return count(progress).available >= least
    ? {
        ...{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' },
        message: 'Deployment has minimum availability.',
      }
    : {
        ...{ type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable' },
        message: 'Deployment does not have minimum availability.',
      }
}

function rolling(progress: Progress, conditions: Conditions): DeploymentCondition | undefined {
  const { deployment, newest } = progress
  const { total, updated, available } = count(progress)
  const isComplete = reasonOf(conditions) === 'NewReplicaSetAvailable' && total === updated
  if (deployment.spec['paused'] === true || newest === undefined || isComplete) return undefined
  const name = `ReplicaSet "${newest.metadata.name}"`
  const wanted = deployment.spec.replicas ?? 1
  if ([total, updated, available].every((number) => number === wanted))
    return progressing('True', 'NewReplicaSetAvailable', `${name} has successfully progressed.`)
  return updated === 0 ? undefined : progressing('True', 'ReplicaSetUpdated', `${name} is progressing.`)
}

/** The pods of a Deployment that are neither terminating nor finished. */
function count({ deployment, newest, sets, podsOf, cluster }: Progress) {
  const active = (set: ReplicaSet) => podsOf(set).filter((pod) => !isEnding(pod) && !isTerminal(pod))
  const all = sets.flatMap(active)
  return {
    total: all.length,
    updated: newest === undefined ? 0 : active(newest).length,
    available: all.filter((pod) => isAvailable(pod, deployment.spec, cluster)).length,
  }
}
