import type { DaemonSet } from '../../cluster/types.js'
import { ageColumn, column, nameColumn, wideColumn, type Column } from './column.js'
import { containersOf } from './deploymentTable.js'
import { labelsText, selectorText } from './selectorText.js'

type Count =
  | 'desiredNumberScheduled'
  | 'currentNumberScheduled'
  | 'numberReady'
  | 'updatedNumberScheduled'
  | 'numberAvailable'

/** A DaemonSet with its status, which the cluster types leave out. */
type PrintedDaemonSet = DaemonSet & { status?: Partial<Record<Count, number>> }

/** Columns of `kubectl get daemonsets`; cells as printDaemonSet of Kubernetes v1.36 writes them. */
export const daemonSetColumns: readonly Column<PrintedDaemonSet>[] = [
  nameColumn,
  count('Desired', 'nodes that are to run its pod', 'desiredNumberScheduled'),
  count('Current', 'nodes that have its pod', 'currentNumberScheduled'),
  count('Ready', 'nodes where its pod is ready', 'numberReady'),
  count('Up-to-date', 'nodes that have a pod of the newest template', 'updatedNumberScheduled'),
  count('Available', 'nodes where its pod counts as available', 'numberAvailable'),
  column('Node Selector', 'labels of the nodes that it runs on', ({ spec }) =>
    labelsText(spec.template.spec.nodeSelector),
  ),
  ageColumn,
  wideColumn('Containers', 'names of the containers', (set) => containersOf(set, 'name')),
  wideColumn('Images', 'images of the containers', (set) => containersOf(set, 'image')),
  wideColumn('Selector', 'labels of the pods that belong to it', ({ spec }) => selectorText(spec.selector)),
]

function count(name: string, description: string, field: Count): Column<PrintedDaemonSet> {
  return column(name, description, ({ status }) => status?.[field] ?? 0, 'integer')
}
