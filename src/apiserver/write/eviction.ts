import { kindOf } from '../../cluster/kinds/index.js'
import { isEnding } from '../../cluster/pods/endPods.js'
import { isReady } from '../../cluster/pods/podFacts.js'
import { matchesSelector } from '../../cluster/selectors.js'
import type { Cluster, KubeObject, LabelSelector, Pod } from '../../cluster/types.js'
import { StatusError } from '../status.js'

interface Budget extends KubeObject {
  readonly spec: { readonly selector?: LabelSelector; readonly unhealthyPodEvictionPolicy?: string }
}

/** Throws the Status of the API server if a PodDisruptionBudget does not allow the eviction (EvictionREST.Create). */
export function refuseEviction(cluster: Cluster, object: KubeObject): void {
  const pod = object as Pod
  if (isEnding(pod) || pod.status?.phase !== 'Running') return
  const { namespace = 'default', labels } = pod.metadata
  const budgets = ((cluster.podDisruptionBudgets ?? []) as readonly Budget[]).filter(
    ({ metadata, spec }) =>
      (metadata.namespace ?? 'default') === namespace &&
      spec.selector !== undefined &&
      matchesSelector(spec.selector, labels),
  )
  const [budget, another] = budgets
  if (budget === undefined) return
  if (another !== undefined)
    throw new StatusError(
      500,
      'InternalError',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    )
  const status = kindOf('PodDisruptionBudget').statusOf?.(budget, cluster)
  const { disruptionsAllowed, currentHealthy, desiredHealthy } = status as Record<string, number | undefined>
  if ((disruptionsAllowed ?? 0) > 0) return
  const isHealthyBudget = (currentHealthy ?? 0) >= (desiredHealthy ?? 0) && (desiredHealthy ?? 0) > 0
  const always = budget.spec.unhealthyPodEvictionPolicy === 'AlwaysAllow'
  if (!isReady(pod) && (always || isHealthyBudget)) return
  const message = `The disruption budget ${budget.metadata.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
  throw new StatusError(
    429,
    'TooManyRequests',
    "Cannot evict pod as it would violate the pod's disruption budget.",
    { causes: [{ reason: 'DisruptionBudget', message }] },
  )
}
