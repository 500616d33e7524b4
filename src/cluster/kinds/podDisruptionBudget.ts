import { ageColumn, column, nameColumn } from '../columns/column.js'
import { share } from '../controllers/sizes.js'
import { withFirstGeneration } from '../defaults/pod.js'
import { objectKey } from '../manifests/locatedObject.js'
import { controllerKey } from '../owners.js'
import { isEnding } from '../pods/endPods.js'
import { isReady } from '../pods/podFacts.js'
import { anyObject, intOrString, stringType, struct } from '../schema/field.js'
import { labelSelector, objectSchema } from '../schema/metadata.js'
import { matchesSelector } from '../selectors.js'
import type { Cluster, KubeObject, LabelSelector, Pod } from '../types.js'
import { intOrPercent, invalid, oneOf } from '../validation/fieldErrors.js'
import type { FieldError } from '../validation/fieldErrors.js'
import { pathSegment } from '../validation/formats.js'
import { validateMetadata, validateSelector } from '../validation/metadata.js'
import { defineKind } from './kind.js'
import { observed } from './workload.js'

interface PodDisruptionBudget extends KubeObject {
  kind: 'PodDisruptionBudget'
  spec: {
    minAvailable?: number | string
    maxUnavailable?: number | string
    selector?: LabelSelector
    unhealthyPodEvictionPolicy?: string
  }
}

const blankStatus = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }

/** PodDisruptionBudget of policy/v1; columns as printPodDisruptionBudget of Kubernetes v1.36 writes them. */
export const podDisruptionBudget = defineKind<
  PodDisruptionBudget,
  PodDisruptionBudget & { status?: typeof blankStatus }
>({
  group: 'policy',
  plural: 'poddisruptionbudgets',
  shortNames: ['pdb'],
  list: 'podDisruptionBudgets',
  schema: objectSchema(
    'PodDisruptionBudget',
    {
      spec: struct('PodDisruptionBudgetSpec', {
        minAvailable: intOrString,
        maxUnavailable: intOrString,
        selector: labelSelector,
        unhealthyPodEvictionPolicy: stringType('UnhealthyPodEvictionPolicyType'),
      }),
      status: anyObject('PodDisruptionBudgetStatus'),
    },
    ['spec'],
  ),
  setDefaults: withFirstGeneration,
  validate,
  statusOf: (budget, cluster) => ({ ...statusOf(budget, cluster), ...observed(budget) }),
  blank: { spec: {}, status: blankStatus },
  columns: [
    nameColumn,
    column('Min Available', 'pods that must be available', ({ spec }) => String(spec.minAvailable ?? 'N/A')),
    column('Max Unavailable', 'pods that may be unavailable', ({ spec }) =>
      String(spec.maxUnavailable ?? 'N/A'),
    ),
    column(
      'Allowed Disruptions',
      'pods that may be evicted now',
      ({ status }) => status?.disruptionsAllowed ?? 0,
      'integer',
    ),
    ageColumn,
  ],
})

/** Validates a PodDisruptionBudget (ValidatePodDisruptionBudgetSpec). */
function validate({ metadata, spec }: PodDisruptionBudget): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = spec
  return [
    ...validateMetadata(metadata, pathSegment),
    ...(minAvailable !== undefined && maxUnavailable !== undefined
      ? [invalid(['spec'], spec, 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...Object.entries({ minAvailable, maxUnavailable }).flatMap(([field, value]) => [
      ...intOrPercent(['spec', field], value),
      ...(typeof value === 'string' && Number.parseInt(value, 10) > 100
        ? [invalid(['spec', field], value, 'must not be greater than 100%')]
        : []),
    ]),
    ...(selector === undefined ? [] : validateSelector(['spec', 'selector'], selector)),
    ...oneOf(['spec', 'unhealthyPodEvictionPolicy'], unhealthyPodEvictionPolicy, [
      'AlwaysAllow',
      'IfHealthyBudget',
    ]),
  ]
}

/** The counts of the disruption controller (getExpectedPodCount and updatePdbStatus). */
function statusOf({ metadata, spec }: PodDisruptionBudget, cluster: Cluster): typeof blankStatus {
  const { minAvailable, maxUnavailable, selector } = spec
  const { namespace = 'default' } = metadata
  const pods = cluster.pods.filter(
    ({ metadata: own }) =>
      (own.namespace ?? 'default') === namespace &&
      selector !== undefined &&
      matchesSelector(selector, own.labels),
  )
  const expectedPods = typeof minAvailable === 'number' ? pods.length : scaleOf(pods, cluster)
  if (expectedPods === undefined || (minAvailable ?? maxUnavailable) === undefined) return blankStatus
  const desiredHealthy =
    maxUnavailable === undefined
      ? share(minAvailable ?? 0, expectedPods, Math.ceil)
      : Math.max(0, expectedPods - share(maxUnavailable, expectedPods, Math.ceil))
  const currentHealthy = pods.filter((pod) => isReady(pod) && !isEnding(pod)).length
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0
  return { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods }
}

/**
 * The replicas of the controllers of pods, each counted once; undefined when one has no scale, such as a DaemonSet.
 */
function scaleOf(pods: readonly Pod[], cluster: Cluster): number | undefined {
  const { deployments, replicaSets = [], statefulSets = [] } = cluster
  const scalable = new Map(
    [...deployments, ...replicaSets, ...statefulSets].map((one) => [objectKey(one), one]),
  )
  // The scale is the Deployment's, whichever of its ReplicaSets owns a pod.
  const keys = pods.flatMap((pod) => {
    const key = controllerKey(pod) ?? ''
    const owner = scalable.get(key)
    return (owner && controllerKey(owner)) ?? (key || [])
  })
  const scales = [...new Set(keys)]
    .map((key) => scalable.get(key))
    .map((one) => one && (one.spec.replicas ?? 1))
  return scales.reduce(
    (sum, scale) => (sum === undefined || scale === undefined ? undefined : sum + scale),
    0,
  )
}
