import { ageColumn, column, nameColumn } from '../columns/column.js'
import { withFirstGeneration } from '../defaults/pod.js'
import { anyObject, intOrString, stringType, struct } from '../schema/field.js'
import { labelSelector, objectSchema } from '../schema/metadata.js'
import type { KubeObject, LabelSelector } from '../types.js'
import { intOrPercent, invalid, oneOf } from '../validation/fieldErrors.js'
import type { FieldError } from '../validation/fieldErrors.js'
import { pathSegment } from '../validation/formats.js'
import { validateMetadata, validateSelector } from '../validation/metadata.js'
import { defineKind } from './kind.js'

interface PodDisruptionBudget extends KubeObject {
  kind: 'PodDisruptionBudget'
  spec: {
    minAvailable?: number | string
    maxUnavailable?: number | string
    selector?: LabelSelector
    unhealthyPodEvictionPolicy?: string
  }
}

/** PodDisruptionBudget of policy/v1, which is stored and keeps no pod from eviction; columns as printPodDisruptionBudget of Kubernetes v1.36 writes them. */
export const podDisruptionBudget = defineKind<PodDisruptionBudget>({
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
  blank: {
    spec: {},
    status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  },
  columns: [
    nameColumn,
    column('Min Available', 'pods that must be available', ({ spec }) => String(spec.minAvailable ?? 'N/A')),
    column('Max Unavailable', 'pods that may be unavailable', ({ spec }) =>
      String(spec.maxUnavailable ?? 'N/A'),
    ),
    column('Allowed Disruptions', 'pods that may be evicted now', () => 0, 'integer'),
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
