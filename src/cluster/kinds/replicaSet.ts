import { ageColumn, column, nameColumn } from '../columns/column.js'
import { isTerminal } from '../pods/podFacts.js'
import { replicaSetSchema } from '../schema/workload.js'
import { matchesLabels } from '../selectors.js'
import type { ReplicaSet } from '../types.js'
import { immutableSelector } from '../validation/workload.js'
import { defineKind } from './kind.js'
import {
  blankTemplate,
  observed,
  podCounts,
  podsOf,
  selectorColumn,
  templateColumns,
  terminatingReplicas,
  withoutZeros,
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
  statusOf(set, cluster) {
    const pods = podsOf(set, cluster).filter((pod) => !isTerminal(pod))
    const { replicas, ...ready } = podCounts(pods, set.spec, cluster)
    const { labels } = set.spec.template.metadata ?? {}
    const labelled = pods.filter(({ metadata }) => matchesLabels(labels ?? {}, metadata.labels))
    return {
      replicas,
      ...withoutZeros({ fullyLabeledReplicas: labelled.length, ...ready }),
      terminatingReplicas: terminatingReplicas(set, cluster),
      ...observed(set),
    }
  },
  validateUpdate: immutableSelector,
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
