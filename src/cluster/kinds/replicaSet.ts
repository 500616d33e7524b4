import { ageColumn, column, nameColumn } from '../columns/column.js'
import { replicaSetSchema } from '../schema/workload.js'
import type { ReplicaSet } from '../types.js'
import { immutableField } from '../validation/update.js'
import { defineKind } from './kind.js'
import {
  blankTemplate,
  podCounts,
  podsOf,
  selectorColumn,
  templateColumns,
  workloadFields,
} from './workload.js'

/** A ReplicaSet with its status, which the cluster types leave out. */
type PrintedReplicaSet = ReplicaSet & { status?: { replicas?: number; readyReplicas?: number } }

/** ReplicaSet of apps/v1; columns as printReplicaSet of Kubernetes v1.36 writes them. */
export const replicaSet = defineKind<ReplicaSet, PrintedReplicaSet>({
  ...workloadFields,
  plural: 'replicasets',
  shortNames: ['rs'],
  list: 'replicaSets',
  schema: replicaSetSchema,
  statusOf: (set, cluster) => podCounts(podsOf(set, cluster)),
  validateUpdate: immutableField(['spec', 'selector']),
  fields: { 'status.replicas': '0' },
  blank: { spec: { selector: null, template: blankTemplate }, status: { replicas: 0 } },
  columns: [
    nameColumn,
    column('Desired', 'desired pods', ({ spec }) => spec.replicas ?? 1, 'integer'),
    column('Current', 'pods that exist', ({ status }) => status?.replicas ?? 0, 'integer'),
    column('Ready', 'pods that are ready', ({ status }) => status?.readyReplicas ?? 0, 'integer'),
    ageColumn,
    ...templateColumns,
    selectorColumn,
  ],
})
