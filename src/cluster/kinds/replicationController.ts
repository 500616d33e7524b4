import { controllerWarnings } from '../warnings/workload.js'
import { ageColumn, column, nameColumn, wideColumn } from '../columns/column.js'
import { labelsText } from '../columns/selectorText.js'
import { defaultReplicationController } from '../defaults/batch.js'
import { isTerminal } from '../pods/podFacts.js'
import { replicationControllerSchema } from '../schema/batch.js'
import { matchesLabels } from '../selectors.js'
import type { ReplicationController } from '../types.js'
import { validateReplicationController } from '../validation/batch.js'
import { defineKind } from './kind.js'
import { observed, podCounts, podsOf, templateColumns, withoutZeros } from './workload.js'

type Printed = ReplicationController & { status?: { replicas?: number; readyReplicas?: number } }

/** ReplicationController of core/v1; columns as printReplicationController of Kubernetes v1.36 writes them. */
export const replicationController = defineKind<ReplicationController, Printed>({
  group: '',
  plural: 'replicationcontrollers',
  shortNames: ['rc'],
  categories: ['all'],
  list: 'replicationControllers',
  schema: replicationControllerSchema,
  setDefaults: defaultReplicationController,
  warnings: controllerWarnings,
  validate: validateReplicationController,
  fields: { 'status.replicas': '0' },
  statusOf(set, cluster) {
    const pods = podsOf(set, cluster).filter((pod) => !isTerminal(pod))
    const { replicas, ...ready } = podCounts(pods, set.spec, cluster)
    const labels = set.spec.template.metadata?.labels ?? {}
    const labelled = pods.filter(({ metadata }) => matchesLabels(labels, metadata.labels))
    return {
      replicas,
      ...withoutZeros({ fullyLabeledReplicas: labelled.length, ...ready }),
      ...observed(set),
    }
  },
  blank: { spec: {}, status: { replicas: 0 } },
  columns: [
    nameColumn,
    column('Desired', 'desired pods', ({ spec }) => spec.replicas ?? 1, 'integer'),
    column('Current', 'pods that exist', ({ status }) => status?.replicas ?? 0, 'integer'),
    column('Ready', 'pods that are ready', ({ status }) => status?.readyReplicas ?? 0, 'integer'),
    ageColumn,
    ...templateColumns,
    wideColumn('Selector', 'labels of the pods that belong to it', ({ spec }) => labelsText(spec.selector)),
  ],
})
