import { ageColumn, column, nameColumn } from '../columns/column.js'
import { templateHash } from '../hash.js'
import { statefulSetSchema } from '../schema/workload.js'
import type { StatefulSet } from '../types.js'
import { validateStatefulSetUpdate } from '../validation/workload.js'
import { defineKind } from './kind.js'
import { blankTemplate, podCounts, podsOf, revisionOf, templateColumns, workloadFields } from './workload.js'

/** A StatefulSet with its status, which the cluster types leave out. */
type PrintedStatefulSet = StatefulSet & { status?: { readyReplicas?: number } }

/** StatefulSet of apps/v1; columns as printStatefulSet of Kubernetes v1.36 writes them. */
export const statefulSet = defineKind<StatefulSet, PrintedStatefulSet>({
  ...workloadFields,
  plural: 'statefulsets',
  shortNames: ['sts'],
  list: 'statefulSets',
  schema: statefulSetSchema,
  validateUpdate: validateStatefulSetUpdate,
  statusOf(set, cluster) {
    const pods = podsOf(set, cluster)
    const hash = templateHash(set.spec.template)
    const updated = pods.filter((pod) => revisionOf(pod)?.endsWith(hash))
    return { ...podCounts(pods), updatedReplicas: updated.length }
  },
  blank: {
    spec: { selector: null, template: blankTemplate, updateStrategy: {} },
    status: { replicas: 0, availableReplicas: 0 },
  },
  columns: [
    nameColumn,
    column('Ready', 'ready pods and desired pods', ({ spec, status }) => {
      return `${status?.readyReplicas ?? 0}/${spec.replicas ?? 1}`
    }),
    ageColumn,
    ...templateColumns,
  ],
})
