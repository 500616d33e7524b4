import type { StatefulSet } from '../../cluster/types.js'
import { ageColumn, column, nameColumn, wideColumn, type Column } from './column.js'
import { containersOf } from './deploymentTable.js'

/** A StatefulSet with its status, which the cluster types leave out. */
type PrintedStatefulSet = StatefulSet & { status?: { readyReplicas?: number } }

/** Columns of `kubectl get statefulsets`; cells as printStatefulSet of Kubernetes v1.36 writes them. */
export const statefulSetColumns: readonly Column<PrintedStatefulSet>[] = [
  nameColumn,
  column('Ready', 'ready pods, of those asked for', ({ spec, status }) => {
    return `${status?.readyReplicas ?? 0}/${spec.replicas ?? 1}`
  }),
  ageColumn,
  wideColumn('Containers', 'names of the containers', (set) => containersOf(set, 'name')),
  wideColumn('Images', 'images of the containers', (set) => containersOf(set, 'image')),
]
