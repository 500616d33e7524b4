import { ageColumn, column, nameColumn } from '../columns/column.js'
import { currentRevision, revisionOf, updateRevision } from '../controllers/setRevisions.js'
import { isEnding } from '../pods/endPods.js'
import { statefulSetSchema } from '../schema/workload.js'
import type { StatefulSet } from '../types.js'
import { validateServiceName, validateStatefulSetUpdate } from '../validation/workload.js'
import { defineKind } from './kind.js'
import {
  blankTemplate,
  observed,
  ownedPods,
  podCounts,
  templateColumns,
  withoutZeros,
  workloadFields,
} from './workload.js'

/** A StatefulSet with its status, which the cluster types leave out. */
type PrintedStatefulSet = StatefulSet & { status?: { readyReplicas?: number } }

/** StatefulSet of apps/v1; columns as printStatefulSet of Kubernetes v1.36 writes them. */
export const statefulSet = defineKind<StatefulSet, PrintedStatefulSet>({
  ...workloadFields,
  plural: 'statefulsets',
  shortNames: ['sts'],
  list: 'statefulSets',
  schema: statefulSetSchema,
  validateCreate: validateServiceName,
  validateUpdate: validateStatefulSetUpdate,
  statusOf(set, cluster) {
    const owned = ownedPods(set, cluster)
    // Terminating pods count, unless they are counted by revision (updateReplicaCounts).
    const { replicas, availableReplicas, ...ready } = podCounts(owned, set.spec, cluster)
    const pods = owned.filter((pod) => !isEnding(pod))
    const [current, update] = [currentRevision(set, owned), updateRevision(set)]
    const at = (revision: string) => pods.filter((pod) => revisionOf(pod) === revision).length
    return {
      ...observed(set),
      replicas,
      ...withoutZeros({
        ...ready,
        currentReplicas: at(current),
        updatedReplicas: at(update),
      }),
      currentRevision: current,
      updateRevision: update,
      collisionCount: 0,
      availableReplicas,
    }
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
