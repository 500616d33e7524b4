import { ageColumn, column, nameColumn } from '../columns/column.js'
import type { Column } from '../columns/column.js'
import { labelsText } from '../columns/selectorText.js'
import { templateHash } from '../templateHash/templateHash.js'
import { daemonSetSchema } from '../schema/workload.js'
import type { DaemonSet } from '../types.js'
import { immutableSelector } from '../validation/workload.js'
import { revisionOf } from '../controllers/setRevisions.js'
import { defineKind } from './kind.js'
import {
  blankTemplate,
  observed,
  podCounts,
  podsOf,
  selectorColumn,
  templateColumns,
  withoutZeros,
  workloadFields,
} from './workload.js'

type Count =
  | 'desiredNumberScheduled'
  | 'currentNumberScheduled'
  | 'numberReady'
  | 'updatedNumberScheduled'
  | 'numberAvailable'

/** A DaemonSet with its status, which the cluster types leave out. */
type PrintedDaemonSet = DaemonSet & { status?: Partial<Record<Count, number>> }

/** DaemonSet of apps/v1; columns as printDaemonSet of Kubernetes v1.36 writes them. */
export const daemonSet = defineKind<DaemonSet, PrintedDaemonSet>({
  ...workloadFields,
  plural: 'daemonsets',
  shortNames: ['ds'],
  list: 'daemonSets',
  schema: daemonSetSchema,
  validateUpdate: immutableSelector,
  comparesFirst: true,
  statusOf(set, cluster) {
    const pods = podsOf(set, cluster)
    const hash = templateHash(set.spec.template)
    const { replicas, readyReplicas, availableReplicas } = podCounts(pods, set.spec, cluster)
    return {
      currentNumberScheduled: replicas,
      numberMisscheduled: 0,
      desiredNumberScheduled: replicas,
      numberReady: readyReplicas,
      ...observed(set),
      ...withoutZeros({
        updatedNumberScheduled: pods.filter((pod) => revisionOf(pod) === hash).length,
        numberAvailable: availableReplicas,
        numberUnavailable: replicas - availableReplicas,
      }),
    }
  },
  blank: {
    spec: { selector: null, template: blankTemplate, updateStrategy: {} },
    status: {
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      desiredNumberScheduled: 0,
      numberReady: 0,
    },
  },
  columns: [
    nameColumn,
    count('Desired', 'nodes that should run its pod', 'desiredNumberScheduled'),
    count('Current', 'nodes that have its pod', 'currentNumberScheduled'),
    count('Ready', 'nodes where its pod is ready', 'numberReady'),
    count('Up-to-date', 'nodes that have a pod of the newest template', 'updatedNumberScheduled'),
    count('Available', 'nodes where its pod counts as available', 'numberAvailable'),
    column('Node Selector', 'labels of the nodes that it runs on', ({ spec }) =>
      labelsText(spec.template.spec.nodeSelector),
    ),
    ageColumn,
    ...templateColumns,
    selectorColumn,
  ],
})

function count(name: string, description: string, field: Count): Column<PrintedDaemonSet> {
  return column(name, description, ({ status }) => status?.[field] ?? 0, 'integer')
}
