import { objectKey } from '../manifests/locatedObject.js'
import { controllerKey, controllerOf } from '../owners.js'
import { isEnding } from '../pods/endPods.js'
import { isReady } from '../pods/podFacts.js'
import { matchesSelector } from '../selectors.js'
import type { Cluster, KubeObject, LabelSelector, Pod } from '../types.js'
import { share } from './sizes.js'

export interface PodDisruptionBudget extends KubeObject {
  kind: 'PodDisruptionBudget'
  spec: {
    minAvailable?: number | string
    maxUnavailable?: number | string
    selector?: LabelSelector
    unhealthyPodEvictionPolicy?: string
  }
}

interface Condition {
  readonly type: 'DisruptionAllowed'
  readonly status: 'True' | 'False'
  readonly observedGeneration?: number | undefined
  /** Absent: since the cluster exists. */
  readonly lastTransitionTime?: string
  readonly reason: 'SufficientPods' | 'InsufficientPods' | 'SyncFailed'
  readonly message: string
}

/** `status` of a PodDisruptionBudget. */
export interface DisruptionStatus {
  readonly disruptionsAllowed: number
  readonly currentHealthy: number
  readonly desiredHealthy: number
  readonly expectedPods: number
  readonly observedGeneration?: number
  readonly conditions: readonly Condition[]
}

/** The counts of a budget that allows nothing. */
export const noDisruptions = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }

/** Disruption controller: keeps the condition DisruptionAllowed of budgets, with the time of its last transition. */
export function reconcileDisruptions(cluster: Cluster): Cluster {
  const budgets = (cluster.podDisruptionBudgets ?? []) as readonly PodDisruptionBudget[]
  let isChanged = false
  const next = budgets.map((budget) => {
    const status = disruptionStatus(budget, cluster)
    const [before] = storedConditions(budget)
    const [after] = status.conditions
    const isSame =
      before?.reason === after?.reason &&
      before?.message === after?.message &&
      before?.observedGeneration === after?.observedGeneration
    if (isSame) return budget
    isChanged = true
    return { ...budget, status }
  })
  return isChanged ? { ...cluster, podDisruptionBudgets: next } : cluster
}

/** The status of a budget (updatePdbStatus, failSafe and UpdateDisruptionAllowedCondition of Kubernetes 1.36). */
export function disruptionStatus(budget: PodDisruptionBudget, cluster: Cluster): DisruptionStatus {
  const { failure = '', ...counts } = countsOf(budget, cluster)
  const { generation } = budget.metadata
  const status = counts.disruptionsAllowed > 0 ? 'True' : 'False'
  const [before] = storedConditions(budget)
  const now = cluster.now?.replace(/\.\d+Z$/, 'Z')
  const since = before?.status === status ? before.lastTransitionTime : now
  const observed = generation === undefined ? {} : { observedGeneration: generation }
  return {
    ...counts,
    ...observed,
    conditions: [
      {
        ...{ type: 'DisruptionAllowed', status, ...observed },
        ...(since === undefined ? {} : { lastTransitionTime: since }),
        reason: failure !== '' ? 'SyncFailed' : status === 'True' ? 'SufficientPods' : 'InsufficientPods',
        message: failure,
      },
    ],
  }
}

function storedConditions(budget: PodDisruptionBudget & { status?: Partial<DisruptionStatus> }) {
  return budget.status?.conditions ?? []
}

type Counts = typeof noDisruptions & { readonly failure?: string }

/** The counts of the disruption controller (getExpectedPodCount). */
function countsOf({ metadata, spec }: PodDisruptionBudget, cluster: Cluster): Counts {
  const { minAvailable, maxUnavailable, selector } = spec
  const { namespace = 'default' } = metadata
  const pods = cluster.pods.filter(
    ({ metadata: own }) =>
      (own.namespace ?? 'default') === namespace &&
      selector !== undefined &&
      matchesSelector(selector, own.labels),
  )
  if ((minAvailable ?? maxUnavailable) === undefined) return noDisruptions
  const expectedPods = typeof minAvailable === 'number' ? pods.length : scaleOf(pods, cluster)
  if (typeof expectedPods === 'string') return { ...noDisruptions, failure: expectedPods }
  const desiredHealthy =
    maxUnavailable === undefined
      ? share(minAvailable ?? 0, expectedPods, Math.ceil)
      : Math.max(0, expectedPods - share(maxUnavailable, expectedPods, Math.ceil))
  const currentHealthy = pods.filter((pod) => isReady(pod) && !isEnding(pod)).length
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0
  return { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods }
}

const withoutScale: Readonly<Record<string, string>> = { DaemonSet: 'daemonsets.apps', Job: 'jobs.batch' }

/**
 * The replicas of the controllers of pods, each counted once; the controller's message when one has no scale, such as a
 * DaemonSet.
 */
function scaleOf(pods: readonly Pod[], cluster: Cluster): number | string {
  const { deployments, replicaSets = [], statefulSets = [], replicationControllers = [] } = cluster
  const scalable = new Map(
    [...deployments, ...replicaSets, ...statefulSets, ...replicationControllers].map((one) => [
      objectKey(one),
      one,
    ]),
  )
  const scales = new Map<string, number>()
  for (const pod of pods) {
    const key = controllerKey(pod)
    // a pod without a controller is not counted
    if (key === undefined) continue
    const owner = scalable.get(key)
    // The scale is the Deployment's, whichever of its ReplicaSets owns a pod.
    const scaled = owner && (scalable.get(controllerKey(owner) ?? '') ?? owner)
    if (scaled !== undefined) scales.set(objectKey(scaled), scaled.spec.replicas ?? 1)
    else {
      const resource = withoutScale[controllerOf(pod.metadata)?.kind ?? '']
      return resource === undefined
        ? `found no controllers for pod "${pod.metadata.name}"`
        : `${resource} does not implement the scale subresource`
    }
  }
  return [...scales.values()].reduce((sum, scale) => sum + scale, 0)
}
